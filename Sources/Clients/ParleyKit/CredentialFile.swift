import Foundation
import ParleyClient

/// Keeps the tokens of a signed-in device in a file that only its owner can read: the default on Linux.
///
///     options.credentials = CredentialFile(at: folder.appendingPathComponent("tokens.json"))
public final class CredentialFile: CredentialStore {
    private let path: String

    /// - Parameter url: the file. Its folder is created when somebody signs in.
    public init(at url: URL) { path = url.path }

    public func load() async throws -> Credentials? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure("read")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var found = stat()
        guard fstat(descriptor, &found) == 0, found.st_mode & 0o077 == 0 else {
            throw Refusal.storage("Other users can read \(path), which holds a sign-in. Restrict it: chmod 600 \(path)")
        }
        guard let data = try file.readToEnd() else { return nil }
        return try JSONDecoder().decode(Credentials.self, from: data)
    }

    public func save(_ credentials: Credentials?) async throws {
        guard let credentials else {
            guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw failure("remove") }
            return
        }
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let new = "\(path).\(UUID().uuidString)"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("write") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: try JSONEncoder().encode(credentials))
            guard fsync(descriptor) == 0, rename(new, path) == 0 else { throw failure("write") }
        } catch {
            unlink(new)
            throw error
        }
    }

    public func exclusively(_ refresh: @Sendable () async throws -> Void) async throws {
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw failure("write") }
        defer { close(lock) }
        // This may wait for another process's refresh, and must not block the threads of tasks.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                while flock(lock, LOCK_EX) != 0, errno == EINTR {}
                continuation.resume()
            }
        }
        try await refresh()
    }

    private func failure(_ action: String) -> Refusal {
        .storage("Cannot \(action) \(path): \(String(cString: strerror(errno))). Check its permissions.")
    }
}
