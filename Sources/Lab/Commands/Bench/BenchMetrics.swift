import NIOCore
import NIOPosix
import Torture

/// Reads the figures of a process from its monitor.
struct BenchMetrics: Sendable {
    private let group: any EventLoopGroup
    private let port: Int

    /// Takes a free port of this machine for a monitor that starts later.
    init(on group: any EventLoopGroup) async throws {
        let channel = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        (self.group, port) = (group, channel.localAddress?.port ?? 0)
        try await channel.close()
    }

    /// The value of the setting `listen.monitor`.
    var address: String { "127.0.0.1:\(port)" }

    /// Returns the value of a figure without labels; nil if there is none yet.
    func value(of name: String) async throws -> Double? {
        let text = try await PlainHTTP.get("/metrics", host: "127.0.0.1", port: port, on: group) ?? ""
        let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name + " ") }
        return line?.split(separator: " ").last.flatMap { Double($0) }
    }
}
