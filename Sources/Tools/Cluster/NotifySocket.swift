import Glibc
import Reactor

/// Receives the status messages of a process by the systemd notify protocol.
@ReactorActor
final class NotifySocket {
    nonisolated let path: String
    private let descriptor: CInt
    private var watch: Reactor.Watch?

    /// Binds to `path` (less than 108 bytes). Calls `handler` with the `NAME=value` lines of each message.
    init(path: String, _ handler: @escaping @ReactorActor ([String: String]) -> Void) throws(ClusterError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw ClusterError(.invalid, "The path \(path) is too long for a socket. Use a shorter folder.")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let type = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw Files.failure("open", "a notify socket") }
        unlink(path)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0 else {
            let code = errno
            close(descriptor)
            throw Files.failure("bind", path, code)
        }
        self.path = path
        self.descriptor = descriptor
        watch = Reactor.shared.watch(descriptor: descriptor, for: .readable) { _ in
            while let message = Self.receive(descriptor) { handler(message) }
        }
    }

    /// Discards unread messages of a process that has ended.
    func drain() {
        while Self.receive(descriptor) != nil {}
    }

    func end() {
        guard let watch else { return }
        self.watch = nil
        Reactor.shared.unwatch(watch)
        close(descriptor)
        unlink(path)
    }

    private static func receive(_ descriptor: CInt) -> [String: String]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count >= 0 ? parse(String(decoding: buffer[..<count], as: UTF8.self)) : nil
    }

    nonisolated static func parse(_ message: String) -> [String: String] {
        var result: [String: String] = [:]
        for line in message.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            result[String(line[..<equals])] = String(line[line.index(after: equals)...])
        }
        return result
    }
}
