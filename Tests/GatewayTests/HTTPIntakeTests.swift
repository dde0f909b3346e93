import NIOCore
import Testing

@testable import GatewayService

@Suite("What waits on an HTTP connection") struct HTTPIntakeTests {
    private let head = "GET / HTTP/1.1\r\nHost: parley\r\n\r\n"

    /// Takes pieces until nothing more can be parsed.
    private func pieces(_ intake: inout HTTPIntake) -> (pieces: [String], last: HTTPIntake.Step) {
        var pieces: [String] = []
        while true {
            let step = intake.next()
            guard case .parse(let piece) = step else { return (pieces, step) }
            pieces.append(String(buffer: piece))
        }
    }

    private func intake(_ texts: String...) -> HTTPIntake {
        var intake = HTTPIntake()
        for text in texts { _ = intake.received(ByteBuffer(string: text)) }
        return intake
    }

    @Test("the parser gets one head at a time, wherever the network has cut them")
    func heads() {
        for ending in ["\r\n", "\n"] {
            let one = "GET / HTTP/1.1\(ending)Host: parley\(ending)\(ending)"
            for cut in 0...one.utf8.count {
                let text = Array((one + one).utf8)
                var intake = HTTPIntake()
                var all: [String] = []
                for part in [text[..<cut], text[cut...]] {
                    #expect([intake.received(ByteBuffer(bytes: part))] == [true])
                    all += pieces(&intake).pieces
                }
                // No piece goes on beyond the blank line at the end of a head.
                #expect(all.joined() == one + one)
                var lengths: [Int] = []
                for piece in all { lengths.append((lengths.last ?? 0) + piece.utf8.count) }
                #expect(lengths.contains(one.utf8.count), "\(cut): \(all)")
            }
        }
    }

    @Test("while it is held or paused, nothing is parsed, and nothing is read once something waits")
    func held() {
        for key in [\HTTPIntake.isHeld, \HTTPIntake.isPaused] {
            var intake = HTTPIntake()
            intake[keyPath: key] = true
            #expect(intake.wantsBytes == (key == \HTTPIntake.isHeld))
            #expect([intake.received(ByteBuffer(string: head))] == [true])
            #expect([intake.next()] == [.wait])
            #expect(!intake.wantsBytes)
            intake[keyPath: key] = false
            #expect(pieces(&intake) == ([head], .wait))
            #expect(intake.wantsBytes)
        }
    }

    @Test("a body is not cut where it has blank lines, and the next head begins after it")
    func bodies() {
        let body = "a\n\nb\r\n\r\nc\n\n"
        var intake = intake(head + body + head + head)
        #expect([intake.next()] == [.parse(ByteBuffer(string: head))])
        intake.expectBody(of: body.utf8.count)
        #expect(pieces(&intake) == ([body, head, head], .wait))
        intake = self.intake(head + "ab")
        #expect(pieces(&intake).pieces.first == head)
        intake = self.intake("ab")
        intake.expectBody(of: 5)
        #expect(pieces(&intake).pieces == ["ab"])
        #expect([intake.received(ByteBuffer(string: "cde" + head))] == [true])
        #expect(pieces(&intake).pieces == ["cde", head])
        intake.expectChunks()
        let chunks = "2\r\n\n\n\r\n0\r\n\r\n"
        #expect([intake.received(ByteBuffer(string: chunks))] == [true])
        #expect(pieces(&intake).pieces == [chunks])
    }

    @Test("in one slot all connections together have some of the time; the others wait in line, in their order")
    func turns() {
        var turns = HTTPTurns<Int>()
        let (share, piece) = (HTTPTurns<Int>.share, TimeAmount.microseconds(100))
        #expect(turns.isFree && !turns.isInUse)
        turns.spend(share - piece)
        #expect(turns.isFree && turns.isInUse)
        turns.spend(piece * 2)
        #expect(!turns.isFree)
        for member in 1...5 { turns.wait(member) }
        #expect([turns.next()] == [nil])
        /// Who has a turn in the next slot, if each takes so long.
        func slot(_ time: TimeAmount) -> [Int] {
            turns.nextSlot()
            var members: [Int] = []
            while let member = turns.next() {
                turns.spend(time)
                members.append(member)
            }
            return members
        }
        #expect(slot(piece) == [1, 2], "what was too much is missing")
        #expect(!turns.isFree, "nobody overtakes the line")
        #expect(slot(share * 3) == [3])
        #expect(slot(piece) == [] && slot(piece) == [] && slot(piece) == [4, 5])
        #expect(turns.isFree && turns.isInUse)
        #expect(slot(piece) == [] && !turns.isInUse)
    }

    @Test("what waits is bounded in bytes, heads included; beyond it everything is dropped")
    func bounded() {
        var intake = HTTPIntake()
        intake.isHeld = true
        let chunk = ByteBuffer(string: String(repeating: head, count: 100))
        var count = 0
        while count < 1000, intake.received(chunk) { count += 1 }
        #expect(count == HTTPIntake.bytesMax / chunk.readableBytes)
        #expect(intake.isDiscarding)
        #expect([intake.rest()] == [ByteBuffer()])
        #expect([intake.received(chunk)] == [true])
        #expect([intake.next()] == [.wait])
        #expect(intake.wantsBytes)
    }

    @Test("the end of the client's side comes after everything it has sent, and once")
    func end() {
        var intake = intake(head)
        intake.receivedEnd()
        #expect(pieces(&intake) == ([head], .end))
        #expect([intake.next()] == [.wait])
        intake = self.intake(head)
        intake.isHeld = true
        intake.receivedEnd()
        #expect([intake.next()] == [.wait])
        intake.discard()
        #expect([intake.next(), intake.next()] == [.end, .wait])
    }

    @Test("what follows the handshake of a session is passed on as it is")
    func rest() {
        var intake = intake("frames")
        #expect([intake.rest()] == [ByteBuffer(string: "frames")])
        #expect([intake.next()] == [.wait])
    }
}
