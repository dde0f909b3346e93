import Glibc

/// Locks a folder for this process. The lock ends with the process, in whatever way that ends.
final class FolderLock: Sendable {
    private let descriptor: CInt

    /// - Throws: ``ClusterError/Code/alreadyRunning`` naming the process that holds the lock.
    init(folder: String) throws(ClusterError) {
        let path = "\(folder)/lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Files.failure("write", path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder =
                Files.read(descriptor: descriptor)?.split(separator: "\n").first.map { " as process \($0)" } ?? ""
            close(descriptor)
            throw ClusterError(
                .alreadyRunning,
                "A cluster is already running in \(folder)\(holder). "
                    + "Use it, stop it with Ctrl-C or kill, or choose another folder.")
        }
        ftruncate(descriptor, 0)
        let text = "\(getpid())\n"
        _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
