import Monitor
import NIOHTTP1
import Schema
import Testing

@testable import GatewayService

@Suite struct ExchangeBookTests {
    @Test("uploads leave a quarter of the places to downloads, one address has a quarter, and what ends makes room")
    func places() {
        var book = ExchangeBook(total: 8, perAccount: 1)
        func begin(_ kind: ExchangeBook.Kind, _ places: String...) -> [Bool] {
            places.map { book.begin(kind, from: $0) }
        }
        func assign(_ kind: ExchangeBook.Kind, _ accounts: Int64...) -> [Bool] {
            accounts.map { book.assign(kind, to: $0, begunAt: 1) }
        }
        #expect(begin(.upload, "a", "a", "a") == [true, true, false])
        #expect(begin(.download, "a") == [false])
        #expect(!book.isShort(of: .upload))
        #expect(begin(.upload, "b", "b", "c", "c", "d") == [true, true, true, true, false])
        #expect(book.isShort(of: .upload) && !book.isShort(of: .download))
        #expect(begin(.download, "d", "d", "e") == [true, true, false])
        #expect(assign(.upload, 1, 2, 1) == [true, true, false])
        #expect(assign(.download, 1) == [true])
        book.end(.upload, from: "a", of: 1)
        #expect(begin(.download, "a") == [true])
        #expect(assign(.upload, 1) == [true])
        #expect(assign(.download, 1) == [false])
        book.end(.download, from: "a", of: nil)
        #expect(begin(.upload, "a") == [true])
    }

    @Test("an exchange that began before all devices of its account were signed out is not assigned to it")
    func revoked() {
        var book = ExchangeBook(total: 8, perAccount: 4)
        let (time, later) = (Int64(1_000_000_000), Int64(1_000_000_000) + ExchangeBook.clocksApart + 1)
        func assign(_ account: Int64, _ begunAt: Int64) -> Bool {
            book.assign(.download, to: account, begunAt: begunAt)
        }
        func revoked(_ account: Int64, at time: Int64, now: Int64) -> Int64 {
            book.revoked(account, at: time, now: now)
        }
        #expect(revoked(1, at: time, now: time + 2) == time + 2)
        #expect(!assign(1, time - 1))
        #expect(!assign(1, time + 1), "the news was under way")
        #expect(assign(1, time + 3))
        #expect(assign(2, time - 1))
        // The news comes late, and the clocks may differ.
        #expect(revoked(4, at: time, now: later + 100) == later - 1)
        #expect(!assign(4, later - 1))
        #expect(assign(4, later))
        // An older one, as after a gap, changes nothing.
        #expect(revoked(1, at: time - 2 * ExchangeBook.clocksApart, now: time) < time)
        #expect(!assign(1, time))
        // No exchange takes longer until it is known whose it is.
        _ = revoked(3, at: time, now: later + ExchangeBook.remembered)
        #expect(assign(1, time - 1))
    }
}

@Suite struct DenyListTests {
    @Test("a token is void if its device, or all devices, were revoked when it was issued or later")
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
        list.add(DeviceRevoked(account: 1, device: "phone", atUs: 500))  // An older revocation changes nothing.
        #expect(list.denies(account: 1, device: "phone", issuedAt: 1000))
    }

    @Test("a revocation is forgotten once every token it voids has expired")
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
        SessionOpened(session: "s\(number)", account: Int64(number))
    }

    @Test("the first report is full, the next holds only changes, and an empty one is a sign of life")
    func changes() {
        var reports = SessionReports(gateway: "g")
        #expect(reports.next { [opened(1)] } == SessionsReport(gateway: "g", full: true, opened: [opened(1)]))
        reports.opened(opened(2))
        reports.closed("s1")
        #expect(reports.next { [] } == nil)  // One report at a time.
        reports.answered(sendFull: false)
        #expect(reports.next { [] } == SessionsReport(gateway: "g", full: false, opened: [opened(2)], closed: ["s1"]))
        reports.answered(sendFull: false)
        #expect(!reports.hasNews)
        #expect(reports.next { [] } == SessionsReport(gateway: "g"))
    }

    @Test("a full list follows a missing reply, a request for it, and the return of a replica")
    func full() {
        for upset: (inout SessionReports) -> Void in [
            { $0.answered(sendFull: nil) }, { $0.answered(sendFull: true) },
            {
                $0.answered(sendFull: false)
                $0.wasLost()
            },
        ] {
            var reports = SessionReports(gateway: "g")
            _ = reports.next { [] }
            upset(&reports)
            #expect(reports.next { [opened(3)] }?.full == true)
        }
    }

    @Test("a full list longer than a report is sent in several, and changes meanwhile follow it")
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

    @Test("a full list that fills its last report is followed by an empty report, which shows its end")
    func brimful() {
        var reports = SessionReports(gateway: "g")
        #expect(reports.next { (0..<SessionReports.largest).map(opened) }?.opened.count == SessionReports.largest)
        reports.answered(sendFull: false)
        #expect(reports.hasNews)
        #expect(reports.next { [] } == SessionsReport(gateway: "g"))
        reports.answered(sendFull: false)
        #expect(!reports.hasNews)
    }

    @Test("no changes are kept for a replica that is away; it later receives a full list")
    func away() {
        var reports = SessionReports(gateway: "g")
        for number in 0..<1000 {
            reports.opened(opened(number))
            reports.closed("s\(number)")
        }
        #expect(reports.next { [opened(7)] } == SessionsReport(gateway: "g", full: true, opened: [opened(7)]))
        reports.answered(sendFull: false)
        reports.opened(opened(8))
        reports.wasLost()
        reports.closed("s8")
        #expect(reports.next { [opened(7)] } == SessionsReport(gateway: "g", full: true, opened: [opened(7)]))
    }
}

