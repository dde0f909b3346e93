import Foundation
import NIOConcurrencyHelpers
import NIOCore

/// A source of bytes to upload.
protocol UploadSource: Sendable {
    var size: Int64 { get }
    /// The offset up to which it has been read.
    var reached: Int64 { get }
    func seek(to offset: Int64)
    /// Returns the next bytes, at most `count`; empty at the end.
    func next(_ count: Int) throws -> ByteBuffer
}

extension ParleyError {
    static func file(_ why: String) -> ParleyError { ParleyError(.fileFailed, why) }
}

/// Bytes in memory to upload.
final class LocalBytes: UploadSource {
    private let bytes: [UInt8]
    private let offset = NIOLockedValueBox<Int64>(0)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var size: Int64 { Int64(bytes.count) }
    var reached: Int64 { offset.withLockedValue { $0 } }
    func seek(to offset: Int64) { self.offset.withLockedValue { $0 = offset } }

    func next(_ count: Int) -> ByteBuffer {
        offset.withLockedValue { offset in
            let piece = bytes.dropFirst(Int(offset)).prefix(count)
            offset += Int64(piece.count)
            return ByteBuffer(bytes: piece)
        }
    }
}

/// A regular file to upload, read while it is sent.
final class LocalFile: UploadSource {
    let size: Int64
    private let handle: NIOLockedValueBox<FileHandle>
    private let offset = NIOLockedValueBox<Int64>(0)
    private let path: String

    /// Opens the file.
    /// - Throws: ``ParleyError`` `file_failed`.
    init(reading path: String) throws(ParleyError) {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw .file("\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        var found = stat()
        guard fstat(handle.fileDescriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
            throw .file("\(path) is not a regular file.")
        }
        size = Int64(found.st_size)
        self.path = path
        self.handle = NIOLockedValueBox(handle)
    }

    var reached: Int64 { offset.withLockedValue { $0 } }
    func seek(to offset: Int64) { self.offset.withLockedValue { $0 = offset } }

    func next(_ count: Int) throws -> ByteBuffer {
        let (at, size) = (reached, size)
        guard at < size else { return ByteBuffer() }
        let piece = try handle.withLockedValue { handle in
            try handle.seek(toOffset: UInt64(at))
            return try handle.read(upToCount: min(count, Int(size - at))) ?? Data()
        }
        guard !piece.isEmpty else { throw ParleyError.file("\(path) became shorter during the upload.") }
        offset.withLockedValue { $0 += Int64(piece.count) }
        return ByteBuffer(bytes: piece)
    }
}

/// The incomplete file of a download. It is in the folder of the destination, and its name contains the attachment's
/// id.
final class LocalPart: Sendable {
    private let part: String
    private let path: String
    private let overwriting: Bool
    private let handle: NIOLockedValueBox<FileHandle>
    private let written: NIOLockedValueBox<Int64>

    /// Creates the file, or opens that of an interrupted download.
    /// - Throws: ``ParleyError`` `file_failed`.
    init(of path: String, media: Parley_V1_Media, overwriting: Bool) throws(ParleyError) {
        part = Self.part(of: path, attachment: media.attachment.hexDigits)
        (self.path, self.overwriting) = (path, overwriting)
        var found = stat()
        if stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFDIR {
            throw .file("\(path) is a folder. Name a file in it.")
        }
        if !overwriting, lstat(path, &found) == 0 { throw .file("\(path) already exists.") }
        let descriptor = open(part, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file("\(part) cannot be written: \(String(cString: strerror(errno)))") }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG, found.st_uid == geteuid() else {
            throw .file("\(part) is not a regular file of yours. Remove it.")
        }
        if Int64(found.st_size) > media.sizeBytes {
            ftruncate(descriptor, 0)
            found.st_size = 0
        }
        written = NIOLockedValueBox(Int64(found.st_size))
        self.handle = NIOLockedValueBox(handle)
    }

    /// The name of the incomplete file: that of the destination is in it if there is room.
    private static func part(of path: String, attachment: String) -> String {
        let url = URL(fileURLWithPath: path)
        let name = "\(url.lastPathComponent).\(attachment).part"
        guard name.utf8.count > 255 else { return "\(path).\(attachment).part" }
        return url.deletingLastPathComponent().appendingPathComponent("\(attachment).part").path
    }

    var size: Int64 { written.withLockedValue { $0 } }

    /// Empties the file: the server sends it from the beginning.
    func begin() throws {
        try handle.withLockedValue { try $0.truncate(atOffset: 0) }
        written.withLockedValue { $0 = 0 }
    }

    func append(_ bytes: ByteBuffer) throws {
        let at = UInt64(size)
        do {
            try handle.withLockedValue { handle in
                try handle.seek(toOffset: at)
                try handle.write(contentsOf: Data(bytes.readableBytesView))
            }
        } catch {
            throw ParleyError.file("\(part) cannot be written: \(error.localizedDescription)")
        }
        written.withLockedValue { $0 += Int64(bytes.readableBytes) }
    }

    /// Moves the complete file to its destination.
    func finish() throws(ParleyError) {
        let isInPlace = overwriting ? rename(part, path) == 0 : link(part, path) == 0 && unlink(part) == 0
        guard isInPlace else { throw .file("\(path) cannot be written: \(String(cString: strerror(errno)))") }
    }
}

/// MIME types by file name.
package enum FileTypes {
    private static let byExtension = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "heic": "image/heic", "avif": "image/avif", "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime",
        "webm": "video/webm", "mkv": "video/x-matroska", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "wav": "audio/wav", "flac": "audio/flac", "aac": "audio/aac",
        "pdf": "application/pdf", "zip": "application/zip", "txt": "text/plain", "csv": "text/csv",
        "json": "application/json", "md": "text/markdown",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "odt": "application/vnd.oasis.opendocument.text",
    ]

    package static func type(of name: String) -> String {
        let suffix = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return byExtension[suffix] ?? "application/octet-stream"
    }
}
