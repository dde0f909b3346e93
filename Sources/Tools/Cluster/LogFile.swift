import Glibc

/// Where a process's output goes. It is written by the process itself, so it also keeps what is said after this
/// process has ended.
struct LogFile: Sendable {
    let path: String
    /// Above this size the text moves to `path.1`. What is written in that instant may be lost.
    static let sizeBytesMax = 10 << 20

    /// Opens it for appending; the caller closes the descriptor.
    func open() throws(ClusterError) -> CInt {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Files.failure("write", path) }
        return descriptor
    }

    /// Moves the text to `path.1` when there is too much of it. The file stays the one its writer holds.
    func rotate(at limit: Int = sizeBytesMax) {
        guard let found = Files.information(path), found.st_size > limit, let text = Files.read(path, tail: limit),
            (try? Files.write(text, to: path + ".1", mode: 0o600)) != nil
        else { return }
        truncate(path, 0)
    }

    var size: Int { Files.information(path).map { Int($0.st_size) } ?? 0 }

    /// The last lines written since `position`, for an error message.
    func lastLines(_ count: Int = 5, since position: Int = 0) -> String {
        let fresh = max(0, size - position)
        let lines = (Files.read(path, tail: min(fresh, 8192)) ?? "").split(separator: "\n")
        return lines.suffix(count).joined(separator: "\n")
    }
}
