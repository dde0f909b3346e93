import Schema
import Testing

@testable import GatewayService

@Suite struct SessionQueueTests {
    private func offer(
        _ queue: SessionQueue<String>, _ frame: String, _ kind: UpdateClass?, key: String = "", size: Int = 100,
        pending: Int = 0
    ) -> SessionQueue<String>.Verdict {
        queue.offer(frame, size: size, kind: kind, key: key, pending: pending, limit: 500)
    }

    private func rest(_ queue: SessionQueue<String>) -> [String] {
        var rest: [String] = []
        while let frame = queue.next() { rest.append(frame) }
        return rest
    }

    @Test(
        "the verdict on a frame depends on its class and the bytes already waiting",
        arguments: [
            (0, 500, nil, .held), (0, 501, nil, .overflow), (0, 100, .ephemeral, .dropped),
            (0, 501, .ephemeral, .dropped), (400, 100, .durable, .held), (401, 100, .durable, .overflow),
            (401, 100, nil, .overflow), (401, 100, .unspecified, .overflow), (400, 100, .collapsible, .held),
            (401, 100, .collapsible, .overflow),
        ] as [(Int, Int, UpdateClass?, SessionQueue<String>.Verdict)])
    func verdicts(_ pending: Int, _ size: Int, _ kind: UpdateClass?, _ verdict: SessionQueue<String>.Verdict) {
        let queue = SessionQueue<String>()
        #expect(offer(queue, "x", kind, key: "k", size: size, pending: pending) == verdict)
        #expect(queue.bytes == (verdict == .held ? size : 0))
    }

    @Test("only the last frame of a collapse key is kept, at the position of the first; all others keep their order")
    func collapse() {
        let queue = SessionQueue<String>()
        #expect(offer(queue, "a1", .collapsible, key: "a") == .held)
        #expect(offer(queue, "1", .durable) == .held)
        #expect(offer(queue, "b1", .collapsible, key: "b") == .held)
        #expect(offer(queue, "typing", .ephemeral) == .dropped)
        #expect(offer(queue, "a2", .collapsible, key: "a", size: 150) == .merged)
        #expect(queue.bytes == 350)
        #expect(offer(queue, "reply", nil) == .held)
        #expect(offer(queue, "a3", .collapsible, key: "a", size: 50) == .merged)
        #expect(rest(queue) == ["a3", "1", "b1", "reply"])
        #expect(queue.isEmpty && queue.bytes == 0)
        #expect(offer(queue, "a4", .collapsible, key: "a") == .held)
        #expect(rest(queue) == ["a4"])
    }

    @Test("a replacement counts by its difference in size; a frame already taken can no longer be replaced")
    func replacing() {
        let queue = SessionQueue<String>()
        _ = offer(queue, "a1", .collapsible, key: "a", size: 400)
        #expect(offer(queue, "a2", .collapsible, key: "a", size: 500) == .merged)
        #expect(offer(queue, "a3", .collapsible, key: "a", size: 501) == .overflow)
        #expect(queue.next() == "a2")
        #expect(offer(queue, "a4", .collapsible, key: "a", size: 10) == .held)
        #expect(rest(queue) == ["a4"])
    }

    @Test("in any sequence the bound holds, order is kept, and no durable frame is lost")
    func property() {
        for seed in 1...200 {
            var random = SplitMix(seed: UInt64(seed))
            let queue = SessionQueue<String>()
            var expected: [(name: String, key: String, size: Int)] = []
            for number in 0..<400 {
                if random.next() % 3 == 0 {
                    let first = expected.isEmpty ? nil : expected.removeFirst()
                    #expect(queue.next() == first?.name)
                    continue
                }
                let size = Int(random.next() % 120) + 1
                let kind: UpdateClass? = [nil, .durable, .collapsible, .ephemeral][Int(random.next() % 4)]
                let key = kind == .collapsible ? "k\(random.next() % 3)" : ""
                let name = "\(number)"
                let bytes = queue.bytes
                let index = key.isEmpty ? nil : expected.firstIndex { $0.key == key }
                switch offer(queue, name, kind, key: key, size: size) {
                case .held: expected.append((name, key, size))
                case .merged: expected[index!] = (name, key, size)
                case .dropped: #expect(kind == .ephemeral)
                case .overflow:
                    #expect(kind != .ephemeral)
                    #expect(bytes - (index.map { expected[$0].size } ?? 0) + size > 500)
                }
                #expect(queue.bytes <= 500 && queue.bytes == expected.reduce(0) { $0 + $1.size })
            }
            #expect(rest(queue) == expected.map(\.name))
        }
    }
}

/// Random numbers reproducible from a seed.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
