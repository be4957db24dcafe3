// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CRabbitMQ
import Glibc

/// Copies what the C library decoded into Swift values, within limits of its own.
@safe
struct PropertyReader {
    /// Values nested deeper than this are left out.
    static let maximumDepth = 8
    /// Values after this many in one message are left out.
    static let maximumValues = 256

    private var exchange = RepeatedText()
    private var routingKey = RepeatedText()
    private var contentType = RepeatedText()
    private var type = RepeatedText()
    private var appID = RepeatedText()
    private var replyTo = RepeatedText()
    private var userID = RepeatedText()

    /// The fields of `basic.deliver`.
    mutating func deliver(_ method: UnsafePointer<amqp_basic_deliver_t>) -> DeliverMethod {
        unsafe DeliverMethod(
            number: method.pointee.delivery_tag, isRedelivered: method.pointee.redelivered != 0,
            exchange: exchange.read(method.pointee.exchange) ?? "",
            routingKey: routingKey.read(method.pointee.routing_key) ?? "")
    }

    /// The fields of `basic.return`.
    func returned(_ method: UnsafePointer<amqp_basic_return_t>) -> ReturnMethod {
        unsafe ReturnMethod(
            code: method.pointee.reply_code, text: readableText(method.pointee.reply_text),
            exchange: readableText(method.pointee.exchange), routingKey: readableText(method.pointee.routing_key))
    }

    /// A content header's properties.
    mutating func properties(_ pointer: UnsafePointer<amqp_basic_properties_t>) -> MessageProperties {
        var properties = MessageProperties.Fields()
        let flags = unsafe Int32(bitPattern: pointer.pointee._flags)
        func has(_ flag: Int32) -> Bool { flags & flag != 0 }

        if has(AMQP_BASIC_CONTENT_TYPE_FLAG) {
            properties.contentType = unsafe contentType.read(pointer.pointee.content_type)
            if properties.contentType == nil { properties.undecodable.append("content_type") }
        }
        if has(AMQP_BASIC_TYPE_FLAG) {
            properties.type = unsafe type.read(pointer.pointee.type)
            if properties.type == nil { properties.undecodable.append("type") }
        }
        if has(AMQP_BASIC_APP_ID_FLAG) {
            properties.appID = unsafe appID.read(pointer.pointee.app_id)
            if properties.appID == nil { properties.undecodable.append("app_id") }
        }
        if has(AMQP_BASIC_REPLY_TO_FLAG) {
            properties.replyTo = unsafe replyTo.read(pointer.pointee.reply_to)
            if properties.replyTo == nil { properties.undecodable.append("reply_to") }
        }
        func read(_ flag: Int32, _ bytes: amqp_bytes_t, _ name: String) -> String? {
            guard has(flag) else { return nil }
            if let text = unsafe text(bytes) { return text }
            properties.undecodable.append(name)
            return nil
        }
        unsafe properties.contentEncoding = read(
            AMQP_BASIC_CONTENT_ENCODING_FLAG, pointer.pointee.content_encoding, "content_encoding")
        if has(AMQP_BASIC_CORRELATION_ID_FLAG) {
            properties.correlationID = unsafe bytes(pointer.pointee.correlation_id)
        }
        if has(AMQP_BASIC_MESSAGE_ID_FLAG) {
            properties.messageIDBytes = unsafe bytes(pointer.pointee.message_id)
            if properties.messageID == nil { properties.undecodable.append("message_id") }
        }
        if has(AMQP_BASIC_USER_ID_FLAG) {
            properties.userID = unsafe userID.read(pointer.pointee.user_id)
            if properties.userID == nil { properties.undecodable.append("user_id") }
        }
        if has(AMQP_BASIC_TIMESTAMP_FLAG) { properties.timestamp = unsafe pointer.pointee.timestamp }
        if let text = unsafe read(AMQP_BASIC_EXPIRATION_FLAG, pointer.pointee.expiration, "expiration") {
            properties.expiration = UInt32(text)
            if properties.expiration == nil { properties.undecodable.append("expiration") }
        }
        if has(AMQP_BASIC_PRIORITY_FLAG) { properties.priority = unsafe pointer.pointee.priority }
        properties.isPersistent = unsafe has(AMQP_BASIC_DELIVERY_MODE_FLAG) && pointer.pointee.delivery_mode == 2
        if has(AMQP_BASIC_HEADERS_FLAG) {
            var valuesLeft = Self.maximumValues
            properties.headers = unsafe table(pointer.pointee.headers, depth: 1, &valuesLeft)
        }
        return MessageProperties(properties)
    }

