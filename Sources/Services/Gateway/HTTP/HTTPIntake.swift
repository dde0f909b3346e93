import NIOCore

/// What has arrived on an HTTP connection and is not parsed yet, without the connection. Pure.
///
/// It waits as bytes, so that a request which waits costs what it weighs. The parser gets one head at a time, since a
/// client may send thousands of them before it reads an answer.
struct HTTPIntake {
    enum Step: Equatable {
        /// Parse this, then call ``next()`` again.
        case parse(ByteBuffer)
        /// Everything that came before the client ended its side has been parsed. Comes once.
        case end
        /// Nothing can be parsed now.
        case wait
    }

    private enum Part {
        case head
        /// A body of which so many bytes are missing.
        case body(Int)
        /// A body whose length is not known. It is the last of its connection.
        case chunks
    }

    /// The most bytes that wait. A client that ends its side sends them all at once: what the kernel held.
    static let bytesMax = 128 * 1024

    private var waiting = ByteBuffer()
    private var part = Part.head
    /// How much of a blank line the bytes before the next one are: a line's end, and the CR after it.
    private var blank: (line: Bool, cr: Bool) = (false, false)
    private var hasEnded = false
    private(set) var isDiscarding = false
    /// Whether a request is unanswered, or the service takes no more of its body yet.
    var isHeld = false
    /// Whether the client has sent too much in a short time.
    var isPaused = false

    /// Whether the connection is to be read.
    var wantsBytes: Bool { !isPaused && waiting.readableBytes == 0 }

    /// Adds what has arrived.
    /// - Returns: false if more would wait than may. Then nothing waits, and nothing more is kept.
    mutating func received(_ bytes: ByteBuffer, bytesMax: Int = Self.bytesMax) -> Bool {
        guard !isDiscarding else { return true }
        guard waiting.readableBytes + bytes.readableBytes <= bytesMax else {
            discard()
            return false
        }
        var bytes = bytes
        if waiting.readableBytes == 0 { waiting = bytes } else { waiting.writeBuffer(&bytes) }
        return true
    }

    /// The client has ended its side.
    mutating func receivedEnd() { hasEnded = true }

    /// Drops everything from now on, because no answer follows.
    mutating func discard() { (isDiscarding, waiting) = (true, ByteBuffer()) }

    /// The head that was parsed last has a body of so many bytes.
    mutating func expectBody(of length: Int) { part = length > 0 ? .body(length) : .head }

    /// The head that was parsed last has a body in chunks.
    mutating func expectChunks() { part = .chunks }

    /// Whether the next step is to parse something.
    var hasPiece: Bool { !isDiscarding && !isHeld && !isPaused && waiting.readableBytes > 0 }

    mutating func next() -> Step {
        if isDiscarding || !isHeld && !isPaused && waiting.readableBytes == 0 {
            guard hasEnded else { return .wait }
            hasEnded = false
            return .end
        }
        return isHeld || isPaused ? .wait : .parse(piece())
    }

    private mutating func piece() -> ByteBuffer {
        let count: Int
        switch part {
        case .head: count = lengthOfHead()
        case .chunks: count = waiting.readableBytes
        case .body(let left):
            count = min(left, waiting.readableBytes)
            expectBody(of: left - count)
        }
        defer { if waiting.readableBytes == 0 { waiting = ByteBuffer() } }
        return waiting.readSlice(length: count) ?? ByteBuffer()
    }

    /// Returns how many bytes there are up to the end of the next blank line, or all.
    private mutating func lengthOfHead() -> Int {
        var count = 0
        for byte in waiting.readableBytesView {
            count += 1
            switch byte {
            case UInt8(ascii: "\n") where blank.line:
                blank = (false, false)
                return count
            case UInt8(ascii: "\n"): blank = (true, false)
            case UInt8(ascii: "\r") where blank.line && !blank.cr: blank.cr = true
            default: blank = (false, false)
            }
        }
        return count
    }

    /// Ends the intake and returns what was not parsed, such as the first frame of a session.
    mutating func rest() -> ByteBuffer {
        defer { discard() }
        return waiting
    }
}
