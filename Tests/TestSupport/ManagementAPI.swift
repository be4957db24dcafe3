// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import FoundationNetworking

/// RabbitMQ's management HTTP API, as guest.
package struct ManagementAPI: Sendable {
    package let base: String

    package init(base: String) {
        self.base = base
    }

    /// Sends a request and returns the body of the answer; throws when its status is not a success.
    ///
    /// The path is given by its segments below `/api`, not yet percent-encoded; the body is JSON text.
    @discardableResult
    package func call(_ method: String, _ path: [String], body: String? = nil) async throws -> [UInt8] {
        let safe = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_.~"))
        let encoded = path.map { $0.addingPercentEncoding(withAllowedCharacters: safe) ?? $0 }
        guard let url = URL(string: "\(base)/api/\(encoded.joined(separator: "/"))") else {
            throw TestFailure("no URL of \(path)")
        }
        var request = URLRequest(url: url, timeoutInterval: 30)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let credentials = Data("guest:guest".utf8).base64EncodedString()
        request.setValue("Basic \(credentials)", forHTTPHeaderField: "Authorization")
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode, 200..<300 ~= status else {
            throw TestFailure("\(method) \(url): \(response)\n\(String(decoding: data, as: UTF8.self))")
        }
        return [UInt8](data)
    }

    /// The names of the connections that a worker process has to a virtual host.
    package func connections(of process: Int32, in host: String) async throws -> [String] {
        let answer = try await call("GET", ["vhosts", host, "connections"])
        let list = try JSONSerialization.jsonObject(with: Data(answer)) as? [[String: Any]] ?? []
        return list.compactMap { connection in
            let properties = connection["client_properties"] as? [String: Any]
            let title = properties?["connection_name"] as? String
            return title?.contains("/\(process) ") == true ? connection["name"] as? String : nil
        }
    }
}
