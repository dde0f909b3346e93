import CProtobuf

/// The generated part of each message, with which it is decoded and encoded through protoc-c's struct `C`.
protocol OverC: WireMessage {
    associatedtype C

    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<C>?
    static func initialize(_ c: UnsafeMutablePointer<C>)
    init(reading c: UnsafeMutablePointer<C>) throws(DecodeFailure)
    func fill(_ c: UnsafeMutablePointer<C>, _ arena: inout Arena)
}

extension OverC {
    static func decodeOverC(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return Self() }
        return try Arena.with(allowed: Arena.bound(for: bytes.count)) { (arena) throws(DecodeFailure) -> Self in
            var allocator = Arena.allocator(arena)
            guard let c = unpack(&allocator, bytes.count, base.assumingMemoryBound(to: UInt8.self)) else {
                throw DecodeFailure(reason: arena.pointee.refused ? .tooLarge : .malformed)
            }
            return try Self(reading: c)
        }
    }

    func encodeOverC() -> [UInt8] {
        Arena.with(allowed: .max - Int(UInt16.max)) { arena in
            let c = UnsafeMutableRawPointer(arena.pointee.message(self)).assumingMemoryBound(to: ProtobufCMessage.self)
            let size = protobuf_c_message_get_packed_size(c)
            return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                guard let base = buffer.baseAddress else { return }
                count = protobuf_c_message_pack(c, base)
            }
        }
    }
}
