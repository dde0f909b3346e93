import CProtobuf
import CSchema
import Glibc

// Copies what protobuf-c decoded into Swift values and checks it against the limits of the contract. `field` is the
// field's name in the contract.

func readString(
    _ pointer: UnsafeMutablePointer<CChar>?, max: Int = .max, exactly: Int? = nil, _ field: StaticString
) throws(DecodeFailure) -> String {
    guard let pointer, !isDefault(pointer) else { return "" }
    // protobuf-c allocates the string's length on the wire and one byte for the NUL that it appends.
    let count = Arena.size(of: pointer) - 1
    guard count > 0 else { return "" }
    guard count <= max, exactly == nil || exactly == count else {
        throw DecodeFailure(reason: .outOfLimit, field: "\(field)")
    }
    guard memchr(pointer, 0, count) == nil else { throw DecodeFailure(reason: .containsNUL, field: "\(field)") }
    let bytes = UnsafeBufferPointer(
        start: UnsafeRawPointer(pointer).assumingMemoryBound(to: UInt8.self), count: count)
    guard let string = String(validating: bytes, as: UTF8.self) else {
        throw DecodeFailure(reason: .notUTF8, field: "\(field)")
    }
    return string
}

/// Whether this is protobuf-c's default for an absent string, which does not come from an arena.
@inline(__always)
private func isDefault(_ pointer: UnsafeMutablePointer<CChar>) -> Bool {
    pointer.pointee == 0 && UInt(bitPattern: pointer) == emptyString
}

func readBytes(
    _ bytes: ProtobufCBinaryData, max: Int = .max, exactly: Int? = nil, _ field: StaticString
) throws(DecodeFailure) -> [UInt8] {
    guard bytes.len > 0, let data = bytes.data else { return [] }
    guard bytes.len <= max, exactly == nil || exactly == bytes.len else {
        throw DecodeFailure(reason: .outOfLimit, field: "\(field)")
    }
    return [UInt8](UnsafeBufferPointer(start: data, count: bytes.len))
}

func readMessage<Message: OverC>(
    _ c: UnsafeMutablePointer<Message.C>?, _ field: StaticString
) throws(DecodeFailure) -> Message? {
    guard let c else { return nil }
    do {
        return try Message(reading: c)
    } catch {
        throw error.inside(field)
    }
}

func readNumbers<Number>(
    _ base: UnsafeMutablePointer<Number>?, _ count: Int, maxItems: Int, _ field: StaticString
) throws(DecodeFailure) -> [Number] {
    guard count <= maxItems else { throw DecodeFailure(reason: .outOfLimit, field: "\(field)") }
    return [Number](UnsafeBufferPointer(start: base, count: count))
}

func readStrings(
    _ base: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ count: Int, maxItems: Int, maxBytes: Int,
    _ field: StaticString
) throws(DecodeFailure) -> [String] {
    try readItems(base, count, maxItems: maxItems, field) { (item) throws(DecodeFailure) in
        try readString(item, max: maxBytes, field)
    }
}

func readByteStrings(
    _ base: UnsafeMutablePointer<ProtobufCBinaryData>?, _ count: Int, maxItems: Int, maxBytes: Int,
    _ field: StaticString
) throws(DecodeFailure) -> [[UInt8]] {
    try readItems(base, count, maxItems: maxItems, field) { (item) throws(DecodeFailure) in
        try readBytes(item, max: maxBytes, field)
    }
}

func readMessages<Message: OverC>(
    _ base: UnsafeMutablePointer<UnsafeMutablePointer<Message.C>?>?, _ count: Int, maxItems: Int,
    _ field: StaticString
) throws(DecodeFailure) -> [Message] {
    try readItems(base, count, maxItems: maxItems, field) { (item) throws(DecodeFailure) in
        try readMessage(item, field) ?? Message()
    }
}

@inline(__always)
private func readItems<Item, Value>(
    _ base: UnsafeMutablePointer<Item>?, _ count: Int, maxItems: Int, _ field: StaticString,
    _ read: (Item) throws(DecodeFailure) -> Value
) throws(DecodeFailure) -> [Value] {
    guard count <= maxItems else { throw DecodeFailure(reason: .outOfLimit, field: "\(field)") }
    guard let base else { return [] }
    var values: [Value] = []
    values.reserveCapacity(count)
    for index in 0..<count {
        values.append(try read(base[index]))
    }
    return values
}

/// The address of `protobuf_c_empty_string`, whose declaration Swift does not import.
private let emptyString: UInt = {
    var problem = Parley__V1__Problem()
    parley__v1__problem__init(&problem)
    return UInt(bitPattern: problem.code)
}()
