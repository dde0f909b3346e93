import Foundation

/// Opens files for this person's exports. It creates them or reuses those of earlier exports; it neither reads nor
/// writes any other file.
enum ExportOwnFile {
    /// Creates a file that only its owner can read, or opens the existing one.
    /// - Parameter header: the beginning of an export file; an interrupted one may hold only a part of it.
    /// - Throws: ``ParleyError`` `export_failed`, whose message says what to do.
    static func open(_ path: String, header: String) throws -> FileHandle {
        let made = call { Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        if made >= 0 { return FileHandle(fileDescriptor: made, closeOnDealloc: true) }
        guard errno == EEXIST else { throw cannotWrite(path) }
        return try existing(path, header: header)
    }

    /// Checks that ``open(_:header:)`` would accept the file, before any work is done.
    static func check(_ path: String, header: String) throws {
        do {
            try existing(path, header: header).close()
        } catch let error as ParleyError {
            var found = stat()
            if lstat(path, &found) != 0, errno == ENOENT { return }
            throw error
        }
    }

    /// Checks that a finished export can replace what exists at a path: a folder cannot be replaced.
    static func checkDestination(_ path: String) throws {
        var found = stat()
        if path.hasSuffix("/") || (stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFDIR) {
            throw ParleyError.export("\(path) is a folder. Name a file in it.")
        }
    }

    private static func existing(_ path: String, header: String) throws -> FileHandle {
        // Opening a pipe would block without O_NONBLOCK.
        let descriptor = call { Foundation.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else {
            switch errno {
            case ELOOP: throw refused(path, "is a link")
            case EISDIR: throw refused(path, "is a folder")
            case EACCES, EPERM: throw refused(path, "cannot be opened")
            default: throw cannotWrite(path)
            }
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { throw cannotWrite(path) }
        guard found.st_mode & S_IFMT == S_IFREG else { throw refused(path, "is not a regular file") }
        guard found.st_uid == geteuid() else { throw refused(path, "belongs to another user") }
        guard found.st_mode & 0o077 == 0 else { throw refused(path, "can be read or written by others") }
        guard found.st_nlink == 1 else { throw refused(path, "has more than one hard link") }
        let expected = Data(header.utf8)
        let start = try handle.read(upToCount: expected.count) ?? Data()
        guard start == expected.prefix(start.count) else {
            throw refused(path, "is not an interrupted export of yours")
        }
        try handle.seek(toOffset: 0)
        return handle
    }

    private static func refused(_ path: String, _ why: String) -> ParleyError {
        .export("\(path) \(why). Remove it, or name another file.")
    }

    private static func cannotWrite(_ path: String) -> ParleyError {
        .export("cannot write \(path) (\(String(cString: strerror(errno)))).")
    }

    /// Repeats a system call that a signal interrupted.
    private static func call(_ body: () -> Int32) -> Int32 {
        while true {
            let result = body()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}
