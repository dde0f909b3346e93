import Foundation
import Glibc
import Logging
import Reactor
import TestSupport

let quiet = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }

/// A folder for one test. It is removed with this value, or with the process if something still holds it then.
final class Folder: Sendable {
    let path: String

    init() {
        // Short, since a socket's path is limited to 107 bytes.
        _ = Self.sweptAtExit
        path = "\(Self.prefix)\(UInt32.random(in: 0 ... .max))"
        try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    private static let prefix = "/tmp/parley-kit-\(getpid())-"
    private static let sweptAtExit: Void = {
        atexit {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: "/tmp")) ?? []
            where "/tmp/\(name)".hasPrefix(Folder.prefix) {
                try? FileManager.default.removeItem(atPath: "/tmp/\(name)")
            }
        }
    }()

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
        return "\(path)/\(name)"
    }
}