    /// A table at any depth; what exceeds the limits is left out.
    private func table(_ table: amqp_table_t, depth: Int, _ valuesLeft: inout Int) -> HeaderTable {
        var result = HeaderTable()
        for index in unsafe 0..<Int(max(table.num_entries, 0)) {
            guard valuesLeft > 0 else { break }
            valuesLeft -= 1
            let entry = unsafe table.entries[index]
            unsafe result.entries.append(
                HeaderTable.Entry(
                    name: readableText(entry.key), value: value(entry.value, depth: depth, &valuesLeft)))
        }
        return result
    }

    private func value(_ field: amqp_field_value_t, depth: Int, _ valuesLeft: inout Int) -> FieldValue {
        let value = unsafe field.value
        switch unsafe amqp_field_value_kind_t(UInt32(field.kind)) {
        case AMQP_FIELD_KIND_BOOLEAN: return unsafe .boolean(value.boolean != 0)
        case AMQP_FIELD_KIND_I8: return unsafe .integer(Int64(value.i8))
        case AMQP_FIELD_KIND_U8: return unsafe .integer(Int64(value.u8))
        case AMQP_FIELD_KIND_I16: return unsafe .integer(Int64(value.i16))
        case AMQP_FIELD_KIND_U16: return unsafe .integer(Int64(value.u16))
        case AMQP_FIELD_KIND_I32: return unsafe .integer(Int64(value.i32))
        case AMQP_FIELD_KIND_U32: return unsafe .integer(Int64(value.u32))
        case AMQP_FIELD_KIND_I64: return unsafe .integer(value.i64)
        case AMQP_FIELD_KIND_U64: return unsafe Int64(exactly: value.u64).map { .integer($0) } ?? .omitted
        case AMQP_FIELD_KIND_F32: return unsafe .double(Double(value.f32))
        case AMQP_FIELD_KIND_F64: return unsafe .double(value.f64)
        case AMQP_FIELD_KIND_TIMESTAMP: return unsafe .timestamp(value.u64)
        case AMQP_FIELD_KIND_UTF8, AMQP_FIELD_KIND_BYTES: return unsafe .bytes(bytes(value.bytes))
        case AMQP_FIELD_KIND_VOID: return .void
        case AMQP_FIELD_KIND_TABLE where depth < Self.maximumDepth:
            return unsafe .table(table(value.table, depth: depth + 1, &valuesLeft))
        case AMQP_FIELD_KIND_ARRAY where depth < Self.maximumDepth:
            var values: [FieldValue] = []
            for index in unsafe 0..<Int(max(value.array.num_entries, 0)) {
                guard valuesLeft > 0 else { break }
                valuesLeft -= 1
                unsafe values.append(self.value(value.array.entries[index], depth: depth + 1, &valuesLeft))
            }
            return .array(values)
        default:
            return .omitted
        }
    }
}

/// A copy of bytes that the C library owns.
func bytes(_ source: amqp_bytes_t) -> [UInt8] {
    unsafe [UInt8](UnsafeRawBufferPointer(start: source.bytes, count: source.len))
}

/// A text that the C library owns; nil when it is not valid UTF-8.
func text(_ source: amqp_bytes_t) -> String? {
    unsafe String(validating: UnsafeRawBufferPointer(start: source.bytes, count: source.len), as: UTF8.self)
}

/// A text for people that the C library owns; what is not valid UTF-8 is replaced.
func readableText(_ source: amqp_bytes_t) -> String {
    unsafe String(decoding: UnsafeRawBufferPointer(start: source.bytes, count: source.len), as: UTF8.self)
}

/// A text that is mostly the same as last time, which then costs no allocation.
private struct RepeatedText {
    private var last = ""

    mutating func read(_ source: amqp_bytes_t) -> String? {
        let isSame = unsafe last.utf8.withContiguousStorageIfAvailable { bytes in
            guard unsafe bytes.count == source.len else { return false }
            guard let one = bytes.baseAddress, let other = unsafe source.bytes else { return bytes.isEmpty }
            return unsafe memcmp(one, other, source.len) == 0
        }
        if isSame == true { return last }
        guard let text = unsafe text(source) else { return nil }
        last = text
        return text
    }
}
