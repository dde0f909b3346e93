import Foundation
import ParleyClient

/// Files and folders that only their owner can read, whatever the umask is.
///
/// iOS keeps them encrypted until the device is first unlocked after a start, so that work in the background can use
/// them.
enum OwnFiles {
    private static var protection: [FileAttributeKey: Any] {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication]
        #else
            [:]
        #endif
    }

    /// Creates a folder, and those above it. The mode of one that exists stays: it may be shared.
    static func makeFolder(_ folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: protection.merging([.posixPermissions: 0o700]) { $1 })
    }

    /// Keeps a folder out of backups, where there are any: what is in it can be had again.
    static func leaveOutOfBackups(_ folder: URL) throws {
        #if canImport(Darwin)
            var (folder, values) = (folder, URLResourceValues())
            values.isExcludedFromBackup = true
            try folder.setResourceValues(values)
        #endif
    }

    /// Creates a file unless it exists. One that exists is not opened: closing it would end the locks that SQLite holds
    /// on it in this process.
    static func makeFile(_ path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 || errno == EEXIST else { throw CocoaError(.fileWriteNoPermission) }
        if descriptor >= 0 { close(descriptor) }
        try restrict(path)
    }

    /// Lets nobody else read a file, if it exists.
    static func restrict(_ path: String) throws {
        guard chmod(path, 0o600) == 0 else {
            // Another process that has a log open may remove it at any time.
            if errno == ENOENT { return }
            throw CocoaError(.fileWriteNoPermission)
        }
        guard !protection.isEmpty, FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.setAttributes(protection, ofItemAtPath: path)
    }

    /// Returns a name for a file that each file system takes: the end of `name`, where what it is stands, without what
    /// separates folders and without control characters.
    /// - Parameter bytesMax: of the result.
    static func name(_ name: String, bytesMax: Int) -> String {
        let usable = name.unicodeScalars.filter {
            $0 != "/" && $0 != "\\" && $0 != ":" && $0.properties.generalCategory != .control
        }
        var (kept, count) = (String.UnicodeScalarView(), 0)
        for scalar in usable.reversed() {
            count += UTF8.width(scalar)
            guard count <= bytesMax else { break }
            kept.append(scalar)
        }
        return String(String.UnicodeScalarView(kept.reversed()))
    }
}
