import Foundation
import Logging
import Reactor

let quiet = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }

/// A folder of the test's own, gone with this value.
final class Folder: Sendable {
    let path: String

    init() {
        // Short, since the path of a socket is limited to 107 bytes.
        path = "/tmp/parley-kit-\(UInt32.random(in: 0 ... .max))"
        try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
        return "\(path)/\(name)"
    }
}

/// Waits until `condition` holds; the test's time limit ends it otherwise.
@ReactorActor
func eventually(_ condition: @ReactorActor () async throws -> Bool) async throws {
    while try await !condition() { try await Reactor.shared.sleep(for: .milliseconds(2)) }
}
