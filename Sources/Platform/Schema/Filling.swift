import CProtobuf
import Glibc

// Copies Swift values into the arena in the form that protobuf-c packs. An encode's arena has no bound, so an
// allocation fails only if malloc does.

extension Arena {
    private mutating func take<Element>(_ type: Element.Type, _ count: Int) -> UnsafeMutablePointer<Element> {
        guard let piece = allocate(count * MemoryLayout<Element>.stride) else {
            fatalError("out of memory while encoding")  // encoding cannot continue without memory
        }
        return piece.assumingMemoryBound(to: type)
    }

    @inline(__always)
    mutating func message<Message: OverC>(_ message: Message) -> UnsafeMutablePointer<Message.C> {
        let c = take(Message.C.self, 1)
        Message.initialize(c)
        message.fill(c, &self)
        return c
    }

    mutating func string(_ string: String) -> UnsafeMutablePointer<CChar> {
        let count = string.utf8.count
        let copy = take(UInt8.self, count + 1)
        let copied: Void? = string.utf8.withContiguousStorageIfAvailable { bytes in
            if let base = bytes.baseAddress { copy.update(from: base, count: count) }
        }
        if copied == nil {
            for (index, byte) in string.utf8.enumerated() { copy[index] = byte }
        }
        copy[count] = 0
        return UnsafeMutableRawPointer(copy).assumingMemoryBound(to: CChar.self)
    }

    mutating func bytes(_ bytes: [UInt8]) -> ProtobufCBinaryData {
        guard !bytes.isEmpty else { return ProtobufCBinaryData(len: 0, data: nil) }
        let copy = take(UInt8.self, bytes.count)
        bytes.withUnsafeBufferPointer { bytes in
            if let base = bytes.baseAddress { copy.update(from: base, count: bytes.count) }
        }
        return ProtobufCBinaryData(len: bytes.count, data: copy)
    }

    mutating func numbers<Number>(_ numbers: [Number]) -> UnsafeMutablePointer<Number>? {
        guard !numbers.isEmpty else { return nil }
        let copy = take(Number.self, numbers.count)
        for (index, number) in numbers.enumerated() { copy[index] = number }
        return copy
    }

    mutating func strings(_ strings: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        guard !strings.isEmpty else { return nil }
        let items = take(UnsafeMutablePointer<CChar>?.self, strings.count)
        for (index, string) in strings.enumerated() { items[index] = self.string(string) }
        return items
    }

    mutating func byteStrings(_ byteStrings: [[UInt8]]) -> UnsafeMutablePointer<ProtobufCBinaryData>? {
        guard !byteStrings.isEmpty else { return nil }
        let items = take(ProtobufCBinaryData.self, byteStrings.count)
        for (index, bytes) in byteStrings.enumerated() { items[index] = self.bytes(bytes) }
        return items
    }

    mutating func messages<Message: OverC>(
        _ messages: [Message]
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<Message.C>?>? {
        guard !messages.isEmpty else { return nil }
        let items = take(UnsafeMutablePointer<Message.C>?.self, messages.count)
        for (index, message) in messages.enumerated() { items[index] = self.message(message) }
        return items
    }
}
