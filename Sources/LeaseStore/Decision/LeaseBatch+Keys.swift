// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

extension LeaseBatch {
    /// The keys of the rows that operations may touch, each once.
    static func keys(of operations: some Sequence<LeaseOperation>) -> Set<Key> {
        var keys: Set<Key> = []
        for operation in operations {
            switch operation {
            case .issue(let order): keys.insert(order.key)
            case .renew(let order): if let key = order.locator.key { keys.insert(key) }
            case .cancel(let order): if let key = order.locator.key { keys.insert(key) }
            case .end(let order): keys.insert(order.key)
            }
        }
        return keys
    }

    /// The token keys by which operations may find their rows, each once.
    static func tokenKeys(of operations: some Sequence<LeaseOperation>) -> Set<Key> {
        var keys: Set<Key> = []
        for operation in operations {
            switch operation {
            case .issue, .end: break
            case .renew(let order): if let key = order.locator.tokenKey { keys.insert(key) }
            case .cancel(let order): if let key = order.locator.tokenKey { keys.insert(key) }
            }
        }
        return keys
    }
}

extension LeaseLocator {
    fileprivate var key: Key? {
        switch target {
        case .key(let key): key
        case .token(let key, _, _, _): key
        }
    }

    fileprivate var tokenKey: Key? {
        switch target {
        case .key: nil
        case .token(_, let tokenKey, _, _): tokenKey
        }
    }
}
