import Glibc

/// Encodes the parameters of a request in PostgreSQL's binary format, in a buffer that the next request reuses.
final class ParameterEncoder {
    /// The offset of each value in the buffer; -1 for NULL. They become pointers after encoding, since the buffer may
    /// move until then.
    private var offsets: [Int] = []
    private(set) var types: [UInt32] = []
    private var lengths: [CInt] = []
    private var formats: [CInt] = []
    private var pointers: [UnsafePointer<CChar>?] = []

    private var buffer = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 8)
    private var capacity = 4096
    private var used = 0

    private static let sizeMax = 512 << 20
    private static let keptMax = 4 << 20

    deinit { buffer.deallocate() }

    /// Encodes `parameters`, replacing the previous ones.
    func encode(_ parameters: [Parameter]) throws(DatabaseError) {
        offsets.removeAll(keepingCapacity: true)
        types.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        used = 0
        if capacity > Self.keptMax {
            capacity = 4096
            buffer.deallocate()
            buffer = .allocate(byteCount: capacity, alignment: 8)
        }
        guard parameters.count <= Int(UInt16.max) else { throw DatabaseError(.tooManyArguments, "too many parameters") }
        for parameter in parameters {
            let start = used
            let type = try encode(parameter)
            let isNull = type == TypeID.unknown
            offsets.append(isNull ? -1 : start)
            types.append(type)
            lengths.append(CInt(used - start))
        }
    }

    /// Calls `body` with libpq's arguments count, values, lengths and formats. The types are in ``types``.
    func withArguments<R>(
        _ body: (CInt, UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<CInt>, UnsafePointer<CInt>) -> R
    ) -> R {
        pointers.removeAll(keepingCapacity: true)
        let base = UnsafeRawPointer(buffer)
        for offset in offsets {
            pointers.append(offset < 0 ? nil : (base + offset).assumingMemoryBound(to: CChar.self))
        }
        while formats.count < offsets.count { formats.append(1) }
        return pointers.withUnsafeBufferPointer { pointers in
            lengths.withUnsafeBufferPointer { lengths in
                formats.withUnsafeBufferPointer { formats in
                    // An empty array may have no address. libpq ignores these arguments then.
                    guard let values = pointers.baseAddress, let length = lengths.baseAddress,
                        let format = formats.baseAddress
                    else {
                        var none: UnsafePointer<CChar>?
                        var zero: CInt = 0
                        return body(0, &none, &zero, &zero)
                    }
                    return body(CInt(offsets.count), values, length, format)
                }
            }
        }
    }

    private func encode(_ parameter: Parameter) throws(DatabaseError) -> UInt32 {
        switch parameter {
        case .null: return TypeID.unknown
        case .bool(let value):
            try reserve(1)
            store(value ? 1 as UInt8 : 0)
            return TypeID.bool
        case .int16(let value):
            try reserve(2)
            store(value)
            return TypeID.int16
        case .int32(let value):
            try reserve(4)
            store(value)
            return TypeID.int32
        case .int64(let value):
            try reserve(8)
            store(value)
            return TypeID.int64
        case .double(let value):
            try reserve(8)
            store(value.bitPattern)
            return TypeID.double
        case .text(let value):
            try append(value)
            return TypeID.text
        case .bytes(let value):
            try append(value)
            return TypeID.bytes
        case .uuid(let value):
            try append(uuid: value)
            return TypeID.uuid
        default: return try encodeArray(parameter)
        }
    }

    private func encodeArray(_ parameter: Parameter) throws(DatabaseError) -> UInt32 {
        switch parameter {
        case .bools(let values):
            try fixed(values, TypeID.bool) { $0 ? 1 as UInt8 : 0 }
            return TypeID.bools
        case .int16s(let values):
            try fixed(values, TypeID.int16) { $0 }
            return TypeID.int16s
        case .int32s(let values):
            try fixed(values, TypeID.int32) { $0 }
            return TypeID.int32s
        case .int64s(let values):
            try fixed(values, TypeID.int64) { $0 }
            return TypeID.int64s
        case .doubles(let values):
            try fixed(values, TypeID.double) { $0.bitPattern }
            return TypeID.doubles
        case .texts(let values):
            try elements(values, TypeID.text) { (text) throws(DatabaseError) in try append(text) }
            return TypeID.texts
        case .bytesArray(let values):
            try elements(values, TypeID.bytes) { (bytes) throws(DatabaseError) in try append(bytes) }
            return TypeID.bytesArray
        case .uuids(let values):
            try elements(values, TypeID.uuid) { (bytes) throws(DatabaseError) in try append(uuid: bytes) }
            return TypeID.uuids
        case .optionalInt32s(let values):
            try optionals(values, TypeID.int32) { (value) throws(DatabaseError) in
                try reserve(4)
                store(value)
            }
            return TypeID.int32s
        case .optionalInt64s(let values):
            try optionals(values, TypeID.int64) { (value) throws(DatabaseError) in
                try reserve(8)
                store(value)
            }
            return TypeID.int64s
        case .optionalTexts(let values):
            try optionals(values, TypeID.text) { (text) throws(DatabaseError) in try append(text) }
            return TypeID.texts
        case .optionalBytesArray(let values):
            try optionals(values, TypeID.bytes) { (bytes) throws(DatabaseError) in try append(bytes) }
            return TypeID.bytesArray
        default: preconditionFailure("not an array")
        }
    }

    // MARK: Arrays

    private func arrayHeader(count: Int, element: UInt32, hasNulls: Bool = false) throws(DatabaseError) {
        try reserve(20)
        store(count == 0 ? 0 : 1 as Int32)  // dimensions
        store(hasNulls ? 1 : 0 as Int32)
        store(element)
        guard count > 0 else { return }
        store(Int32(count))
        store(1 as Int32)  // first subscript
    }

    private func fixed<Value, Stored: FixedWidthInteger>(
        _ values: [Value], _ element: UInt32, _ stored: (Value) -> Stored
    ) throws(DatabaseError) {
        try arrayHeader(count: values.count, element: element)
        let width = MemoryLayout<Stored>.size
        try reserve(values.count * (4 + width))
        for value in values {
            store(Int32(width))
            store(stored(value))
        }
    }

    private func elements<Value>(
        _ values: [Value], _ element: UInt32, _ append: (Value) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        try arrayHeader(count: values.count, element: element)
        for value in values { try sized { () throws(DatabaseError) in try append(value) } }
    }

    private func optionals<Value>(
        _ values: [Value?], _ element: UInt32, _ append: (Value) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        try arrayHeader(count: values.count, element: element, hasNulls: true)
        for value in values {
            if let value {
                try sized { () throws(DatabaseError) in try append(value) }
            } else {
                try reserve(4)
                store(-1 as Int32)
            }
        }
    }

    /// Runs `append` and stores the length of the added bytes in front of them.
    @inline(__always)
    private func sized(_ append: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        try reserve(4)
        let start = used
        used += 4
        try append()
        (buffer + start).storeBytes(of: Int32(used - start - 4).bigEndian, as: Int32.self)
    }

    // MARK: Bytes

    private func append(_ text: String) throws(DatabaseError) {
        let count = text.utf8.count
        try reserve(count)
        let hasNUL = text.utf8.withContiguousStorageIfAvailable { copy(UnsafeRawBufferPointer($0), checked: true) }
        guard let hasNUL else {
            for byte in text.utf8 {
                guard byte != 0 else { throw Self.nul }
                store(byte)
            }
            return
        }
        if hasNUL { throw Self.nul }
    }

    private static let nul = DatabaseError(.characterNotInRepertoire, "text with a NUL character cannot be stored")

    private func append(_ bytes: [UInt8]) throws(DatabaseError) {
        try reserve(bytes.count)
        bytes.withUnsafeBytes { _ = copy($0, checked: false) }
    }

    private func append(uuid: [UInt8]) throws(DatabaseError) {
        guard uuid.count == 16 else {
            throw DatabaseError(.invalidBinaryRepresentation, "a uuid has 16 bytes, not \(uuid.count)")
        }
        try append(uuid)
    }

    /// - Returns: whether the bytes contain a NUL; always false unless `checked`.
    private func copy(_ bytes: UnsafeRawBufferPointer, checked: Bool) -> Bool {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return false }
        memcpy(buffer + used, base, bytes.count)
        used += bytes.count
        return checked && memchr(base, 0, bytes.count) != nil
    }

    @inline(__always)
    private func store<Value: FixedWidthInteger>(_ value: Value) {
        (buffer + used).storeBytes(of: value.bigEndian, as: Value.self)
        used += MemoryLayout<Value>.size
    }

    @inline(__always)
    private func reserve(_ count: Int) throws(DatabaseError) {
        if used + count > capacity { try grow(to: used + count) }
    }

    private func grow(to size: Int) throws(DatabaseError) {
        guard size <= Self.sizeMax else {
            throw DatabaseError(.programLimitExceeded, "the parameters exceed \(Self.sizeMax) bytes")
        }
        capacity = max(capacity * 2, size)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        memcpy(larger, buffer, used)
        buffer.deallocate()
        buffer = larger
    }
}
