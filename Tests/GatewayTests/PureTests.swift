import Schema
import Testing

@testable import GatewayService

@Suite struct SessionQueueTests {
    @Test(
        "what a frame meets when bytes wait already",
        arguments: [
            (0, 600, nil, .send), (0, 600, .durable, .send), (0, 600, .ephemeral, .send),
            (100, 100, .ephemeral, .drop),
            (100, 100, .collapsible, .send), (250, 10, .collapsible, .drop),
            (100, 100, .durable, .send), (450, 100, .durable, .resync), (450, 100, .unspecified, .resync),
            (450, 100, nil, .resync), (450, 50, nil, .send),
        ] as [(Int, Int, UpdateClass?, SessionQueue.Decision)])
    func decide(_ pending: Int, _ size: Int, _ kind: UpdateClass?, _ decision: SessionQueue.Decision) {
        #expect(SessionQueue.decide(pending: pending, adding: size, kind: kind, limit: 500) == decision)
    }
}

@Suite struct DenyListTests {
    @Test("a token is void when its device, or all devices, were revoked at its making or later")
    func denies() {
        var list = DenyList(lifetime: 900)
        list.add(DeviceRevoked(account: 1, device: "phone", atUs: 1000))
        list.add(DeviceRevoked(account: 2, device: "", atUs: 1000))
        for (account, device, issued, denied): (Int64, String, Int64, Bool) in [
            (1, "phone", 999, true), (1, "phone", 1000, true), (1, "phone", 1001, false), (1, "tablet", 999, false),
            (2, "any", 1000, true), (2, "any", 1001, false), (3, "phone", 1, false),
        ] {
            #expect(list.denies(account: account, device: device, issuedAt: issued) == denied)
        }
        list.add(DeviceRevoked(account: 1, device: "phone", atUs: 500))  // Older news changes nothing.
        #expect(list.denies(account: 1, device: "phone", issuedAt: 1000))
    }

    @Test("a revocation is forgotten once every token it voids has run out")
    func prune() {
        var list = DenyList(lifetime: 900)
        list.add(DeviceRevoked(account: 1, device: "a", atUs: 1000))
        list.add(DeviceRevoked(account: 1, device: "b", atUs: 1500))
        list.prune(now: 1899)
        #expect(list.count == 2)
        list.prune(now: 1900)
        #expect(list.count == 1)
        list.prune(now: 5000)
        #expect(list.count == 0)
    }
}

@Suite struct SessionReportsTests {
    private func opened(_ number: Int) -> SessionOpened {
        SessionOpened(session: "s\(number)", account: Int64(number), user: "u\(number)")
    }

    @Test("the first report is full, the next only tells what changed, and an empty one is a sign of life")
    func changes() {
        var reports = SessionReports(gateway: "g")
        #expect(reports.next { [opened(1)] } == SessionsReport(gateway: "g", full: true, opened: [opened(1)]))
        reports.opened(opened(2))
        reports.closed("s1")
        #expect(reports.next { [] } == nil)  // One at a time.
        reports.answered(sendFull: false)
        #expect(reports.next { [] } == SessionsReport(gateway: "g", full: false, opened: [opened(2)], closed: ["s1"]))
        reports.answered(sendFull: false)
        #expect(!reports.hasNews)
        #expect(reports.next { [] } == SessionsReport(gateway: "g"))
    }

    @Test("no answer, being asked to, or a presence that came back leads to a full list")
    func full() {
        for upset: (inout SessionReports) -> Void in [
            { $0.answered(sendFull: nil) }, { $0.answered(sendFull: true) },
            {
                $0.answered(sendFull: false)
                $0.presenceCameBack()
            },
        ] {
            var reports = SessionReports(gateway: "g")
            _ = reports.next { [] }
            upset(&reports)
            #expect(reports.next { [opened(3)] }?.full == true)
        }
    }

    @Test("a full list longer than a report goes in several, and what changes meanwhile comes after")
    func long() {
        var reports = SessionReports(gateway: "g")
        let all = (0..<SessionReports.largest + 5).map(opened)
        let first = reports.next { all }
        #expect(first?.full == true && first?.opened.count == SessionReports.largest)
        reports.closed("s3")
        reports.answered(sendFull: false)
        let second = reports.next { [] }
        #expect(second?.full == false && second?.opened.count == 5 && second?.closed == [])
        reports.answered(sendFull: false)
        #expect(reports.next { [] }?.closed == ["s3"])
    }
}

@Suite struct LaneWatchTests {
    @Test("a jump within a lane is a loss; the first number, the same again and other lanes are not")
    func missed() {
        var watch = LaneWatch()
        for (service, lane, number, missed): (Int, UInt32, Int64, Int64) in [
            (0, 1, 40, 0), (0, 1, 41, 0), (0, 1, 41, 0), (0, 1, 44, 2), (0, 2, 90, 0), (1, 1, 7, 0), (0, 1, 45, 0),
            (0, 0, 0, 0), (0, 0, 9, 0),
        ] {
            let header = UpdateHeader(lane: lane, number: number, kind: "Message")
            #expect(watch.missed(before: header, of: service) == missed)
        }
    }

    @Test("a word that a lane is committed further than was heard of is a loss, once; a word of what is known is none")
    func words() {
        var watch = LaneWatch()
        for (number, kind, missed): (Int64, String, Int64) in [
            (40, "Message", 0), (40, "", 0), (41, "", 1), (41, "", 0), (42, "Message", 0), (45, "", 3),
            (46, "Message", 0),
        ] {
            #expect(watch.missed(before: UpdateHeader(lane: 1, number: number, kind: kind), of: 0) == missed)
        }
    }
}

@Suite struct JSONTests {
    @Test("text is quoted as JSON asks")
    func quote() {
        #expect(JSON.quote("a\"b\\c\n\u{1}é") == "\"a\\\"b\\\\c\\n\\u0001é\"")
    }
}
