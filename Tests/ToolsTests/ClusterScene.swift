import Foundation
import Reactor
import TestSupport

@testable import Cluster

/// A folder for one test, with a path short enough for sockets. It is removed with the scene.
final class ClusterScene: Sendable {
    let folder: String

    init() throws {
        folder = "/tmp/pt-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // PostgreSQL's account must be able to enter when the tests run as root.
        try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: folder)
    }

    deinit { if getenv("KEEP") == nil { try? FileManager.default.removeItem(atPath: folder) } }

    /// Writes a shell script that stands in for a process of Parley.
    func script(_ name: String, _ text: String) throws -> String {
        let path = "\(folder)/\(name)"
        try "#!/bin/bash\n\(text)\n".write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    func read(_ name: String) -> String { (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? "" }

    @ReactorActor
    func supervisor() -> Supervisor {
        Supervisor(
            logFolder: folder, socketFolder: folder, recordPath: "\(folder)/processes", log: .init(label: "test"))
    }

    /// Returns a command that sends `message` to the notify socket, as a process of Parley does.
    static func notify(_ message: String) -> String {
        let python =
            "import os,socket,sys;"
            + "socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM).sendto(sys.argv[1].encode().decode('unicode_escape').encode(),os.environ['NOTIFY_SOCKET'])"
        return "/usr/bin/python3 -c \"\(python)\" '\(message)'"
    }
}

/// Waits until the condition holds.
@ReactorActor
func eventually(
    within limit: Duration = .seconds(60), _ goal: String, _ condition: @ReactorActor () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit * patience
    while try await !condition() {
        guard ContinuousClock.now < end else { throw NeverHappened(goal: goal) }
        try await Reactor.shared.sleep(for: .milliseconds(10))
    }
}

struct NeverHappened: Error { let goal: String }
