// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken

/// Reads the input as a token, as the body of one, or as what is in the body; it may be refused, but never trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzParse(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let rest = Array(input.dropFirst())
    let text =
        switch input[0] & 3 {
        case 0: String(decoding: rest, as: UTF8.self)
        case 1: "007" + Base64.encode(rest)
        case 2: "006970CA35de60c44645bbae8a215061b33" + Base64.encode(rest)
        default: "007" + Base64.encode((try? Zlib.deflate(rest)) ?? [])
        }
    let report = TokenReport(text, channel: "test", user: 1234)
    guard case .current(let token) = report.content, token.unknownServiceType == nil else { return 0 }
    // What was read can be signed again, unless it is too large, and reads the same.
    guard let certificate = try? AppCertificate("5CFd2fd1755d40ecb72977518be15d3b"),
        let signed = try? AccessToken(
            appID: token.appID, issuedAt: token.issuedAt, lifetime: token.lifetime, salt: token.salt,
            services: token.services
        ).signed(with: certificate)
    else { return 0 }
    let again = try? AccessToken.parse(signed)
    precondition(again?.isSigned(by: certificate) == true, "a token that was just signed does not verify")
    precondition(
        again?.services == token.services.sorted { $0.type < $1.type }, "a token that was just signed reads differently"
    )
    return 0
}
