import NIOCore
import Testing

@testable import ParleyClient

/// A repeatable source of randomness (SplitMix64).
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

@Suite struct ValueTests {
    @Test("Ids ascend, even within a millisecond and when the clock steps back")
    func ascending() {
        var generator = UUIDv7.Generator()
        let times: [Int64] = Array(repeating: 1_700_000_000_000_000, count: 10_000) + [1_699_999_999_000_000]
        let ids = times.map { generator.next(at: $0) }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 && $0.description < $1.description })
    }

    @Test("Ids ascend from those that another generator made, also while the clock is behind them")
    func ascendingFromOthers() {
        for _ in 0..<200 {
            var (ahead, generator) = (UUIDv7.Generator(), UUIDv7.Generator())
            var last = ahead.next(at: 1_700_000_000_000_000)
            for _ in 0..<3 {
                generator.noteUsed(last)
                let next = generator.next(at: 1_699_000_000_000_000)
                #expect(last < next)
                last = next
            }
        }
    }

    @Test("An id contains its time, version 7 and variant 2, and can be read back")
    func parts() {
        var generator = UUIDv7.Generator()
        let id = generator.next(at: 1_732_204_800_123_456)
        #expect(id.milliseconds == 1_732_204_800_123)
        #expect(id.bytes.count == 16 && id.bytes[6] >> 4 == 7 && id.bytes[8] >> 6 == 2)
        #expect(id.description.count == 32 && UUIDv7(bytes: id.bytes) == id)
        #expect(UUIDv7(bytes: [UInt8](repeating: 0, count: 16)) == nil && UUIDv7(bytes: [1]) == nil)
        #expect(UUIDv7(id.description) == id && UUIDv7(id.description.uppercased()) == id)
        #expect(UUIDv7("01934b2e-7c1a-7abc-8def-0123456789ab")?.description == "01934b2e7c1a7abc8def0123456789ab")
        for wrong in [
            "", "x", "+1934b2e7c1a7abc8def0123456789ab", "01934b2e7c1a4abc8def0123456789ab", id.description + "0",
        ] {
            #expect(UUIDv7(wrong) == nil, "\(wrong)")
        }
    }

    @Test("The clock continues from the server's last time")
    func clock() {
        var clock = ServerClock()
        let start = ContinuousClock.now
        clock.set(5_000_000, at: start)
        #expect(clock.now(at: start + .milliseconds(1500)) == 6_500_000)
        clock.set(0, at: start)
        #expect(clock.now(at: start) == 5_000_000)
    }

    @Test("The longest wait doubles from 100 ms to 30 s, and waits are spread from zero to it")
    func backoff() {
        let backoff = Backoff()
        let ceilings = [0, 1, 2, 8, 9, 1000].map { backoff.ceiling(attempt: $0) }
        let expected: [Duration] = [100, 200, 400, 25_600, 30_000, 30_000].map { .milliseconds($0) }
        #expect(ceilings == expected)
        var random = Seeded(state: 1)
        let waits = (0..<1000).map { _ in backoff.wait(attempt: 3, using: &random) }
        #expect(waits.allSatisfy { $0 >= .zero && $0 <= .milliseconds(800) })
        #expect(waits.contains { $0 < .milliseconds(80) } && waits.contains { $0 > .milliseconds(720) })
    }

    @Test("Each close code has its reaction")
    func closeCodes() {
        let table: [(UInt16, LinkClosed.Reaction, Bool)] = [
            (1000, .never, false), (1001, .wait, true), (1006, .wait, true), (1011, .wait, true), (1013, .wait, true),
            (4001, .never, false), (4002, .refresh, true), (4003, .signInAgain, false), (4004, .atOnce, true),
            (4005, .never, false), (4006, .never, false), (4007, .never, false), (4999, .wait, true),
        ]
        for (code, reaction, comeBack) in table {
            let closed = LinkClosed(code: code, reason: "")
            #expect(closed.reaction == reaction && closed.comeBack == comeBack, "\(code)")
        }
    }

    @Test("Valid URLs are parsed, and others are refused")
    func addresses() throws {
        let plain = try LinkAddress("ws://chat.example")
        #expect((plain.host, plain.port, plain.path) == ("chat.example", 80, "/v1/socket"))
        let six = try LinkAddress("ws://[::1]:8080/other")
        #expect((six.host, six.port, six.path) == ("::1", 8080, "/other"))
        #expect((plain.isSecure, plain.authority) == (false, "chat.example"))
        let secure = try LinkAddress("wss://chat.example")
        #expect((secure.isSecure, secure.port, secure.authority) == (true, 443, "chat.example"))
        #expect(try LinkAddress("wss://[::1]:8443").authority == "[::1]:8443")
        #expect(try LinkAddress("wss://chat.example:80").authority == "chat.example:80")
        for url in [
            "https://a", "wss://", "wss:/a", "http://a", "ws://", "ws://a:0", "ws://a:99999", "ws://a b", "ws://u@a",
        ] {
            #expect(throws: ParleyError.self, "\(url)") { try LinkAddress(url) }
        }
    }

    @Test(
        "Codes that allow a retry, and codes after which the request may have taken effect",
        arguments: [
            ("unavailable", true, true), ("deadline", true, true), ("connection_lost", true, true),
            ("rate_limited", true, false), ("timeout", true, false), ("not_member", false, false), ("invalid", false, false),
            ("cancelled", false, false), ("closed", false, false),
        ])
    func retriable(code: String, isRetriable: Bool, isUncertain: Bool) {
        let error = ParleyError(code: code, message: "")
        #expect(error.isRetriable == isRetriable && error.isUncertain == isUncertain)
    }

    @Test("SwiftProtobuf decodes the requests that are encoded by hand")
    func outgoing() throws {
        for (id, key, deadline, size) in [
            (UInt64.max, "", UInt32(0), 0), (1, "c", 10_000, 1), (127, "a_b", 1, 127), (128, "", 60_000, 128),
            (300, String(repeating: "k", count: 128), 5, 120_000),
        ] {
            let body = ByteBuffer(repeating: 0xab, count: size)
            let bytes = OutgoingRequest.frame(
                id: id, method: "messaging.SendMessage", key: key, deadlineMs: deadline, body: body)
            let request = try Parley_V1_ClientFrame(frame: bytes).request
            #expect(request.id == id && request.method == "messaging.SendMessage" && request.key == key)
            #expect(request.deadlineMs == deadline && [UInt8](request.body) == [UInt8](body.readableBytesView))
        }
    }

    @Test("Server frames encoded by SwiftProtobuf are decoded by hand")
    func incoming() throws {
        var reply = Parley_V1_ServerFrame()
        reply.reply.id = 300
        reply.reply.error.code = "rate_limited"
        reply.reply.error.retryAfterMs = 1500
        guard case .reply(let refused) = try IncomingFrame(reply.frame()) else { throw ParleyError.notConnected }
        #expect(refused.id == 300 && refused.error?.code == "rate_limited" && refused.error?.retryAfterMs == 1500)

        var frame = Parley_V1_ServerFrame()
        frame.update.stream = "messaging/c/zoë"
        frame.update.position = 1 << 40
        frame.update.kind = "Message"
        frame.update.class = .durable
        frame.update.body = try Parley_V1_Message.with { $0.text = "hi" }.serializedData()
        guard case .update(let update) = try IncomingFrame(frame.frame()),
            case .message(let message) = try update.content()
        else { throw ParleyError.notConnected }
        #expect(update.stream == "messaging/c/zoë" && update.position == 1 << 40 && update.updateClass == .durable)
        #expect(message.text == "hi")
    }

    @Test("Truncated or random bytes are refused")
    func garbage() throws {
        var frame = Parley_V1_ServerFrame()
        frame.update.stream = "messaging/c/a"
        frame.update.body = .init(repeating: 1, count: 50)
        let bytes = try frame.frame()
        for length in 1..<bytes.readableBytes {
            #expect(throws: ParleyError.self) {
                try IncomingFrame(bytes.getSlice(at: bytes.readerIndex, length: length)!)
            }
        }
        var random = Seeded(state: 7)
        for _ in 0..<20_000 {
            let noise = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = try? IncomingFrame(ByteBuffer(bytes: noise))
        }
    }
}
