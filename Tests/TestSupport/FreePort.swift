import Foundation
import Glibc
import Synchronization

/// Returns a free TCP port of 127.0.0.1, below the range from which the system assigns ports itself. No other call gets
/// it before this process ends, here or in another process of tests: a test often uses its port only much later.
public func freePort() throws -> Int {
    for _ in 0..<100 {
        let port = UInt16.random(in: 15_000..<32_000)
        if try ReservedPorts.shared.reserve(port), isFree(port) { return Int(port) }
    }
    throw NeverHappened(description: "a free port")
}

private func isFree(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}

/// The ports that tests have been given. Of a file that all processes of tests share, each locks the byte at the offset
/// of each of its ports, and the system removes these locks when the process ends.
private final class ReservedPorts: Sendable {
    static let shared = ReservedPorts()

    private let descriptor = open("/tmp/parley-test-ports-\(getuid())", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    private let own = Mutex<Set<UInt16>>([])

    /// Returns whether the port was not reserved before.
    func reserve(_ port: UInt16) throws -> Bool {
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        guard own.withLock({ $0.insert(port).inserted }) else { return false }
        var byte = flock()
        byte.l_type = Int16(F_WRLCK)
        byte.l_whence = Int16(SEEK_SET)
        byte.l_start = off_t(port)
        byte.l_len = 1
        return fcntl(descriptor, F_SETLK, &byte) == 0
    }
}