@Suite struct ServiceHealthTests {
    @Test(
        "a service is as healthy as its best replica; reasons are listed only while no replica is ready",
        arguments: [
            ([(true, true, ""), (true, true, "")], true, true, "[]"),
            ([(true, true, ""), (false, false, "gone")], true, true, "[]"),
            ([(true, false, "starting"), (false, false, "gone")], true, false, #"["starting","gone"]"#),
            ([(false, false, "gone"), (false, false, "gone")], false, false, #"["gone"]"#),
        ] as [([(Bool, Bool, String)], Bool, Bool, String)])
    func best(_ replicas: [(Bool, Bool, String)], _ live: Bool, _ ready: Bool, _ reasons: String) {
        let health = ServiceHealth(
            name: "messaging",
            replicas: replicas.enumerated().map { number, state in
                .init(
                    instance: "m\(number)", isLive: state.0, isReady: state.1, reasons: state.2.isEmpty ? [] : [state.2]
                )
            })
        #expect(health.isReady == ready)
        #expect(
            health.json.hasPrefix(
                "{\"live\":\(live),\"ready\":\(ready),\"reasons\":\(reasons),\"replicas\":[{\"instance\":\"m0\",\"live\":"
            ),
            "\(health.json)")
    }
}

@Suite struct JSONTests {
    @Test("text is quoted as JSON requires")
    func quote() {
        #expect(JSON.quote("a\"b\\c\n\u{1}é") == "\"a\\\"b\\\\c\\n\\u0001é\"")
    }
}

@Suite struct NewcomerBookTests {
    @Test("one place has its limit, and a quarter of what is free at most; what ends makes room")
    func places() {
        var book = NewcomerBook(total: 1000, perPlace: 200)
        #expect((0..<300).count { _ in book.begin("a") } == 200)
        #expect((0..<300).count { _ in book.begin("b") } == 160)
        book.end("b")
        #expect([book.begin("b"), book.begin("b")] == [true, false])
        #expect(book.count == 360 && !book.isShort)
    }

    @Test("however many places want all they can get, another one gets in")
    func fairness() {
        for count in [1, 5, 50, 200] {
            var book = NewcomerBook(total: 1000, perPlace: 200)
            for number in 0..<count * 1000 { _ = book.begin("hostile \(number % count)") }
            let isIn = book.begin("friend")
            #expect(isIn, "\(count) places have \(book.count)")
        }
    }

