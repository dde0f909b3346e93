import Glibc

/// Reports this process's state to its supervisor through systemd's notify protocol (sd_notify(3)).
///
/// Sends nothing if the environment has no `NOTIFY_SOCKET`.
public struct Notify: Sendable {
    private let path: String?

    public init(environment: [String: String]) {
        path = environment["NOTIFY_SOCKET"]
    }

    /// Reports that the process serves.
    /// - Parameter listen: the address clients connect to, if any.
    public func ready(listen: String? = nil) {
        send("READY=1\nSTATUS=ready" + (listen.map { "\nX_PARLEY_LISTEN=\($0)" } ?? ""))
    }

    /// Reports what the process is doing or waiting for, in a few words for people.
    public func status(_ text: String) {
        // A line break would begin another variable.
        send("STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }

    public func stopping() { send("STOPPING=1\nSTATUS=stopping") }

    private func send(_ message: String) {
        guard let path, !path.isEmpty else { return }
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }  // Abstract socket.
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count < room else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count + (name[0] == 0 ? 0 : 1))
        let bytes = Array(message.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
