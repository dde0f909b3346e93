import Foundation

/// Copies the files of a folder to another, and nothing else: links, sockets and devices are left out, and no link is
/// followed in either folder, so that root can copy a folder that belongs to somebody else.
///
/// Files that exist in the target stay; file names are never reused. A file gets its name once it is complete.
struct FileCopy {
    /// When root copies, the target's owner gets the files, so that the service can read them.
    private let owner: (uid: uid_t, gid: gid_t)?
    /// How many entries were no files or folders.
    private(set) var leftOut = 0

    private init(to target: String) {
        var path = URL(fileURLWithPath: target).standardized
        while path.path != "/", !FileManager.default.fileExists(atPath: path.path) { path.deleteLastPathComponent() }
        var found = stat()
        owner = geteuid() == 0 && stat(path.path, &found) == 0 ? (found.st_uid, found.st_gid) : nil
    }

    /// - Parameter isOwn: whether the folder's path was given by whoever runs the command; otherwise it may not be a
    ///   link.
    /// - Returns: how many entries were left out.
    /// - Throws: ``Failure``.
    static func copy(_ folder: String, named isOwn: Bool, to target: String) throws -> Int {
        var copy = FileCopy(to: target)
        do {
            try FileManager.default.createDirectory(
                atPath: target, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure(.fileFailed, "Cannot create \(target): \(error.localizedDescription)")
        }
        let source = Entry(open(folder, Entry.folder | (isOwn ? 0 : O_NOFOLLOW)), folder)
        let destination = Entry(open(target, Entry.folder), target)
        try copy.copyContents(of: source.checked(), to: destination.checked())
        return copy.leftOut
    }

    private mutating func copyContents(of source: Entry, to target: Entry) throws {
        try take(target)
        for name in try source.names() {
            var found = stat()
            // A file that was deleted after the listing is needed by nothing.
            guard fstatat(source.descriptor, name, &found, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            switch found.st_mode & S_IFMT {
            case S_IFDIR:
                let below = Entry(openat(source.descriptor, name, Entry.folder | O_NOFOLLOW), source, name)
                guard below.isOpen || errno != ENOENT else { continue }
                guard mkdirat(target.descriptor, name, 0o700) == 0 || errno == EEXIST else {
                    throw target.failure("create", name)
                }
                let copy = Entry(openat(target.descriptor, name, Entry.folder | O_NOFOLLOW), target, name)
                try copyContents(of: below.checked(), to: copy.checked())
            case S_IFREG: try copyFile(name, from: source, to: target)
            default: leftOut += 1
            }
        }
    }

    private mutating func copyFile(_ name: String, from source: Entry, to target: Entry) throws {
        var found = stat()
        if fstatat(target.descriptor, name, &found, AT_SYMLINK_NOFOLLOW) == 0 { return }
        // Opening a pipe that took the file's place must not wait for a writer.
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = Entry(openat(source.descriptor, name, flags), source, name)
        guard file.isOpen || errno != ENOENT else { return }
        guard fstat(try file.checked().descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
            leftOut += 1
            return
        }
        let part = name + ".part"
        unlinkat(target.descriptor, part, 0)
        let made = openat(target.descriptor, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        let copy = try Entry(made, target, part).checked()
        do {
            try copy.write(file)
            try take(copy)
            // Otherwise a file that lost its content in a power failure would never be replaced.
            guard fsync(copy.descriptor) == 0,
                renameat(target.descriptor, part, target.descriptor, name) == 0
            else { throw target.failure("write", name) }
        } catch {
            unlinkat(target.descriptor, part, 0)
            throw error
        }
    }

    private func take(_ entry: Entry) throws {
        guard let owner, fchown(entry.descriptor, owner.uid, owner.gid) != 0 else { return }
        throw entry.failure("change the owner of")
    }
}

/// An open file or folder. It closes with its last reference.
private final class Entry {
    static let folder = O_RDONLY | O_DIRECTORY | O_CLOEXEC

    let descriptor: Int32
    private let path: String

    init(_ descriptor: Int32, _ path: String) { (self.descriptor, self.path) = (descriptor, path) }

    convenience init(_ descriptor: Int32, _ parent: Entry, _ name: String) {
        self.init(descriptor, "\(parent.path)/\(name)")
    }

    deinit { if isOpen { close(descriptor) } }

    var isOpen: Bool { descriptor >= 0 }

    func checked() throws -> Entry {
        guard isOpen else { throw failure("open") }
        return self
    }

    func failure(_ doing: String, _ name: String? = nil) -> Failure {
        let why = String(cString: strerror(errno))
        return Failure(.fileFailed, "Cannot \(doing) \(path)\(name.map { "/\($0)" } ?? ""): \(why)")
    }

    func names() throws -> [String] {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let listing = fdopendir(copy) else { throw failure("read") }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Appends all bytes of another file.
    func write(_ source: Entry) throws {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(source.descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw source.failure("read") }
            if count == 0 { return }
            var start = 0
            while start < count {
                let written = buffer.withUnsafeBytes { bytes in
                    Foundation.write(descriptor, bytes.baseAddress.map { $0 + start }, count - start)
                }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw failure("write") }
                start += written
            }
        }
    }
}
