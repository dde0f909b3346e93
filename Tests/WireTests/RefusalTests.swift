import Schema
import Testing

@testable import Wire

struct RefusalTests {
    @Test(
        "a refusal is the same after encoding and decoding",
        arguments: [
            Refusal.invalid("text", "The text is empty."), .unauthenticated, .notFound, .rateLimited(.seconds(3)),
            .tooLarge,
            .unavailable("The service is away."), .deadline, .internal, .unknownMethod,
            .forbidden("Only its author may."),
            Refusal("user_blocked", "You cannot write to this person."),
        ])
    func roundTrip(refusal: Refusal) throws {
        let problem = try Problem.decode(refusal.problem.encode())
        #expect(Refusal(problem) == refusal)
        #expect(!refusal.message.isEmpty)
    }

    @Test("a refusal longer than the contract allows is cut, and can be decoded")
    func cut() throws {
        let refusal = Refusal(
            Refusal.Code(rawValue: String(repeating: "x", count: 100)), String(repeating: "ü", count: 400) + "end",
            field: String(repeating: "é", count: 100))
        let problem = try Problem.decode(refusal.problem.encode())
        #expect(problem.message == String(repeating: "ü", count: 256))
        #expect(problem.code.utf8.count == 64)
        #expect(problem.field.utf8.count == 64)
    }

    @Test(
        "durations are rounded up to whole milliseconds and kept within the range of the wire format",
        arguments: [
            (Duration.zero, 0), (.microseconds(1), 1), (.milliseconds(500), 500), (.microseconds(1001), 2),
            (.seconds(10), 10_000), (.seconds(-1), 0), (.seconds(1 << 40), UInt32.max),
            (.seconds(Int64.max), UInt32.max),
        ] as [(Duration, UInt32)])
    func milliseconds(duration: Duration, expected: UInt32) {
        #expect(duration.milliseconds == expected)
    }

    @Test("the id of an envelope that cannot be decoded is found if it comes first")
    func peek() {
        for id: UInt64 in [1, 127, 128, 300, 1 << 40, .max] {
            let bytes = Envelope(id: id, method: "a.B").encode()
            #expect(RequestID.peek(bytes) == id)
            #expect(RequestID.peek(bytes + [0xff]) == id)
        }
        #expect(RequestID.peek([]) == nil)
        #expect(RequestID.peek([8]) == nil)
        #expect(RequestID.peek([8, 0]) == nil)
        #expect(RequestID.peek([9, 1]) == nil)
        #expect(RequestID.peek([8] + [UInt8](repeating: 0xff, count: 12)) == nil)
    }

    @Test("a log line that peers can provoke is let through once in a while, and the others are counted")
    func throttlesLogLines() {
        var line = LogThrottle(every: .seconds(10))
        let start = ContinuousClock.now
        #expect(line.pass(at: start) == 0)
        #expect(line.pass(at: start + .seconds(1)) == nil)
        #expect(line.pass(at: start + .seconds(9)) == nil)
        #expect(line.pass(at: start + .seconds(10)) == 2)
        #expect(line.pass(at: start + .seconds(20)) == 0)
    }
}
