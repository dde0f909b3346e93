import Foundation
import TestSupport
import Testing

@testable import LabCommand

@Suite("The way of one request", .timeLimit(.minutes(5)))
struct BenchHopsTests {
    @Test("a thread's stretches end where it waits, a wait that is over at once is none, and the oldest notes give way")
    func notes() {
        var notes = Notes(capacity: 8)
        notes.add(.wait, thread: 7, 1_000, 50_000)
        notes.add(.read, thread: 7, 51_000, 52_000)
        notes.add(.wait, thread: 7, 53_000, 54_000)
        notes.add(.write, thread: 7, 55_000, 56_000)
        notes.add(.sync, thread: 8, 55_000, 75_000)
        notes.add(.wait, thread: 7, 60_000, 90_000)
        let first = Stretch(place: "p 7", woke: 50_000, slept: 60_000, reads: 1, writes: 1)
        let other = Stretch(place: "p 8", woke: 55_000, slept: 75_000, syncs: 20_000)
        let last = Stretch(place: "p 7", woke: 90_000, slept: 90_000)
        #expect(notes.stretches == [first, other, last])
        for number in 1...8 { notes.add(.read, thread: 9, UInt64(number) * 100_000, UInt64(number) * 100_000 + 1) }
        #expect(notes.stretches == [Stretch(place: "p 9", woke: 100_000, slept: 800_001, reads: 8)])
        #expect(HopNotes.stretches(in: Data()) { _ in "" } == [], "a process that noted nothing")
    }

    @Test("a hop is a thread that woke for at least half of the requests; each further time it woke is one more")
    func figures() {
        func at(_ number: UInt64, _ microseconds: UInt64) -> UInt64 { number * 10_000_000 + microseconds * 1000 }
        let samples = (1...4).map { HopFigures.Sample(sent: at($0, 0), answered: at($0, 900), end: at($0, 5000)) }
        var stretches = [Stretch(place: "late", woke: at(0, 9000), slept: at(0, 9500))]
        for number: UInt64 in 1...4 {
            stretches.append(.init(place: "gateway", woke: at(number, 100), slept: at(number, 150), reads: 1))
            if number == 1 { stretches.append(.init(place: "seldom", woke: at(1, 200), slept: at(1, 300))) }
            stretches.append(.init(place: "gateway", woke: at(number, 700), slept: at(number, 800), writes: 1))
            stretches.append(.init(place: "entities", woke: at(number, 2000), slept: at(number, 2500), syncs: 300_000))
        }
        let found = HopFigures("send", samples, stretches)
        #expect(found.p50Ms == 0.9 && found.wakeUps == 2 && found.wakeUpsAfter == 1)
        let one = HopFigures.Hop(
            place: "gateway", wokeAtUs: 100, workedUs: 50, syncUs: 0, reads: 1, writes: 0, isAfterAnswer: false)
        let two = HopFigures.Hop(
            place: "gateway", wokeAtUs: 700, workedUs: 100, syncUs: 0, reads: 0, writes: 1, isAfterAnswer: false)
        let three = HopFigures.Hop(
            place: "entities", wokeAtUs: 2000, workedUs: 500, syncUs: 300, reads: 0, writes: 0, isAfterAnswer: true)
        #expect(found.hops == [one, two, three])
    }

    @Test("a send passes the gateway, messaging and PostgreSQL; a ping does not leave the gateway")
    func ways() async throws {
        let program = try Program("parley-lab")
        defer { program.remove() }
        let outcome = try await program.run(["bench", "hops", "--times", "20", "--json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let ways = try decoder.decode([Way].self, from: Data(outcome.output.utf8))
        #expect(ways.map(\.request) == ["ping", "read", "send", "typing"])
        let (ping, send) = (try #require(ways.first), try #require(ways.first { $0.request == "send" }))
        let places = send.hops.filter { !$0.isAfterAnswer }.map(\.place)
        for part in ["gateway-1 reactor", "messaging-1 reactor", "messaging-1 ZMQ", "postgres parley_messaging"] {
            #expect(places.contains { $0.hasPrefix(part) }, "\(part) among \(places)")
        }
        #expect(ping.hops.allSatisfy { $0.isAfterAnswer || $0.place.hasPrefix("gateway-1 NIO") }, "\(ping.hops)")
        #expect(ping.wakeUps < send.wakeUps)
        #expect(send.hops.contains { $0.syncUs > 0 }, "a commit waits for the disk: \(send.hops)")
        let refused = try await program.run(["bench", "hops", "--binaries", "/nowhere"])
        #expect(refused.status != 0 && refused.errors.contains("/nowhere"), "\(refused.errors)")
    }

    private struct Way: Decodable {
        struct Hop: Decodable {
            var place: String
            var syncUs: Double
            var isAfterAnswer: Bool
        }

        var request: String
        var wakeUps: Int
        var hops: [Hop]
    }

    /// A file of notes as `hops.c` writes it.
    private struct Notes {
        enum Call: UInt16 { case wait = 1, read, write, sync }

        private let capacity: Int
        private var count: UInt64 = 0
        private var records: [UInt8]

        init(capacity: Int) {
            self.capacity = capacity
            records = Array(repeating: 0, count: capacity * 32)
        }

        mutating func add(_ call: Call, thread: UInt32, _ began: UInt64, _ ended: UInt64) {
            let at = Int(count) % capacity * 32
            count += 1
            func put(_ value: some FixedWidthInteger, _ offset: Int, in records: inout [UInt8]) {
                withUnsafeBytes(of: value.littleEndian) { bytes in
                    for (index, byte) in bytes.enumerated() { records[at + offset + index] = byte }
                }
            }
            put(began, 0, in: &records)
            put(ended, 8, in: &records)
            put(thread, 16, in: &records)
            put(call.rawValue, 20, in: &records)
        }

        var stretches: [Stretch] {
            var file = Data(count: 32)
            withUnsafeBytes(of: count.littleEndian) { file.replaceSubrange(0..<8, with: $0) }
            return HopNotes.stretches(in: file + records) { "p \($0)" }
        }
    }
}
