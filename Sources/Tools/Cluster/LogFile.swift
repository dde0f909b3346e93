import Glibc

/// The log file of a process. The process itself writes it, so its last lines are kept even if this process has ended.
struct LogFile: Sendable {
    let path: String
    /// The size above which the text moves to `path.1`. Output during the move may be lost.
    static let sizeBytesMax = 10 << 20

    /// Opens the file for appending. The caller closes the descriptor.
    func open() throws(ClusterError) -> CInt {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Files.failure("write", path) }
        return descriptor
    }

    /// Moves the text to `path.1` if it is longer than `limit`, and truncates the file that the writer has open.
    func rotate(at limit: Int = sizeBytesMax) {
        guard let found = Files.information(path), found.st_size > limit, let text = Files.read(path, tail: limit),
            (try? Files.write(text, to: path + ".1", mode: 0o600)) != nil
        else { return }
        truncate(path, 0)
    }

    var size: Int { Files.information(path).map { Int($0.st_size) } ?? 0 }

    /// Returns the last lines written since `position`, for an error message.
    func lastLines(_ count: Int = 5, since position: Int = 0) -> String {
        let fresh = max(0, size - position)
        let lines = (Files.read(path, tail: min(fresh, 8192)) ?? "").split(separator: "\n")
        return lines.suffix(count).joined(separator: "\n")
    }
}
