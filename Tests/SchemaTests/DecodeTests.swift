import Testing

@testable import Schema

@Suite("Bytes that decode accepts")
struct DecodeTests {
    @Test("A message of every type comes back as it was encoded")
    func roundTrip() throws {
        func check<Message: Sampled>(_ type: Message.Type, _ sampler: inout Sampler) throws {
            let message = Message.sample(&sampler)
            let bytes = message.encode()
            #expect(try Message.decode(bytes) == message)
            #expect(try Message.decode(([7] + bytes + [7])[1..<(bytes.count + 1)]) == message)
        }
        var sampler = Sampler(seed: 1)
        #expect(everyMessage.count > 50)
        for type in everyMessage {
            for _ in 0..<100 { try check(type, &sampler) }
        }
    }

    @Test("Truncated, damaged and random bytes are decoded or refused, and a decoded message can be encoded")
    func torture() {
        func check<Message: Sampled>(_ type: Message.Type, _ sampler: inout Sampler) {
            var bytes = Message.sample(&sampler).encode()
            switch sampler.pick(3) {
            case 0: bytes.removeLast(sampler.pick(bytes.count + 1))
            case 1: for _ in 0..<3 where !bytes.isEmpty { bytes[sampler.pick(bytes.count)] = UInt8(sampler.pick(256)) }
            default: bytes = sampler.bytes(count: sampler.pick(64))
            }
            guard let decoded = try? Message.decode(bytes) else { return }
            _ = decoded.encode()
        }
        var sampler = Sampler(seed: 2)
        for _ in 0..<(100_000 / everyMessage.count + 1) {
            for type in everyMessage { check(type, &sampler) }
        }
    }

    @Test("Empty bytes are the message with nothing set")
    func empty() throws {
        #expect(try SendMessageRequest.decode([]) == SendMessageRequest())
        #expect(SendMessageRequest().encode() == [])
    }

    @Test("Unknown fields are ignored")
    func unknownFields() throws {
        let request = SendMessageRequest(conversation: "c", text: "hi")
        let bytes = request.encode() + delimited(15, "from the future") + [14 << 3, 5]
        #expect(try SendMessageRequest.decode(bytes) == request)
    }

    @Test("Unknown enum values are kept", arguments: [9, 1_000_000, -1, Int32.min, Int32.max])
    func unknownEnum(rawValue: Int32) throws {
        let message = Message(kind: MessageKind(rawValue: rawValue))
        #expect(message.kind == .unrecognized(rawValue))
        #expect(try Message.decode(message.encode()) == message)
    }

    @Test("The last of several values of a oneof or a plain field counts")
    func lastCounts() throws {
        let bytes =
            ClientFrame(frame: .ping(Ping(id: 3))).encode()
            + ClientFrame(frame: .hello(Hello(version: 1))).encode()
        #expect(try ClientFrame.decode(bytes) == ClientFrame(frame: .hello(Hello(version: 1))))
        #expect(try SendMessageRequest.decode(delimited(4, "a") + delimited(4, "b")).text == "b")
        #expect(try SendMessageRequest.decode(delimited(4, "a") + delimited(4, "")).text == "")
    }

    @Test("An empty message is distinguished from an absent one")
    func presence() throws {
        #expect(try FindUserReply.decode(FindUserReply(user: User()).encode()).user == User())
        #expect(try FindUserReply.decode(FindUserReply().encode()).user == nil)
        let zero = GetHistoryRequest(from: .beforeSeq(0))
        #expect(try GetHistoryRequest.decode(zero.encode()) == zero)
    }

    @Test("Methods have the names used in frames")
    func methods() {
        #expect(MessagingMethods.sendMessage.name == "messaging.SendMessage")
        #expect(ConversationsMethods.all.contains("conversations.StartDirect"))
        #expect(SendMessageRequest.messageName == "SendMessageRequest")
    }
}
