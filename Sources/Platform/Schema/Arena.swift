import CProtobuf
import Glibc

/// The memory of one decode or encode, allocated in order and freed all together.
///
/// The size of each piece is stored in front of it, so that the reader knows the length of a string that contains a
/// NUL, where it ends for protobuf-c.
struct Arena {
    /// Size on the stack; `withUnsafeTemporaryAllocation` takes anything larger from the heap.
    private static let firstBytes = 1024
    private static let chunkBytes = 16 * 1024
    private static let header = MemoryLayout<Int>.size

    private var next: UnsafeMutableRawPointer
    private var left: Int
    private var allowed: Int
    /// The newest chunk from malloc. Its first word points to the previous chunk.
    private var newest: UnsafeMutableRawPointer?
    /// Whether an allocation was refused because it exceeded the bound or malloc failed.
    private(set) var refused = false

    private init(first: UnsafeMutableRawBufferPointer, allowed: Int) {
        next = first.baseAddress!  // never nil: `firstBytes` is not zero
        left = first.count
        self.allowed = allowed
    }

    /// Returns the memory that decoding `count` bytes may take, which is 1 MiB or eight times `count` if that is more.
    /// Only frames made to expand (empty submessages, unknown fields) reach it, since limits bound everything else.
    static func bound(for count: Int) -> Int {
        max(1 << 20, count.multipliedReportingOverflow(by: 8).partialValue)
    }

    /// Runs `body` with an arena that is freed when `body` returns.
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

    /// Allocates `count` bytes aligned to 8, or returns nil beyond the bound.
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

    /// Returns the requested size of the piece at `pointer`, which must come from an arena.
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

    /// Returns protobuf-c's view of the arena at `arena`, valid as long as the arena is.
    static func allocator(_ arena: UnsafeMutablePointer<Arena>) -> ProtobufCAllocator {
        ProtobufCAllocator(
            alloc: { arena, count in arena?.assumingMemoryBound(to: Arena.self).pointee.allocate(count) },
            free: { _, _ in },
            allocator_data: arena)
    }
}
