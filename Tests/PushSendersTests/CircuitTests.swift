import Testing

@testable import HTTPClient
@testable import PushSenders

@Suite("Circuits and times of pushes")
struct CircuitTests {
    @Test("a circuit opens after five failures, doubles its pauses, lets one try, and closes with an answer")
    func circuit() {
        var circuit = Circuit()
        for _ in 0..<4 {
            #expect(circuit.admit(at: 0) == nil && circuit.failed(at: 0) == 1_000_000)
            #expect(!circuit.isOpen)
        }
        var now: Int64 = 0
        #expect(circuit.failed(at: now) == 1_000_000)
        // Others that were under way fail, too.
        for _ in 0..<10 { #expect(circuit.failed(at: now) == 1_000_000) }
        for pause: Int64 in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].dropFirst() {
            #expect(circuit.isOpen && circuit.admit(at: now)! > 0)
            now += circuit.admit(at: now)!
            #expect(circuit.admit(at: now) == nil && circuit.admit(at: now) != nil, "one tries")
            #expect(circuit.failed(at: now) == pause * 1_000_000)
        }
        now += 300_000_000
        #expect(circuit.admit(at: now) == nil)
        circuit.answered()
        #expect(!circuit.isOpen && circuit.admit(at: now) == nil && circuit.admit(at: now) == nil)
        #expect(circuit.failed(at: now, pause: .max) == Circuit.retryAfterMax && circuit.isOpen)
    }

    @Test("dates of headers are read, and anything else is none")
    func dates() {
        #expect(HTTPDate.seconds(of: "Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(HTTPDate.seconds(of: "Thu, 01 Jan 1970 00:00:00 GMT") == 0)
        #expect(HTTPDate.seconds(of: "Thu, 29 Feb 2024 23:59:59 GMT") == 1_709_251_199)
        #expect(HTTPDate.seconds(of: "Fri, 31 Dec 9999 23:59:59 GMT") == 253_402_300_799)
        for text in ["", "now", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 99999 08:49:37 GMT", "a b c d e GMT"] {
            #expect(HTTPDate.seconds(of: text) == nil)
        }
        func pause(_ text: String) -> Int64? {
            HTTPReply(status: 503, headers: ["retry-after": text], body: [], version: 2).retryAfter(
                at: 784_111_000_000_000)
        }
        #expect(pause("5") == 5_000_000 && pause("-5") == 0 && pause("99999999999999") == 86_400_000_000)
        #expect(pause("Sun, 06 Nov 1994 08:49:37 GMT") == 777_000_000 && pause("soon") == nil && pause("1e9") == nil)
    }
}
