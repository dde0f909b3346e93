import Foundation

/// The memory that an attack takes from the gateway and the kernel, in MiB.
struct AttackMemory: Sendable {
    struct Most: Sendable {
        var tcp: Double
        var gateway: Double
        /// Of both at a time, beyond what they needed before.
        var together = 0.0
    }

    private let process: pid_t
    private let tcp: Double
    private let own: Double

    /// Reads what is needed before the attack.
    init(gateway process: pid_t) {
        self.process = process
        (tcp, own) = (Self.tcpMib, Self.gatewayMib(process))
    }

    /// Looks again and again until the task is cancelled.
    func watch() async -> Most {
        var most = Most(tcp: tcp, gateway: own)
        while !Task.isCancelled {
            let (tcp, own) = (Self.tcpMib, Self.gatewayMib(process))
            most = Most(
                tcp: max(most.tcp, tcp), gateway: max(most.gateway, own),
                together: max(most.together, tcp + own - self.tcp - self.own))
            try? await Task.sleep(for: .milliseconds(100))
        }
        return most
    }

    /// What was needed before, at most, and is needed now.
    func figures(_ most: Most) -> (tcp: AttackCommand.Memory, gateway: AttackCommand.Memory) {
        (
            .init(before: tcp, most: most.tcp, after: Self.tcpMib),
            .init(before: own, most: most.gateway, after: Self.gatewayMib(process))
        )
    }

    private static func gatewayMib(_ process: pid_t) -> Double { ProcessUsage.rssKiB(of: process) / 1024 }

    /// The memory of all TCP sockets of this machine, as Linux counts it.
    private static var tcpMib: Double {
        let text = (try? String(contentsOfFile: "/proc/net/sockstat", encoding: .utf8)) ?? ""
        let words = text.split(separator: "\n").first { $0.hasPrefix("TCP:") }?.split(separator: " ") ?? []
        guard let place = words.firstIndex(of: "mem"), place + 1 < words.count else { return 0 }
        return (Double(words[place + 1]) ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
    }
}
