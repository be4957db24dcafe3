// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CRabbitMQ

/// Memory for what one call hands to the C library: everything in it lives until the next ``reset()``.
///
/// The corresponding C functions are `amqp_pool_alloc` and `recycle_amqp_pool`.
@safe
final class Arena {
    private var pool = unsafe amqp_pool_t()

    init() {
        unsafe init_amqp_pool(&pool, 16_384)
    }

    deinit {
        unsafe empty_amqp_pool(&pool)
    }

    /// Frees everything for reuse.
    func reset() {
        unsafe recycle_amqp_pool(&pool)
    }

    /// A copy of a text's UTF-8.
    func bytes(_ text: String) -> amqp_bytes_t {
        var text = text
        return text.withUTF8 { unsafe copy(UnsafeRawBufferPointer($0)) }
    }

    /// A copy of bytes.
    func bytes(_ bytes: [UInt8]) -> amqp_bytes_t {
        unsafe bytes.withUnsafeBytes { unsafe copy($0) }
    }

    /// A table with copies of all its names and values.
    func table(_ table: HeaderTable) -> amqp_table_t {
        guard let entries = unsafe allocate(amqp_table_entry_t.self, table.entries.count) else {
            return unsafe amqp_empty_table
        }
        for (index, entry) in table.entries.enumerated() {
            unsafe entries[index] = unsafe amqp_table_entry_t(key: bytes(entry.name), value: value(entry.value))
        }
        return unsafe amqp_table_t(num_entries: Int32(table.entries.count), entries: entries)
    }

    private func value(_ value: FieldValue) -> amqp_field_value_t {
        var field = unsafe amqp_field_value_t()
        switch value {
        case .bytes(let bytes):
            unsafe field.kind = UInt8(AMQP_FIELD_KIND_UTF8.rawValue)
            unsafe field.value.bytes = unsafe self.bytes(bytes)
        case .integer(let number):
            unsafe field.kind = UInt8(AMQP_FIELD_KIND_I64.rawValue)
            unsafe field.value.i64 = number
        case .boolean(let flag):
            unsafe field.kind = UInt8(AMQP_FIELD_KIND_BOOLEAN.rawValue)
            unsafe field.value.boolean = flag ? 1 : 0
        case .double(let number):
            unsafe field.kind = UInt8(AMQP_FIELD_KIND_F64.rawValue)
            unsafe field.value.f64 = number
        case .timestamp(let seconds):
            unsafe field.kind = UInt8(AMQP_FIELD_KIND_TIMESTAMP.rawValue)
            unsafe field.value.u64 = seconds
        case .array(let values):
            unsafe field.kind = UInt8(AMQP_FIELD_KIND_ARRAY.rawValue)
            let entries = unsafe allocate(amqp_field_value_t.self, values.count)
            for (index, value) in values.enumerated() { unsafe entries?[index] = unsafe self.value(value) }
            unsafe field.value.array = unsafe amqp_array_t(num_entries: Int32(values.count), entries: entries)
        case .table(let table):
            unsafe field.kind = UInt8(AMQP_FIELD_KIND_TABLE.rawValue)
            unsafe field.value.table = unsafe self.table(table)
        case .void, .omitted:
            unsafe field.kind = UInt8(AMQP_FIELD_KIND_VOID.rawValue)
        }
        return unsafe field
    }

    private func copy(_ source: UnsafeRawBufferPointer) -> amqp_bytes_t {
        guard let target = unsafe allocate(UInt8.self, source.count), let base = source.baseAddress else {
            return unsafe amqp_empty_bytes
        }
        unsafe UnsafeMutableRawPointer(target).copyMemory(from: base, byteCount: source.count)
        return unsafe amqp_bytes_t(len: source.count, bytes: target)
    }

    private func allocate<Element>(_ type: Element.Type, _ count: Int) -> UnsafeMutablePointer<Element>? {
        guard count > 0 else { return nil }
        guard let memory = unsafe amqp_pool_alloc(&pool, count * MemoryLayout<Element>.stride) else {
            preconditionFailure("out of memory")
        }
        return unsafe memory.bindMemory(to: type, capacity: count)
    }
}
