import Foundation

/// The bytes of a file or of memory, one after the other, with one piece of a file in memory at a time.
struct ByteSource {
    private static let pieceBytesMax = 1 << 18

    /// How a message names it.
    let name: String
    private let file: FileHandle?
    private var piece: [UInt8]
    private var next = 0
    /// The number of bytes before `piece`.
    private var before = 0

    /// - Throws: ``ImportError`` `file_failed` if the file cannot be opened.
    init(path: String, name: String) throws(ImportError) {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw ImportError(.fileFailed, "Cannot open \(name).", advice: "Check that you may read it.")
        }
        (self.file, self.name, piece) = (file, name, [])
    }

    init(_ bytes: [UInt8], name: String) { (file, self.name, piece) = (nil, name, bytes) }

    /// The number of bytes that were taken.
    var offset: Int { before + next }

    /// Returns the next byte without taking it; nil at the end.
    @inline(__always)
    mutating func peek() throws(ImportError) -> UInt8? {
        if next < piece.count { return piece[next] }
        return try refill() ? piece[next] : nil
    }

    @inline(__always)
    mutating func take() throws(ImportError) -> UInt8? {
        guard let byte = try peek() else { return nil }
        next += 1
        return byte
    }

    /// Skips the byte that ``peek()`` returned.
    @inline(__always)
    mutating func advance() { next += 1 }

    /// Appends the bytes before the next one that ends a run of plain text: a quotation mark, a backslash or a control
    /// character.
    mutating func takePlain(into bytes: inout [UInt8]) throws(ImportError) {
        while true {
            let start = next
            while next < piece.count, piece[next] != 0x22, piece[next] != 0x5C, piece[next] >= 0x20 { next += 1 }
            bytes.append(contentsOf: piece[start..<next])
            guard next == piece.count, try refill() else { return }
        }
    }

    private mutating func refill() throws(ImportError) -> Bool {
        guard let file else { return false }
        do {
            guard let data = try file.read(upToCount: Self.pieceBytesMax), !data.isEmpty else { return false }
            before += piece.count
            piece = [UInt8](data)
            next = 0
            return true
        } catch {
            throw ImportError(.fileFailed, "Cannot read \(name) at byte \(offset): \(error.localizedDescription)")
        }
    }
}
