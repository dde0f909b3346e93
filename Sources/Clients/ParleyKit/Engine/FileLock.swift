import Foundation
import NIOConcurrencyHelpers

/// A lock among the processes that have one file: the one that holds it keeps the file equal to what the server has,
/// and sends what is unsent. The lock ends with the process, however that ends.
final class FileLock: Sendable {
    private let path: String
    private let descriptor = NIOLockedValueBox<Int32?>(nil)

    init(of file: String) { path = file + ".lock" }

    deinit { unlock() }

    /// Takes the lock if no one else has it.
    /// - Returns: whether it is held now.
    func tryLock() -> Bool {
        descriptor.withLockedValue { descriptor in
            if descriptor != nil { return true }
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard opened >= 0 else { return false }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                Foundation.close(opened)
                return false
            }
            descriptor = opened
            return true
        }
    }

    func unlock() {
        descriptor.withLockedValue { descriptor in
            if let opened = descriptor { Foundation.close(opened) }
            descriptor = nil
        }
    }
}
