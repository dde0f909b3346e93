import CProtobuf
import Glibc

/// The memory of one decode or encode: handed out in order, given back all at once.
///
/// Every piece is preceded by its size, so that the reader can tell how long a string was before protobuf-c
/// made it end at its first NUL.
struct Arena {
    /// On the stack: more than this would be taken from the heap even by `withUnsafeTemporaryAllocation`.
    private static let firstBytes = 1024
    private static let chunkBytes = 16 * 1024
    private static let header = MemoryLayout<Int>.size

    private var next: UnsafeMutableRawPointer
    private var left: Int
    private var allowed: Int
    /// The newest chunk from malloc; its first word points to the one before.
    private var newest: UnsafeMutableRawPointer?
    /// An allocation was refused because it went past the bound.
    private(set) var refused = false

    private init(first: UnsafeMutableRawBufferPointer, allowed: Int) {
        next = first.baseAddress!  // never nil: `firstBytes` is not zero
        left = first.count
        self.allowed = allowed
    }

    /// The memory that decoding `count` bytes may take: 1 MiB, or eight times the bytes where that is more. It is
    /// only reached by frames made to swell (empty submessages, unknown fields), since limits bound all else.
    static func bound(for count: Int) -> Int {
        max(1 << 20, count.multipliedReportingOverflow(by: 8).partialValue)
    }

    /// Runs `body` with an arena that ends with it.
    @inline(__always)
    static func with<Result, Failure: Error>(
        allowed: Int, _ body: (UnsafeMutablePointer<Arena>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeTemporaryAllocation(byteCount: firstBytes, alignment: 16) { (first) throws(Failure) -> Result in
            var arena = Arena(first: first, allowed: allowed)
            defer { arena.drop() }
            return try withUnsafeMutablePointer(to: &arena) { (arena) throws(Failure) -> Result in try body(arena) }
        }
    }

    /// `count` bytes aligned to 8, or nil past the bound.
    mutating func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
        guard count >= 0, count <= allowed else {
            refused = true
            return nil
        }
        let size = (count + Self.header + 7) & ~7
        if size > left, !grow(size) {
            refused = true
            return nil
        }
        allowed -= size
        left -= size
        let piece = next + Self.header
        next.storeBytes(of: count, as: Int.self)
        next += size
        return piece
    }

    /// How many bytes were asked for with the piece at `pointer`, which must be of an arena.
    static func size(of pointer: UnsafeRawPointer) -> Int {
        (pointer - header).load(as: Int.self)
    }

    private mutating func grow(_ size: Int) -> Bool {
        let bytes = max(Self.chunkBytes, size + 16)
        guard let chunk = malloc(bytes) else { return false }
        chunk.storeBytes(of: newest, as: UnsafeMutableRawPointer?.self)
        newest = chunk
        next = chunk + 16
        left = bytes - 16
        return true
    }

    private mutating func drop() {
        while let chunk = newest {
            newest = chunk.load(as: UnsafeMutableRawPointer?.self)
            free(chunk)
        }
    }

    /// protobuf-c's view of the arena at `arena`, valid as long as it is.
    static func allocator(_ arena: UnsafeMutablePointer<Arena>) -> ProtobufCAllocator {
        ProtobufCAllocator(
            alloc: { arena, count in arena?.assumingMemoryBound(to: Arena.self).pointee.allocate(count) },
            free: { _, _ in },
            allocator_data: arena)
    }
}
