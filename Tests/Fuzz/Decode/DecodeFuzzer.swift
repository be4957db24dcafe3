// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// Reads the input as the body of a message, of a reply or of a notice, or as the properties of one.
///
/// It may be refused, with an error that a stranger's message deserves, but never trap; what is accepted survives being
/// written and read again. The first byte says what it is.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDecode(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let body = Array(input.dropFirst())
    do throws(MessageError) {
        switch input[0] & 7 {
        case 0: try Fuzzed.request(body)
        case 1: try Fuzzed.renewal(body)
        case 2: try Fuzzed.cancellation(body)
        case 3: try Fuzzed.explanation(body)
        case 4: try FuzzedProperties(body).check()
        default: Fuzzed.reply(body)
        }
    } catch {
        ErrorCheck(error, input: body).run()
    }
    return 0
}

/// What has to hold for each kind of body.
enum Fuzzed {
    static func request(_ body: [UInt8]) throws(MessageError) {
        let items = try items(TokenRequest.self, body)
        for item in items { precondition((try? TokenRequest.decode(item.encode())) == item, "a request changed") }
        precondition(same(items, Batch.encode(items)), "a list of requests changed")
    }

    static func renewal(_ body: [UInt8]) throws(MessageError) {
        let items = try items(RenewRequest.self, body)
        for item in items { precondition((try? RenewRequest.decode(item.encode())) == item, "a renewal changed") }
        precondition(same(items, Batch.encode(items)), "a list of renewals changed")
    }

    static func cancellation(_ body: [UInt8]) throws(MessageError) {
        let items = try items(CancelRequest.self, body)
        for item in items { precondition((try? CancelRequest.decode(item.encode())) == item, "a cancellation changed") }
        precondition(same(items, Batch.encode(items)), "a list of cancellations changed")
    }

    static func explanation(_ body: [UInt8]) throws(MessageError) {
        let request = try ExplainRequest.decode(body)
        precondition((try? ExplainRequest.decode(request.encode())) == request, "an explanation changed")
    }

    /// What clients read; there is nobody to tell what is wrong.
    static func reply(_ body: [UInt8]) {
        for type in ["issued", "renewed", "cancelled", "explained", "batch", "error"] {
            _ = try? Reply(type: "token." + type, body: body)
        }
        _ = try? Notice(body)
    }

    /// The items of a body that are right; the errors of the others are checked.
    private static func items<Item: MessageItem>(_ type: Item.Type, _ body: [UInt8]) throws(MessageError) -> [Item] {
        switch try MessageBody<Item>(body) {
        case .single(let item): return [item]
        case .list(let results):
            var items: [Item] = []
            for result in results {
                switch result {
                case .success(let item): items.append(item)
                case .failure(let error): ErrorCheck(error, input: body).run()
                }
            }
            return items
        }
    }

    private static func same<Item: MessageItem & Equatable>(_ items: [Item], _ body: [UInt8]) -> Bool {
        guard case .list(let results) = try? MessageBody<Item>(body), results.count == items.count else { return false }
        return zip(items, results).allSatisfy { item, result in (try? result.get()) == item }
    }
}
