import Foundation

/// The folder in which an export saves the bytes of files: each in a folder named after its attachment, so that equal
/// names do not meet.
enum ExportedFiles {
    /// Creates the folder unless it exists.
    /// - Throws: ``ParleyError`` `export_failed`.
    static func make(_ folder: String) throws {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw ParleyError.export("cannot make the folder \(folder) (\(String(cString: strerror(errno)))).")
        }
        var found = stat()
        guard stat(folder, &found) == 0, found.st_mode & S_IFMT == S_IFDIR else {
            throw ParleyError.export("\(folder) is not a folder. Name another one for the files.")
        }
    }

    /// Returns the path of a file in the folder. Others read only what a name without a path can say.
    static func name(of media: Parley_V1_Media) -> String {
        let last = media.name.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        let isUsable = !last.isEmpty && last != "." && last != ".." && !last.utf8.contains(0)
        // A download in progress has a longer name.
        return "\(media.attachment.hexDigits)/\(isUsable && last.utf8.count <= 200 ? last : "file")"
    }

    /// Returns whether a file is complete, and creates its folder if that does not exist.
    /// - Throws: ``ParleyError`` `export_failed` if something else is in its place.
    static func holds(_ path: String, bytes: Int64) throws -> Bool {
        try make(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        var found = stat()
        guard lstat(path, &found) == 0 else { return false }
        guard found.st_mode & S_IFMT == S_IFREG, Int64(found.st_size) == bytes else {
            throw ParleyError.export("\(path) is not the file that was sent. Remove it, or name another folder.")
        }
        return true
    }

    /// Returns a text as JSON.
    static func json(_ text: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return String(decoding: try encoder.encode(text), as: UTF8.self)
    }
}
