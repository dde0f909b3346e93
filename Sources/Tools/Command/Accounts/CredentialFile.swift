import Foundation
import ParleyClient

/// A sign-in on this machine, in a file that only its owner can read.
///
/// Each change replaces the whole file. Commands that run at the same time refresh one after the other, under a lock
/// file beside it.
final class CredentialFile: CredentialStore {
    /// The content of the file.
    struct Content: Codable, Equatable, Sendable {
        var url: String
        var username: String
        var credentials: Credentials
    }

    let path: String
    private let url: String
    /// The username to store with new credentials; nil keeps the one in the file.
    private let username: String?

    init(path: String, url: String, username: String? = nil) {
        (self.path, self.url, self.username) = (path, url, username)
    }

    /// Returns the same file, for a person who is signing in.
    func naming(_ username: String) -> CredentialFile {
        CredentialFile(path: path, url: url, username: username)
    }

    /// Returns the stored sign-in; nil if nobody is signed in here.
    /// - Throws: ``Failure`` if the file cannot be read, or other users can read it.
    func content() throws -> Content? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw Self.failure("read", path)
        }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw Failure(
                .unsafeFile, "\(path) is not a file.", advice: "Name the file of the sign-in with --credentials.")
        }
        guard information.st_mode & 0o077 == 0 else {
            throw Failure(
                .unsafeFile, "\(path) holds a sign-in, but other users can read it.",
                advice: "Restrict it: chmod 600 \(path)")
        }
        let data: Data?
        do {
            data = try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).read(upToCount: 1 << 20)
        } catch {
            throw Self.failure("read", path)
        }
        guard let data, let content = try? JSONDecoder().decode(Content.self, from: data) else {
            throw Failure(
                .damagedFile, "\(path) does not hold a valid sign-in.", advice: "Remove it and sign in again.")
        }
        return content
    }

    func load() async throws -> Credentials? {
        let content = try content()
        guard let content, content.url == url || content.url.isEmpty else { return nil }
        return content.credentials
    }

    func save(_ credentials: Credentials?) async throws {
        guard let credentials else {
            guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw Self.failure("remove", path) }
            return
        }
        // Throws if the file is not a sign-in, so that an unrelated file is not overwritten.
        let known = try content()
        // A refresh that ends after another sign-in must not bring the old one back.
        if username == nil, let known, known.credentials.device != credentials.device { return }
        try Self.makeFolder((path as NSString).deletingLastPathComponent)
        try write(Content(url: url, username: username ?? known?.username ?? "", credentials: credentials))
    }

    func exclusively(_ refresh: @Sendable () async throws -> Void) async throws {
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Self.failure("write", path + ".lock") }
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

    private func write(_ content: Content) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(content)
        let new = "\(path).\(UUID().uuidString)"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("write", new) }
        defer { close(descriptor) }
        let written = data.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        guard written == data.count, fsync(descriptor) == 0, rename(new, path) == 0 else {
            let failure = Self.failure("write", path)
            unlink(new)
            throw failure
        }
    }

    private static func makeFolder(_ folder: String) throws {
        guard !folder.isEmpty else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure(
                .noPermission, "Cannot create the folder \(folder) for the sign-in.",
                advice: "Choose another file with --credentials FILE.")
        }
    }

    private static func failure(_ action: String, _ path: String) -> Failure {
        Failure(
            .noPermission, "Cannot \(action) \(path): \(String(cString: strerror(errno))).",
            advice: "Choose another file with --credentials FILE.")
    }
}
