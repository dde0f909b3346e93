import Foundation

/// A file that this person's exports made, or that there is none of: somebody else's is neither read nor written.
enum ExportOwnFile {
    /// Makes it, readable by its owner only, or opens what is there.
    /// - Parameter header: what it begins with; one that was torn off may hold less.
    /// - Throws: ``ParleyError`` `export_failed`, which says what to do.
    static func open(_ path: String, header: String) throws -> FileHandle {
        let made = call { Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        if made >= 0 { return FileHandle(fileDescriptor: made, closeOnDealloc: true) }
        guard errno == EEXIST else { throw cannotWrite(path) }
        return try existing(path, header: header)
    }

    /// Whether ``open(_:header:)`` would take it: asked before much is done for it.
    static func check(_ path: String, header: String) throws {
        do {
            try existing(path, header: header).close()
        } catch let error as ParleyError {
            var found = stat()
            if lstat(path, &found) != 0, errno == ENOENT { return }
            throw error
        }
    }

    /// Whether a finished export can take this place: a folder cannot be replaced by a file.
    static func checkDestination(_ path: String) throws {
        var found = stat()
        if path.hasSuffix("/") || (stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFDIR) {
            throw ParleyError.export("\(path) is a folder: name a file in it")
        }
    }

    private static func existing(_ path: String, header: String) throws -> FileHandle {
        // A pipe would be waited for.
        let descriptor = call { Foundation.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else {
            switch errno {
            case ELOOP: throw refused(path, "is a link")
            case EISDIR: throw refused(path, "is a folder")
            case EACCES, EPERM: throw refused(path, "may not be opened")
            default: throw cannotWrite(path)
            }
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { throw cannotWrite(path) }
        guard found.st_mode & S_IFMT == S_IFREG else { throw refused(path, "is no plain file") }
        guard found.st_uid == geteuid() else { throw refused(path, "belongs to somebody else") }
        guard found.st_mode & 0o077 == 0 else { throw refused(path, "may be read or written by others") }
        guard found.st_nlink == 1 else { throw refused(path, "has another name, too") }
        let expected = Data(header.utf8)
        let start = try handle.read(upToCount: expected.count) ?? Data()
        guard start == expected.prefix(start.count) else {
            throw refused(path, "is no export of yours that was interrupted")
        }
        try handle.seek(toOffset: 0)
        return handle
    }

    private static func refused(_ path: String, _ why: String) -> ParleyError {
        .export("\(path) \(why): remove it, or name another file")
    }

    private static func cannotWrite(_ path: String) -> ParleyError {
        .export("cannot write \(path): \(String(cString: strerror(errno)))")
    }

    /// A signal is no failure.
    private static func call(_ body: () -> Int32) -> Int32 {
        while true {
            let result = body()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}
