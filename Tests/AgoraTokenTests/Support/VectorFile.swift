// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation

/// Vectors made for this project with the official builders, beside the tests.
enum VectorFile {
    /// Decodes a file of the `Vectors` folder.
    static func decode<Content: Decodable>(_ name: String, as content: Content.Type) throws -> Content {
        let url = Bundle.module.bundleURL.appending(path: "Vectors/\(name).json")
        return try decode(url, as: content)
    }

    /// Decodes the file at `url`.
    static func decode<Content: Decodable>(_ url: URL, as content: Content.Type) throws -> Content {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Content.self, from: Data(contentsOf: url))
    }
}
