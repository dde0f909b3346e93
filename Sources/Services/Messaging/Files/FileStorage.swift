import Glibc
import Reactor

/// The storage of complete files. All functions are safe to repeat. They throw ``FileFailure`` and
/// `WorkPool.Overloaded`.
@ReactorActor
protocol FileStorage: Sendable {
    /// Moves a sealed file from the spool into the storage, where it survives a crash. A file already stored stays
    /// unchanged.
    func keep(_ object: String, of spool: FileSpool) async throws
    /// Returns bytes of an object, fewer only at its end.
    func read(_ object: String, at offset: Int64, _ count: Int) async throws -> [UInt8]
    /// Returns the size in bytes, or nil if the object does not exist.
    func size(_ object: String) async throws -> Int64?
    /// Removes an object. A missing object is not a failure.
    func remove(_ object: String) async throws
}

/// A folder on this machine, or one that all replicas share. Its work blocks, so it runs on threads of pools.
struct FolderStorage: FileStorage {
    let folder: FileFolder
    let pools: FilePools

    func keep(_ object: String, of spool: FileSpool) async throws {
        try await pools.slow.run { [folder] in try folder.keep(object, of: spool) }
    }

    func read(_ object: String, at offset: Int64, _ count: Int) async throws -> [UInt8] {
        try await pools.quick.run { [folder] in try folder.read(object, at: offset, count) }
    }

    func size(_ object: String) async throws -> Int64? {
        try await pools.quick.run { [folder] in try folder.size(object) }
    }

    func remove(_ object: String) async throws {
        try await pools.slow.run { [folder] in try folder.remove(object) }
    }
}

/// The threads for work on files.
struct FilePools: Sendable {
    /// For pieces. Beyond the queue, clients are asked to retry.
    let quick = WorkPool(threads: 4, queue: 1024)
    /// For work on complete uploads. It may take long, and pieces must not wait for it.
    let slow = WorkPool(threads: 2, queue: 64)
}

/// Objects as files in a folder. The functions block.
struct FileFolder: Sendable {
    let folder: String

    /// Spreads objects over 256 folders, so that none grows large.
    private func path(_ object: String) -> (folder: String, file: String) {
        let part = "\(folder)/\(object.prefix(2))"
        return (part, "\(part)/\(object)")
    }

    func keep(_ object: String, of spool: FileSpool) throws(FileFailure) {
        let path = path(object)
        try Self.makeFolder(path.folder)
        try Self.synchronize(spool.whole(object))
        guard link(spool.whole(object), path.file) == 0 || errno == EEXIST else {
            throw FileSpool.failure("store", path.file)
        }
        try Self.synchronize(path.folder)
        spool.remove(object)
    }

    func read(_ object: String, at offset: Int64, _ count: Int) throws(FileFailure) -> [UInt8] {
        try Self.read(path(object).file, at: offset, count)
    }

    func size(_ object: String) throws(FileFailure) -> Int64? {
        var found = stat()
        if stat(path(object).file, &found) == 0 { return Int64(found.st_size) }
        guard errno == ENOENT else { throw FileSpool.failure("inspect", path(object).file) }
        return nil
    }

    func remove(_ object: String) throws(FileFailure) {
        guard unlink(path(object).file) == 0 || errno == ENOENT else {
            throw FileSpool.failure("remove", path(object).file)
        }
    }

    static func makeFolder(_ path: String) throws(FileFailure) {
        guard mkdir(path, 0o700) != 0 else { return }
        switch errno {
        case EEXIST: return
        case ENOENT:
            guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
                throw FileSpool.failure("create", path)
            }
            try makeFolder(String(path[..<slash]))
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileSpool.failure("create", path) }
        default: throw FileSpool.failure("create", path)
        }
    }

    static func read(_ path: String, at offset: Int64, _ count: Int) throws(FileFailure) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw FileSpool.failure("open", path) }
        defer { close(file) }
        var done = 0
        var problem: FileFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while done < count {
                let got = pread(
                    file, buffer.baseAddress.map { $0 + done }, count - done, off_t(offset) + off_t(done))
                if got < 0, errno == EINTR { continue }
                if got < 0 { problem = FileSpool.failure("read", path) }
                if got <= 0 { break }
                done += got
            }
            filled = done
        }
        if let problem { throw problem }
        return bytes
    }

    private static func synchronize(_ path: String) throws(FileFailure) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileSpool.failure("open", path) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw FileSpool.failure("flush", path) }
    }
}
