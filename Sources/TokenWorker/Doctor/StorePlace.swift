// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import CLinux
internal import Glibc

/// Where an SQLite file lies, as far as the system tells.
struct StorePlace: Sendable {
    let path: String
    let isThere: Bool
    private let isWritable: Bool
    private let hasFolder: Bool
    private let filesystem: UInt32
    private let freeBytes: UInt64?
    private let lock: StoreLock.Attempt?

    /// Looks at the file, or at the folder that it is to be made in.
    ///
    /// The corresponding C functions are `access`, `statfs` and `statvfs`.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - makesFolder: whether the worker makes its folder, as it does at the standard place.
    init(path: String, makesFolder: Bool) {
        self.path = path
        isThere = unsafe access(path, F_OK) == 0
        let (folder, isParent) = Self.nearestFolder(path)
        hasFolder = isParent || makesFolder
        let place = isThere ? path : folder
        isWritable = unsafe access(place, W_OK) == 0
        filesystem = unsafe clinux_filesystem(place)
        var space = statvfs()
        freeBytes =
            unsafe statvfs(place, &space) == 0
            ? Self.bytes(blocks: UInt64(space.f_bavail), of: UInt64(space.f_frsize)) : nil
        lock = isThere && isWritable ? StoreLock.attempt(path, isToStay: false) : nil
    }

    /// Whether it is of no use to open it.
    var isUnusable: Bool { !isWritable || !hasFolder }

    var diagnoses: [Diagnosis] {
        guard isThere || hasFolder else {
            return [
                Diagnosis(
                    .fail, .store, "the folder of \(path) is not there", advice: "make it, for the worker's user alone")
            ]
        }
        guard isWritable else {
            let what = isThere ? "may not be written" : "is not there, and may not be made"
            return [
                Diagnosis(
                    .fail, .store, "\(path) \(what) by this user",
                    advice: "make its folder the worker's own, or run this as the worker's user")
            ]
        }
        var found: [Diagnosis] = []
        if !isThere { found.append(Diagnosis(.ok, .store, "\(path) is not there yet: the worker makes it")) }
        if let name = Self.remote(filesystem) {
            found.append(
                Diagnosis(
                    .fail, .store, "\(path) lies on \(name), where SQLite's locks and flushes do not hold",
                    advice: "put it on a local disk, or use PostgreSQL"))
        }
        if let freeBytes, freeBytes < 256 << 20 {
            found.append(
                Diagnosis(
                    .warn, .store, "\(freeBytes >> 20) MiB are left where \(path) lies",
                    advice: "make room: a million leases take 450 MB"))
        }
        if case .held(let holder) = lock {
            let name = holder.isEmpty ? "" : ", \(holder)"
            found.append(Diagnosis(.ok, .store, "a worker has the file\(name); a second one would be refused"))
        }
        return found
    }

    /// What is to be said of the time that a transaction takes, in milliseconds.
    static func latency(_ milliseconds: Double, _ location: StoreLocation) -> Diagnosis {
        let tenths = Int(milliseconds * 10)
        let time = "\(tenths / 10).\(tenths % 10) ms"
        guard milliseconds > 50 else {
            return Diagnosis(.ok, .store, "\(location) is writable, a transaction takes \(time)")
        }
        return Diagnosis(
            .warn, .store, "a transaction in \(location) takes \(time)",
            advice: "every request waits for one: look at the disk, the network and the database's load")
    }

    /// The name of a file system of other machines.
    static func remote(_ type: UInt32) -> String? {
        switch type {
        case 0x6969: "NFS"
        case 0xFF53_4D42, 0xFE53_4D42, 0x517B: "SMB"
        case 0x0102_1997: "9P"
        case 0x00C3_6400: "Ceph"
        case 0x0BD0_0BD0: "Lustre"
        default: nil
        }
    }

    /// The size of blocks; file systems without an end of their own say absurd numbers of them.
    static func bytes(blocks: UInt64, of size: UInt64) -> UInt64 {
        let (bytes, isAbsurd) = blocks.multipliedReportingOverflow(by: size)
        return isAbsurd ? .max : bytes
    }

    /// The folder of a file, or the nearest one above it that is there.
    private static func nearestFolder(_ path: String) -> (folder: String, isParent: Bool) {
        var parts = path.split(separator: "/").dropLast()
        let root = path.hasPrefix("/") ? "/" : "./"
        let parent = parts.count
        while !parts.isEmpty {
            let folder = root + parts.joined(separator: "/")
            if unsafe access(folder, F_OK) == 0 { return (folder, parts.count == parent) }
            parts.removeLast()
        }
        return (root, parent == 0)
    }
}
