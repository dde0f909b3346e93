/// What records are sorted by.
enum SortKey {
    /// An id of a conversation, with the file where two files have it for different ones.
    static func name(_ source: String, _ file: String) -> String {
        file.isEmpty ? source : "\(file)\u{0}\(source)"
    }

    static func number(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
    }

    /// Realtime Database sorts numbers before other keys, and by size.
    static func id(_ id: String) -> [UInt8] {
        if id.utf8.count <= 10, let number = UInt64(id) {
            return [0] + withUnsafeBytes(of: number.bigEndian) { Array($0) } + Array(id.utf8)
        }
        return [1] + Array(id.utf8)
    }
}
