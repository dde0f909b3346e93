import Glibc

/// What goes wrong with files.
enum FileFailure: Error, Equatable {
    /// The disk has no room for it.
    case full
    /// So much is there, and not what was said.
    case otherOffset(Int64)
    case missing
    /// Where files are kept cannot be reached; for the log.
    case away(String)
    /// Anything else, for the log.
    case broken(String)
}

/// Uploads that are not complete: one file each in a folder, appended to piece by piece. Blocks: for threads of a pool.
///
/// Names are those that the service made: 32 hexadecimal digits.
struct FileSpool: Sendable {
    let folder: String
    /// So much must stay free on its disk.
    let free: Int64

    /// Makes the folder.
    func prepare() throws(FileFailure) { try FolderStorage.makeFolder(folder) }

    func path(_ object: String) -> String { "\(folder)/\(object).part" }

    /// Where it is once it is sealed.
    func whole(_ object: String) -> String { "\(folder)/\(object).whole" }

    /// How much of it is there; nil: nothing.
    func size(_ object: String) -> Int64? { Self.size(at: whole(object)) ?? Self.size(at: path(object)) }

    private static func size(at path: String) -> Int64? {
        var found = stat()
        return stat(path, &found) == 0 ? Int64(found.st_size) : nil
    }

    /// Appends a piece.
    /// - Parameters:
    ///   - offset: how much is there already.
    ///   - anew: what is there is forgotten first.
    /// - Returns: how much is there now.
    /// - Throws: ``FileFailure/full`` with nothing left of the file; ``FileFailure/otherOffset(_:)``.
    func append(_ bytes: [UInt8], to object: String, at offset: Int64, anew: Bool) throws(FileFailure) -> Int64 {
        let path = path(object)
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw Self.failure("open", path) }
        defer { close(file) }
        try lock(file, of: object)
        if anew, ftruncate(file, 0) != 0 { throw Self.failure("empty", path) }
        var found = stat()
        guard fstat(file, &found) == 0 else { throw Self.failure("look at", path) }
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

    /// From now on nobody changes it: what is checked is what is kept. Done again it changes nothing.
    func seal(_ object: String, size: Int64) throws(FileFailure) {
        guard Self.size(at: whole(object)) == nil else { return }
        let path = path(object)
        let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw Self.failure("open", path) }
        defer { close(file) }
        try lock(file, of: object)
        var found = stat()
        guard fstat(file, &found) == 0 else { throw Self.failure("look at", path) }
        guard found.st_size == size else { throw .otherOffset(Int64(found.st_size)) }
        guard rename(path, whole(object)) == 0 else { throw Self.failure("seal", path) }
    }

    /// Two connections may upload the same file; a piece is short. Who comes after it was sealed changes nothing.
    private func lock(_ file: CInt, of object: String) throws(FileFailure) {
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Self.failure("lock", path(object)) }
        }
        if let size = Self.size(at: whole(object)) {
            // An empty one that was made just now.
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
        if disk.f_bavail.multipliedReportingOverflow(by: disk.f_frsize).partialValue < UInt(clamping: free) {
            throw .full
        }
    }

    private static func write(_ bytes: [UInt8], to file: CInt, at offset: Int64, _ path: String) throws(FileFailure) {
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

    /// Bytes of a sealed one.
    func read(_ object: String, at offset: Int64, _ count: Int) throws(FileFailure) -> [UInt8] {
        try FolderStorage.read(whole(object), at: offset, count)
    }

    func remove(_ object: String) {
        unlink(path(object))
        unlink(whole(object))
    }

    /// Removes what has not been written to since a time, in seconds: its rows are gone, or it is another replica's.
    func removeOlder(than time: Int64) {
        guard let listing = opendir(folder) else { return }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var found = stat()
            let path = "\(folder)/\(name)"
            let isOurs = name.hasSuffix(".part") || name.hasSuffix(".whole")
            if isOurs, lstat(path, &found) == 0, Int64(found.st_mtim.tv_sec) < time { unlink(path) }
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
