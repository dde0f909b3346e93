import Foundation
import Glibc

/// Returns a free TCP port of 127.0.0.1, below the range from which the system assigns ports itself.
public func freePort() throws -> Int {
    for _ in 0..<100 {
        let port = UInt16.random(in: 15_000..<32_000)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return Int(port) }
    }
    throw NeverHappened(description: "a free port")
}
