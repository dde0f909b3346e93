import Glibc

var lastSystemError: String { String(cString: strerror(errno)) }

/// Reads small configuration files. Blocks the caller.
public enum File {
    /// Why a file cannot be used, in words for people.
    public struct Problem: Error, CustomStringConvertible {
        public let description: String
    }

    /// Identifies a file and its version. It differs after the file has changed, and after a link to it or to its
    /// folder has been replaced.
    public struct Stamp: Equatable, Sendable {
        private var device: dev_t
        private var inode: ino_t
        private var size: off_t
        private var changed: timespec

        /// Returns nil if there is no such file.
        public init?(_ path: String) {
            var found = stat()
            guard stat(path, &found) == 0 else { return nil }
            (device, inode, size) = (found.st_dev, found.st_ino, found.st_size)
            // Changes with the content and with the permissions.
            changed = found.st_ctim
        }

        public static func == (one: Stamp, other: Stamp) -> Bool {
            one.device == other.device && one.inode == other.inode && one.size == other.size
                && one.changed.tv_sec == other.changed.tv_sec && one.changed.tv_nsec == other.changed.tv_nsec
        }
    }

    /// Whether others than the file's owner and group may read it. Files below /run/secrets are exempt: the container
    /// engine chooses their modes, and no one else is in the container.
    public static func isOpenToOthers(_ path: String) -> Bool {
        var found = stat()
        guard !path.hasPrefix("/run/secrets/"), stat(path, &found) == 0 else { return false }
        return found.st_mode & S_IROTH != 0
    }

    /// Reads the whole file.
    /// - Parameter limit: a file of this many bytes or more is refused.
    public static func read(_ path: String, limit: Int) throws(Problem) -> [UInt8] {
        guard let bytes = contents(path, limit: limit) else {
            throw Problem(description: "cannot read \(path) (\(lastSystemError))")
        }
        guard bytes.count < limit else { throw Problem(description: "\(path) must be smaller than \(limit) bytes") }
        return bytes
    }

    /// Returns at most `limit` bytes of the file, or nil with `errno` set.
    static func contents(_ path: String, limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress! + count, limit - count)  // never nil: `limit` is not zero
            }
            if got < 0 { return nil }
            if got == 0 { break }
            count += got
        }
        return Array(bytes[..<count])
    }
}
