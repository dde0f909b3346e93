import Glibc
import Schema
import ServiceKit

/// The failures of file storage.
enum FileFailure: Error, Equatable {
    /// The disk has no room for the file.
    case full
    /// The stored bytes end at this offset, not at the expected one.
    case otherOffset(Int64)
    case missing
    /// The storage cannot be reached or fails. The text is for the log.
    case unreachable(String)
    /// Any other failure. The text is for the log.
    case broken(String)
}

/// Incomplete uploads: files in one folder, appended to piece by piece. The functions block, so they are called on
/// threads of a pool.
///
/// The service makes the names: 32 hexadecimal digits.
struct FileSpool: Sendable {
    let folder: String
    /// What must stay free on its disk.
    let free: BytesOrShare

    /// Creates the folder.
    func prepare() throws(FileFailure) { try FileFolder.makeFolder(folder) }

    func path(_ object: String) -> String { "\(folder)/\(object).part" }

    /// The path of a sealed upload.
    func whole(_ object: String) -> String { "\(folder)/\(object).whole" }

    /// Whether the upload is sealed.
    func isSealed(_ object: String) -> Bool { Self.size(at: whole(object)) != nil }

    /// The number of bytes stored; nil if there is no file.
    func size(_ object: String) -> Int64? { Self.size(at: whole(object)) ?? Self.size(at: path(object)) }

    private static func size(at path: String) -> Int64? {
        var found = stat()
        return stat(path, &found) == 0 ? Int64(found.st_size) : nil
    }

    /// Appends a piece.
    /// - Parameters:
    ///   - offset: the number of bytes stored already.
    ///   - anew: whether to discard the stored bytes first.
    /// - Returns: the number of bytes stored now.
    /// - Throws: ``FileFailure/full``, after which nothing of the file is left; ``FileFailure/otherOffset(_:)``.
    func append(_ bytes: ArraySlice<UInt8>, to object: String, at offset: Int64, anew: Bool) throws(FileFailure)
        -> Int64
    {
        let path = path(object)
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw Self.failure("open", path) }
        defer { close(file) }
        try lock(file, of: object)
        if anew, ftruncate(file, 0) != 0 { throw Self.failure("truncate", path) }
        var found = stat()
        guard fstat(file, &found) == 0 else { throw Self.failure("inspect", path) }
        guard found.st_size == offset else { throw .otherOffset(Int64(found.st_size)) }
        do {
            try requireRoom(file)
            try Self.write(bytes, to: file, at: offset, path)
        } catch {
            if error == .full { unlink(path) } else { ftruncate(file, off_t(offset)) }
            throw error
        }
        return offset + Int64(bytes.count)
    }

    /// Seals an upload so that it no longer changes: the bytes checked are the bytes stored. Safe to repeat.
    func seal(_ object: String, size: Int64) throws(FileFailure) {
        guard Self.size(at: whole(object)) == nil else { return }
        let path = path(object)
        let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw Self.failure("open", path) }
        defer { close(file) }
        try lock(file, of: object)
        var found = stat()
        guard fstat(file, &found) == 0 else { throw Self.failure("inspect", path) }
        guard found.st_size == size else { throw .otherOffset(Int64(found.st_size)) }
        guard rename(path, whole(object)) == 0 else { throw Self.failure("seal", path) }
    }

    /// Locks the file, because two connections may upload it. The wait is short, as pieces are. Throws if the upload
    /// was sealed or removed meanwhile.
    private func lock(_ file: CInt, of object: String) throws(FileFailure) {
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Self.failure("lock", path(object)) }
        }
        if let size = Self.size(at: whole(object)) {
            // Remove the empty file that was created just now.
            var found = stat()
            if fstat(file, &found) == 0, found.st_size == 0 { unlink(path(object)) }
            throw .otherOffset(size)
        }
        var (locked, named) = (stat(), stat())
        guard fstat(file, &locked) == 0, stat(path(object), &named) == 0, locked.st_ino == named.st_ino else {
            throw .otherOffset(0)
        }
    }

    private func requireRoom(_ file: CInt) throws(FileFailure) {
        var disk = statvfs()
        guard fstatvfs(file, &disk) == 0 else { return }
        let size = disk.f_blocks.multipliedReportingOverflow(by: disk.f_frsize).partialValue
        let left = disk.f_bavail.multipliedReportingOverflow(by: disk.f_frsize).partialValue
        if left < UInt(clamping: free.bytes(of: Int64(clamping: size))) { throw .full }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to file: CInt, at offset: Int64, _ path: String)
        throws(FileFailure)
    {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                pwrite(file, all.baseAddress.map { $0 + done }, all.count - done, off_t(offset) + off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write", path) }
            done += count
        }
    }

    /// Reads bytes of a sealed upload.
    func read(_ object: String, at offset: Int64, _ count: Int) throws(FileFailure) -> [UInt8] {
        try FileFolder.read(whole(object), at: offset, count)
    }

    /// Returns the size of a sealed upload, and the SHA-256 of its bytes in hexadecimal digits.
    func digest(_ object: String) throws(FileFailure) -> (size: Int64, hash: String) {
        let path = whole(object)
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw Self.failure("open", path) }
        defer { close(file) }
        var read: Int64 = 0
        let hash = Sodium.sha256 {
            let piece = [UInt8](unsafeUninitializedCapacity: 256 * 1024) { buffer, filled in
                filled = max(0, Glibc.read(file, buffer.baseAddress, buffer.count))
            }
            read += Int64(piece.count)
            return piece
        }
        guard Self.size(at: path) == read else { throw Self.failure("read", path) }
        return (read, Hex.text(hash))
    }

    func remove(_ object: String) {
        unlink(path(object))
        unlink(whole(object))
    }

    /// Removes uploads that were last written to before `time`. Their rows are gone, or another
    /// replica has continued them.
    func removeOlder(than time: Timestamp) {
        guard let listing = opendir(folder) else { return }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var found = stat()
            let path = "\(folder)/\(name)"
            let isOurs = name.hasSuffix(".part") || name.hasSuffix(".whole")
            if isOurs, lstat(path, &found) == 0, Int64(found.st_mtim.tv_sec) < time.seconds { unlink(path) }
        }
    }

    static func failure(_ doing: String, _ path: String) -> FileFailure {
        switch errno {
        case ENOSPC, EDQUOT, EFBIG: .full
        case ENOENT: .missing
        case let code: .broken("cannot \(doing) \(path): \(String(cString: strerror(code)))")
        }
    }
}