    @Test("connections of trusted proxies count in the total only")
    func proxies() {
        var book = NewcomerBook(total: 8, perPlace: 1)
        #expect((0..<10).count { _ in book.begin(nil) } == 8)
        #expect(book.isShort)
        #expect([book.begin("a")] == [false])
        for _ in 0..<8 { book.end(nil) }
        #expect(book.count == 0)
        #expect([book.begin("a")] == [true])
    }
}

@Suite struct AllowedOriginsTests {
    @Test("apps send no origin; pages of the same host are allowed, and those that are listed, or all")
    func allows() {
        let listed = ["https://chat.example.com", "app://Parley", "http://Beta.example.com:80"]
        for (origins, origin, host, isAllowed): ([String], String?, String, Bool) in [
            ([], nil, "parley", true), (listed, nil, "parley", true),
            ([], "https://parley", "parley", true), ([], "https://Parley:443", "parley", true),
            ([], "http://127.0.0.1:8080", "127.0.0.1:8080", true), ([], "http://parley", "parley:80", true),
            ([], "https://evil.example", "parley", false), ([], "http://parley:8081", "parley:8080", false),
            ([], "null", "parley", false), ([], "", "parley", false),
            ([], "https://parley.evil.example", "parley", false),
            (listed, "https://chat.example.com", "parley", true), (listed, "APP://parley", "parley", true),
            (listed, "https://parley", "parley", true), (listed, "http://chat.example.com", "parley", false),
            (listed, "https://CHAT.example.com:443", "parley", true), (listed, "http://beta.example.com", "x", true),
            (listed, "https://chat.example.com:8443", "parley", false), (listed, "null", "parley", false),
            (listed, "https://chat.example.com.evil.example", "parley", false),
            (["*"], "https://evil.example", "parley", true), (["*"], "null", "parley", true),
            // IPv6, with and without the port that the scheme says.
            ([], "http://[::1]:8080", "[::1]:8080", true), ([], "http://[::1]", "[::1]:80", true),
            ([], "https://[2001:DB8::1]", "[2001:db8::1]:443", true), ([], "http://[::80]", "[:", false),
            ([], "http://[::1]:8081", "[::1]:8080", false), ([], "http://::1", "[::1]", false),
            // Names that only look alike.
            ([], "https://parley.", "parley", false), ([], "https://parley", "parley.", false),
            ([], "https://parley.", "parley.", true), ([], "https://user@parley", "parley", false),
            ([], "https://parley/", "parley", false), ([], "https://parley, https://parley", "parley", false),
            ([], "https://parley:", "parley", false), ([], "https://parley:0443", "parley", false),
            ([], "ws://parley", "parley", false), ([], "file://", "", false), ([], "https://", "", false),
            ([], "https://:443", "", false), ([], "parley", "parley", false), ([], " https://parley", "parley", false),
            ([], "http://parley:443", "parley", false), ([], "https://parley:80", "parley", false),
        ] {
            var headers: HTTPHeaders = ["Host": host]
            if let origin { headers.add(name: "Origin", value: origin) }
            #expect(AllowedOrigins.list(origins).allowed?.allow(headers) == isAllowed, "\(origins) \(origin ?? "none")")
        }
        let two: HTTPHeaders = ["Host": "parley", "Origin": "https://parley", "origin": "https://evil.example"]
        #expect(!AllowedOrigins().allow(two))
        let same: HTTPHeaders = ["Host": "parley", "Origin": "https://parley", "origin": "https://parley"]
        #expect(!AllowedOrigins().allow(same) && AllowedOrigins.list(["*"]).allowed?.allow(same) == false)
        let hosts: HTTPHeaders = ["Host": "parley", "host": "evil.example", "Origin": "https://evil.example"]
        #expect(!AllowedOrigins().allow(hosts) && !AllowedOrigins().allow(["Origin": "https://evil.example"]))
    }

    @Test("a gateway that encrypts takes a page of its host without encryption for another's")
    func encrypted() {
        for (origin, host, isAllowed) in [
            ("https://parley", "parley", true), ("https://parley", "parley:443", true),
            ("https://parley:8443", "parley:8443", true), ("http://parley", "parley", false),
            ("http://parley:443", "parley:443", false), ("http://parley:80", "parley:80", false),
        ] {
            let headers: HTTPHeaders = ["Host": host, "Origin": origin]
            #expect(AllowedOrigins.list([], isEncrypted: true).allowed?.allow(headers) == isAllowed, "\(origin)")
        }
        let listed = AllowedOrigins.list(["http://parley"], isEncrypted: true).allowed
        #expect(listed?.allow(["Host": "parley", "Origin": "http://parley"]) == true)
    }

    @Test(
        "what is no origin is refused at the start",
        arguments: [
            "chat.example.com", "https://chat.example.com/", "https://", "*.example.com", "https://*.example.com",
        ])
    func wrong(text: String) {
        #expect(AllowedOrigins.list(["https://a.example", text]).wrong == text)
        #expect(AllowedOrigins.list(["*", "https://a.example"]).wrong == "*")
    }
}
