import Glibc

/// The file operations a cluster needs. Each error names the path, the reason and what to do.
enum Files {
    /// Turns `errno` into an error such as "Cannot write PATH: Permission denied."
    static func failure(_ action: String, _ path: String, _ code: CInt = errno) -> ClusterError {
        let why = String(cString: strerror(code))
        switch code {
        case EACCES, EPERM, EROFS:
            let owner = owner(of: path).map { " (owned by \(UserAccount.name(of: $0)))" } ?? ""
            return ClusterError(
                .noPermission,
                "Cannot \(action) \(path)\(owner): \(why). Use a folder you may write to, or run as its owner.")
        case ENOSPC, EDQUOT:
            return ClusterError(.diskFull, "Cannot \(action) \(path): \(why). Free some space and start again.")
        case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG:
            return ClusterError(.system, "Cannot \(action) \(path): \(why). Check the path, or use another folder.")
        default:
            return ClusterError(.system, "Cannot \(action) \(path): \(why).")
        }
    }

    /// This process's open descriptors above 2.
    static func openDescriptors() -> [CInt] {
        guard let folder = opendir("/proc/self/fd") else { return [] }
        defer { closedir(folder) }
        var descriptors: [CInt] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let descriptor = CInt(name), descriptor > 2 { descriptors.append(descriptor) }
        }
        return descriptors
    }

    static func information(_ path: String, followLinks: Bool = true) -> stat? {
        var result = stat()
        return (followLinks ? stat(path, &result) : lstat(path, &result)) == 0 ? result : nil
    }

    static func exists(_ path: String) -> Bool { information(path) != nil }

    static func isFolder(_ path: String) -> Bool { information(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

    /// The owner of `path`, or of the nearest parent that exists.
    static func owner(of path: String) -> uid_t? {
        var path = path
        while true {
            if let found = information(path) { return found.st_uid }
            guard let parent = parent(of: path) else { return nil }
            path = parent
        }
    }

    /// Returns the folder that contains the path; nil for `/` and for a bare name.
    static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/"), path != "/" else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Creates the folder and its missing parents, and sets the folder's own `mode` and owner.
    static func makeFolder(_ path: String, mode: mode_t, owner: UserAccount? = nil) throws(ClusterError) {
        if !isFolder(path) {
            if let parent = parent(of: path), !exists(parent) { try makeFolder(parent, mode: 0o755) }
            guard mkdir(path, mode) == 0 || errno == EEXIST else { throw failure("create the folder", path) }
        }
        guard isFolder(path) else {
            throw ClusterError(.system, "\(path) is not a folder, but a folder is needed there. Move it away.")
        }
        if let owner, information(path)?.st_uid != owner.uid, chown(path, owner.uid, owner.gid) != 0 {
            throw failure("make \(owner.name) the owner of", path)
        }
        if let now = information(path), now.st_mode & 0o777 != mode, chmod(path, mode) != 0 {
            throw failure("set the permissions of", path)
        }
    }

    /// Returns the path without symbolic links. The path must exist.
    static func real(_ path: String) throws(ClusterError) -> String {
        guard let resolved = realpath(path, nil) else { throw failure("find", path) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func linkTarget(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes {
            // Never nil, since the buffer is not empty.
            readlink(path, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        return count >= 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    static func names(in folder: String) -> [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    static func remove(_ path: String) {
        if let found = information(path, followLinks: false), found.st_mode & S_IFMT == S_IFDIR {
            for name in names(in: path) { remove("\(path)/\(name)") }
            rmdir(path)
        } else {
            unlink(path)
        }
    }

    /// Returns the file's text, or only its last `tail` bytes. Returns nil if it cannot be read.
    static func read(_ path: String, tail: Int? = nil) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return read(descriptor: file, tail: tail)
    }

    static func size(descriptor file: CInt) -> Int {
        var found = stat()
        return fstat(file, &found) == 0 ? Int(found.st_size) : 0
    }

    static func read(descriptor file: CInt, tail: Int? = nil) -> String? {
        var offset = off_t(0)
        if let tail { offset = max(0, lseek(file, 0, SEEK_END) - off_t(tail)) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = pread(file, &buffer, buffer.count, offset)
            guard count >= 0 else { return nil }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
            offset += off_t(count)
        }
    }

    /// Replaces the file atomically: it holds the old text or the new one. With `isDurable` that also holds after a
    /// crash of the machine.
    static func write(
        _ text: String, to path: String, mode: mode_t, owner: UserAccount? = nil, isDurable: Bool = true
    ) throws(ClusterError) {
        let new = path + ".new"
        unlink(new)
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw failure("write", path) }
        defer { close(file) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            // Never nil, since the buffer is not empty.
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress!, $0.count) }
            guard count >= 0 else { throw failure("write", path) }
            rest = rest.dropFirst(count)
        }
        if let owner, fchown(file, owner.uid, owner.gid) != 0 { throw failure("make \(owner.name) the owner of", path) }
        guard !isDurable || fsync(file) == 0, rename(new, path) == 0 else { throw failure("write", path) }
    }

    /// - Throws: ``ClusterError/Code/diskFull`` if the file system of `path` has less than `bytes` free.
    static func requireSpace(_ bytes: UInt64, at path: String) throws(ClusterError) {
        var system = statvfs()
        guard statvfs(path, &system) == 0 else { return }
        let free = UInt64(system.f_bavail) * UInt64(system.f_frsize)
        guard free >= bytes else {
            throw ClusterError(
                .diskFull,
                "The disk of \(path) has \(free >> 20) MiB free, but \(bytes >> 20) MiB are needed. Free some space.")
        }
    }

    /// Returns the FNV-1a hash of the text as 12 hexadecimal digits, a short name for a long path.
    static func digest(_ text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String((String(repeating: "0", count: 16 - digits.count) + digits).suffix(12))
    }

    /// Returns 48 random hexadecimal digits.
    static func randomSecret() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<3).map { _ in
            let digits = String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Returns the first executable of this name in the folders of `PATH`.
    static func executable(_ name: String) -> String? {
        let path = Environment.current["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }.first(where: isExecutable)
    }

    static func isExecutable(_ path: String) -> Bool { !isFolder(path) && access(path, X_OK) == 0 }
}

/// A user account of the machine.
struct UserAccount: Equatable, Sendable {
    var name: String
    var uid: uid_t
    var gid: gid_t

    static var current: UserAccount {
        UserAccount(name: name(of: geteuid()), uid: geteuid(), gid: getegid())
    }

    init(name: String, uid: uid_t, gid: gid_t) {
        (self.name, self.uid, self.gid) = (name, uid, gid)
    }

    init?(named name: String) {
        guard let entry = getpwnam(name) else { return nil }
        self.init(name: name, uid: entry.pointee.pw_uid, gid: entry.pointee.pw_gid)
    }

    init?(uid: uid_t) {
        guard let entry = getpwuid(uid) else { return nil }
        self.init(name: String(cString: entry.pointee.pw_name), uid: uid, gid: entry.pointee.pw_gid)
    }

    static func name(of uid: uid_t) -> String { UserAccount(uid: uid)?.name ?? "user \(uid)" }

    /// Whether this account may enter the folder to reach its contents.
    func mayPass(_ folder: String) -> Bool {
        guard let found = Files.information(folder) else { return true }
        if uid == 0 { return true }
        if found.st_uid == uid { return found.st_mode & 0o100 != 0 }
        if found.st_gid == gid { return found.st_mode & 0o010 != 0 }
        return found.st_mode & 0o001 != 0
    }
}

/// The environment of this process.
enum Environment {
    static var current: [String: String] {
        var result: [String: String] = [:]
        var entry = environ
        while let variable = entry.pointee {
            let text = String(cString: variable)
            if let equals = text.firstIndex(of: "=") {
                result[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            entry += 1
        }
        return result
    }
}
