import Glibc
import Testing

@testable import Schema

@Suite("Bytes that decode refuses")
struct RefusalTests {
    private func failure<M: WireMessage>(_ type: M.Type, _ bytes: [UInt8]) -> DecodeFailure? {
        do {
            _ = try M.decode(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("A string at its limit passes; one byte more is refused and named")
    func strings() {
        let atLimit = String(repeating: "x", count: 16_384)
        #expect(failure(SendMessageRequest.self, delimited(4, atLimit)) == nil)
        #expect(
            failure(SendMessageRequest.self, delimited(4, atLimit + "x")) == .init(reason: .outOfLimit, field: "text"))
        #expect(
            failure(InboxEntry.self, delimited(4, delimited(6, atLimit + "x")))
                == .init(reason: .outOfLimit, field: "last_message.text"))
    }

    @Test("An id is 16 bytes or absent", arguments: [0, 1, 15, 16, 17, 32])
    func exactly(count: Int) {
        let refused = failure(SendMessageRequest.self, delimited(1, [UInt8](repeating: 7, count: count)))
        #expect(refused == (count == 0 || count == 16 ? nil : .init(reason: .outOfLimit, field: "id")))
    }

    @Test("Bytes at their limit pass; one byte more is refused and named")
    func bytes() {
        #expect(failure(Request.self, delimited(5, [UInt8](repeating: 0, count: 122_880))) == nil)
        #expect(
            failure(Request.self, delimited(5, [UInt8](repeating: 0, count: 122_881)))
                == .init(reason: .outOfLimit, field: "body"))
    }

    @Test("Too many items, and an item that is too long, are refused and named")
    func items() {
        let full = GetPresenceRequest(users: Array(repeating: "u", count: 200))
        #expect(failure(GetPresenceRequest.self, full.encode()) == nil)
        let tooMany = GetPresenceRequest(users: full.users + ["u"])
        #expect(failure(GetPresenceRequest.self, tooMany.encode()) == .init(reason: .outOfLimit, field: "users"))
        let long = GetPresenceRequest(users: [String(repeating: "u", count: 65)])
        #expect(failure(GetPresenceRequest.self, long.encode()) == .init(reason: .outOfLimit, field: "users"))
        let states = PresenceReply(states: Array(repeating: PresenceState(), count: 201))
        #expect(failure(PresenceReply.self, states.encode()) == .init(reason: .outOfLimit, field: "states"))
        let audience = UpdateHeader(audience: Array(repeating: 1, count: 1001))
        #expect(failure(UpdateHeader.self, audience.encode()) == .init(reason: .outOfLimit, field: "audience"))
    }

    @Test("A zero byte anywhere in a string is refused", arguments: ["\0", "\0a", "a\0b", "ab\0", "\0\0"])
    func zeroBytes(text: String) {
        #expect(failure(SendMessageRequest.self, delimited(4, text)) == .init(reason: .containsNUL, field: "text"))
        #expect(
            failure(GetPresenceRequest.self, delimited(1, "fine") + delimited(1, text))
                == .init(reason: .containsNUL, field: "users"))
        #expect(
            failure(ClientFrame.self, delimited(1, delimited(4, text)))
                == .init(reason: .containsNUL, field: "hello.client"))
    }

    @Test(
        "Text that is not UTF-8 is refused",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
            [0x61, 0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        #expect(failure(SendMessageRequest.self, delimited(4, bytes)) == .init(reason: .notUTF8, field: "text"))
    }

    @Test("Bytes that are not a message are malformed")
    func malformed() {
        let endless: [UInt8] = [0x22] + Array(repeating: 0xFF, count: 10)
        let wrong: [[UInt8]] = [[0xFF], [0x22], [0x22, 5, 1], [0x07], [0x00], [0x0B], endless]
        for bytes in wrong {
            #expect(failure(SendMessageRequest.self, bytes) == .init(reason: .malformed), "\(bytes)")
        }
    }

    @Test("A frame made to expand in memory is refused before it does")
    func expansion() {
        func repeated(_ field: [UInt8]) -> [UInt8] { (0..<60_000).flatMap { _ in field } }
        // Two bytes on the wire for an empty item, more than a hundred in memory.
        let items = repeated([2 << 3 | 2, 0])
        #expect(failure(AuthorityReply.self, items) == .init(reason: .tooLarge))
        let unknown = repeated([15 << 3, 1])
        #expect(failure(Done.self, unknown) == .init(reason: .tooLarge))
    }

    @Test("The largest replies between our own processes fit")
    func largest() throws {
        let revoked = DeviceRevoked(account: 12, device: String(repeating: "d", count: 36), atUs: 1_790_000_000_000_000)
        let reply = AuthorityReply(revoked: Array(repeating: revoked, count: 100_000))
        #expect(try AuthorityReply.decode(reply.encode()) == reply)
        let body = Reply(body: [UInt8](repeating: 1, count: 1_048_576))
        #expect(try Reply.decode(body.encode()) == body)
    }

    @Test("The arena allocates the requested memory, up to its bound")
    func arena() {
        Arena.with(allowed: 100_000) { arena in
            var taken = 0
            while let piece = arena.pointee.allocate(1000) {
                memset(piece, 0xAB, 1000)
                #expect(Arena.size(of: piece) == 1000)
                #expect(UInt(bitPattern: piece) % 8 == 0)
                taken += 1000
            }
            #expect(taken == 99_000)
            #expect(arena.pointee.refused)
            #expect(arena.pointee.allocate(-1) == nil)
            #expect(arena.pointee.allocate(.max) == nil)
        }
    }

    @Test("A failure has a readable description")
    func words() {
        let failure = DecodeFailure(reason: .outOfLimit, field: "message.text")
        #expect("\(failure)" == "\"message.text\" is longer than allowed or not of the required length.")
    }
}
