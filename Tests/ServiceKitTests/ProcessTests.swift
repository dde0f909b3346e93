import Foundation
import Glibc
import Logging
import Testing

@testable import ServiceKit

@Suite("Notifications and log lines of a process")
struct ProcessTests {
    @Test("a process notifies its supervisor over systemd's datagram socket")
    func notify() throws {
        let folder = Folder()
        let path = folder.path + "/notify"
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        func next() -> String {
            var bytes = [UInt8](repeating: 0, count: 1000)
            let count = recv(descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
        let notify = Notify(environment: ["NOTIFY_SOCKET": path])
        notify.status("waiting for the database: refused")
        #expect(next() == "STATUS=waiting for the database: refused")
        notify.ready(listen: "127.0.0.1:41234")
        #expect(next() == "READY=1\nSTATUS=ready\nX_PARLEY_LISTEN=127.0.0.1:41234")
        notify.ready()
        #expect(next() == "READY=1\nSTATUS=ready")
        notify.stopping()
        #expect(next() == "STOPPING=1\nSTATUS=stopping")
        // A reason of several lines must not set other variables.
        notify.status("refused\nREADY=1\nX_PARLEY_LISTEN=evil")
        #expect(!next().split(separator: "\n").contains("READY=1"))
    }

    @Test("notifying does nothing without a listener")
    func notifyNobody() {
        for environment in [
            [:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "/nowhere/at/all"],
            ["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 500)],
        ] {
            Notify(environment: environment).ready()
        }
    }

    @Test(
        "nothing logged can pass for another line or another field",
        arguments: [
            ("plain", "plain"), ("a\nb", "a\\nb"), ("a\r\nb", "a\\r\\nb"), ("\"x\"", "\\\"x\\\""), ("\\n", "\\\\n"),
            ("\u{1B}[31m", "\\u001b[31m"), ("\0", "\\u0000"), ("\u{7F}", "\\u007f"), ("ü🙂", "ü🙂"),
            ("\u{85}", "\\u0085"), ("\u{9B}31m", "\\u009b31m"), ("a\u{2028}b", "a\\u2028b"),
            ("a\u{2029}b", "a\\u2029b"),
        ])
    func escaping(text: String, escaped: String) { #expect(LineLogHandler.escaped(text) == escaped) }
}

@Suite("Metrics")
struct MetricsTests {
    @Test("too many label values share one figure, so memory is bounded")
    func bounded() {
        let registry = MetricsRegistry()
        for number in 0..<5000 {
            registry.makeCounter(label: "requests", dimensions: [("code", "\(number)")]).increment(by: 1)
        }
        let snapshot = registry.snapshot
        #expect(snapshot.count <= 2001)
        #expect(snapshot.reduce(0) { $0 + $1.value } == 5000)
        #expect(snapshot.first { $0.name == "parley_metrics_overflow_total" }?.value == 3000)
    }

    @Test("a counter adds, a gauge shows its last value, a recorder and a timer have count, sum and maximum")
    func kinds() {
        let registry = MetricsRegistry()
        registry.makeCounter(label: "c", dimensions: []).increment(by: 2)
        registry.makeCounter(label: "c", dimensions: []).increment(by: 3)
        registry.makeRecorder(label: "g", dimensions: [], aggregate: false).record(Int64(9))
        registry.makeRecorder(label: "g", dimensions: [], aggregate: false).record(Int64(4))
        registry.makeRecorder(label: "r", dimensions: [], aggregate: true).record(Int64(9))
        registry.makeRecorder(label: "r", dimensions: [], aggregate: true).record(Int64(4))
        registry.makeTimer(label: "t", dimensions: [("m", "x")]).recordNanoseconds(500_000_000)
        let shown = registry.snapshot.map { "\($0.name){\($0.labels)} \($0.value)" }
        #expect(
            shown == [
                "c{} 5.0", "g{} 4.0", "r_count{} 2.0", "r_sum{} 13.0", "r_max{} 9.0", "t_count{m=x} 1.0",
                "t_sum{m=x} 0.5",
                "t_max{m=x} 0.5",
            ])
    }
}
