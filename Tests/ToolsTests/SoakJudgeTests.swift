import Testing

@testable import LabCommand

/// The judge of `parley-lab soak` notices what it is there for: each case has one thing that is wrong.
@Suite("The judge of the soak")
struct SoakJudgeTests {
    /// What a device of ada shows: a conversation with bo, with two messages of hers.
    private static func screen(_ change: (inout Screen) -> Void = { _ in }) -> Screen {
        var chat = Screen.Chat(
            id: "ab", title: "Bo", section: "inbox", request: "accepted", isGroup: false, name: "", members: ["a", "b"])
        chat.messages = [
            Screen.Message(id: "01", seq: 1, sender: "a", text: "m1 hello", status: "read"),
            Screen.Message(id: "02", seq: 2, sender: "b", text: "m2 hi"),
            Screen.Message(id: "03", seq: 3, sender: "a", text: "m3 how are you", status: "delivered"),
        ]
        (chat.readUpTo, chat.lastText) = (3, "m3 how are you")
        chat.receipts = ["b": .init(readUpTo: 2, deliveredUpTo: 3)]
        var screen = Screen()
        (screen.user, screen.profile, screen.inbox, screen.chats) = ("a", "Ada synced", ["ab", "aa"], [chat])
        screen.entities = [.init(kind: "reminder", id: "r", text: "e1", own: "false", facts: "", sync: "synced")]
        screen.presence = ["b": "online"]
        change(&screen)
        return screen
    }

    private func differences(_ change: (inout Screen) -> Void) -> [String] {
        SoakJudge.differences(Self.screen(change), fresh: Self.screen())
    }

    private func faults(_ change: (inout Screen) -> Void) -> [String] {
        SoakJudge.faults(Self.screen(change), unstable: [])
    }

    @Test("two equal screens have no difference, and nothing is wrong with them")
    func equal() {
        #expect(differences { $0.presence = [:] } == [], "presence is of the moment")
        #expect(faults { _ in } == [])
        #expect(SoakJudge.wronglyOffline(Self.screen(), there: ["a", "b"]) == [])
    }

    @Test("each part of a screen that differs from a fresh device's is named")
    func everyPart() {
        let changes: [(String, (inout Screen) -> Void)] = [
            ("inbox", { $0.inbox.reverse() }), ("profile", { $0.profile = "Eve synced" }),
            ("request count", { $0.requestCount = 1 }), ("requests", { $0.requests = ["x"] }),
            ("archived", { $0.archived = ["x"] }), ("reminder r", { $0.entities[0].own = "true" }),
            ("order of each reminder", { $0.entities = [] }),
            ("conversation ab own", { $0.chats[0].unread = 1 }),
            ("conversation ab own", { $0.chats[0].isPinned = true }),
            ("conversation ab own", { $0.chats[0].readUpTo = 2 }),
            ("conversation ab own", { $0.chats[0].mentions = 1 }),
            ("conversation ab last", { $0.chats[0].lastText = nil }),
            ("conversation ab gaps", { $0.chats[0].gaps = ["1–2"] }),
            ("conversation ab receipt of b", { $0.chats[0].receipts["b"]?.readUpTo = 1 }),
            ("conversation ab receipt of b", { $0.chats[0].receipts = [:] }),
            ("conversation ab message 01", { $0.chats[0].messages[0].status = "sent" }),
            ("conversation ab message 01", { $0.chats[0].messages[0].text = "m1 other" }),
            ("conversation ab message 01", { $0.chats[0].messages[0].isStarred = true }),
            ("conversation ab message 01", { $0.chats[0].messages[0].reactions = ["👍 1"] }),
            ("conversation ab message 02", { $0.chats[0].messages[1].isDeleted = true }),
            ("conversation ab message 03", { $0.chats[0].messages.removeLast() }),
            ("conversation ab message 03", { $0.chats[0].messages[2].sync = "pending" }),
            ("conversation ab", { $0.chats[0].members = ["a"] }), ("conversation ab", { $0.chats[0].title = "" }),
        ]
        for (place, change) in changes {
            #expect(differences(change).contains { $0.hasPrefix("\(place): ") }, "\(place)")
        }
    }

    @Test("doubles, a wrong order, gaps, unsent messages and stale ticks are wrong in a screen by itself")
    func alone() {
        #expect(faults { $0.chats[0].messages.append($0.chats[0].messages[2]) }.contains { $0.contains("twice") })
        #expect(faults { $0.inbox.append("ab") }.contains { $0.contains("twice") })
        #expect(faults { $0.chats[0].messages.swapAt(0, 1) }.contains { $0.contains("out of order") })
        #expect(faults { $0.chats[0].messages.remove(at: 1) }.contains { $0.contains("lacks the messages 2 to 2") })
        #expect(faults { $0.chats[0].gaps = ["2–2"] }.contains { $0.contains("has gaps") })
        #expect(faults { $0.chats[0].messages[2].seq = nil }.contains { $0.contains("is not sent") })
        #expect(faults { $0.chats[0].messages[0].status = "delivered" }.contains { $0.contains("it is read") })
        #expect(faults { $0.chats[0].messages[2].status = "read" }.contains { $0.contains("it is delivered") })
        #expect(faults { $0.chats[0].receipts = [:] }.contains { $0.contains("it is sent") })
        let holed = Self.screen { $0.chats[0].messages.remove(at: 1) }
        #expect(SoakJudge.faults(holed, unstable: ["ab"]) == [], "of a group that one left and joined again")
    }

    @Test("where members come and go, what is read by those who are gone is not compared, and all else is")
    func unstable() {
        let gone = Self.screen { screen in
            (screen.chats[0].receipts, screen.chats[0].messages[0].status) = ([:], "sent")
        }
        #expect(SoakJudge.differences(gone, fresh: Self.screen(), unstable: ["ab"]) == [])
        #expect(SoakJudge.differences(gone, fresh: Self.screen()).count == 2)
        let other = Self.screen { $0.chats[0].messages[0].text = "m1 other" }
        #expect(SoakJudge.differences(other, fresh: Self.screen(), unstable: ["ab"]).count == 1)
    }

    @Test("two people who see different messages, or a receipt that is not how far the other has read, are named")
    func others() {
        func bo(_ change: (inout Screen) -> Void = { _ in }) -> Screen {
            Self.screen { screen in
                screen.user = "b"
                (screen.chats[0].readUpTo, screen.chats[0].receipts) = (2, ["a": .init(readUpTo: 3, deliveredUpTo: 3)])
                change(&screen)
            }
        }
        func disagreements(_ bo: Screen) -> [String] {
            SoakJudge.disagreements(["a": Self.screen(), "b": bo], unstable: [])
        }
        #expect(disagreements(bo()) == [])
        #expect(disagreements(bo { $0.chats[0].messages.removeLast() }).contains { $0.contains("only one sees") })
        #expect(disagreements(bo { $0.chats[0].messages[0].text = "m1 x" }).contains { $0.contains("ab 1 is") })
        #expect(disagreements(bo { $0.chats[0].readUpTo = 3 }) == ["a is shown that b has read ab up to 2; it is 3"])
        #expect(!disagreements(bo { $0.chats[0].receipts = [:] }).isEmpty)
        func left(_ change: (inout Screen) -> Void) -> [String] {
            SoakJudge.disagreements(["a": Self.screen(), "b": bo(change)], unstable: ["ab"])
        }
        #expect(left { $0.chats[0].messages[0].reactions = ["👍 1"] } == [], "bo left before somebody reacted")
        #expect(left { $0.chats[0].messages[0].id = "09" }.count == 1, "one number is one message for everybody")
    }

    @Test("somebody who is there and looks offline, or is not shown, is named")
    func presence() {
        for presence in [["b": "offline"], [:]] {
            let screen = Self.screen { $0.presence = presence }
            #expect(SoakJudge.wronglyOffline(screen, there: ["a", "b"]).count == 1)
            #expect(SoakJudge.wronglyOffline(screen, there: ["a"]) == [])
        }
    }
}

/// The book of what devices promised.
@Suite("The promises of the soak")
struct SoakPromiseTests {
    private static func screen(_ messages: [Screen.Message], _ change: (inout Screen) -> Void = { _ in }) -> [String:
        Screen]
    {
        var chat = Screen.Chat(
            id: "ab", title: "Bo", section: "inbox", request: "accepted", isGroup: false, name: "Crew", members: [])
        chat.messages = messages
        var screen = Screen()
        (screen.user, screen.profile, screen.inbox, screen.chats) = ("a", "Ada synced", ["ab"], [chat])
        change(&screen)
        return ["a": screen]
    }

    private static let first = Screen.Message(id: "01", seq: 1, sender: "a", text: "m1 hello")

    private static func promises(
        _ writes: [(device: Int, place: String, value: String, answer: Bool?)]
    ) -> Promises {
        var promises = Promises()
        for (number, write) in writes.enumerated() {
            let name = write.place.hasPrefix("delete ") ? "m1" : nil
            promises.tries(
                .init(place: write.place, value: write.value, name: name), device: write.device, number: number,
                person: "a")
            guard let answer = write.answer else { continue }
            let id = write.place == "message ab m1" ? "01" : nil
            promises.answered(device: write.device, number: number, isRefused: !answer, id: id)
        }
        return promises
    }

    @Test("a message that was answered to is there once; one that was not may be; one that was refused is not")
    func messages() {
        let place = "message ab m1"
        let (none, one) = (Self.screen([]), Self.screen([Self.first]))
        let doubled = Screen.Message(id: "02", seq: 2, sender: "a", text: "m1 hello")
        let two = Self.screen([Self.first, doubled])
        let kept = Self.promises([(1, place, "there", true)])
        #expect(kept.broken(one) == [])
        #expect(kept.broken(none).contains { $0.contains("was promised and is not there") })
        #expect(kept.broken(two).contains { $0.contains("2 times") })
        let uncertain = Self.promises([(1, place, "there", nil)])
        #expect(uncertain.broken(one) == [] && uncertain.broken(none) == [])
        #expect(uncertain.broken(two).contains { $0.contains("2 times") })
        let void = Self.promises([(1, place, "there", false)])
        #expect(void.broken(none) == [])
        #expect(void.broken(one).contains { $0.contains("although it was not to be") })
    }

    @Test("a message is deleted only where somebody deleted it")
    func deletions() {
        var gone = Self.first
        (gone.isDeleted, gone.text) = (true, "")
        let kept = Self.promises([(1, "message ab m1", "there", true)])
        #expect(kept.broken(Self.screen([gone])).contains { $0.contains("nobody deleted it") })
        let deleted = Self.promises([(1, "message ab m1", "there", true), (2, "delete 01", "deleted", true)])
        #expect(deleted.broken(Self.screen([gone])) == [])
        #expect(deleted.broken(Self.screen([Self.first])).contains { $0.contains("not \"deleted\"") })
    }

    @Test("of each device the last edit that it promised is there, or a later one, and no earlier one")
    func edits() {
        func shows(_ text: String) -> [String: Screen] {
            Self.screen([Screen.Message(id: "01", seq: 1, sender: "a", text: text)])
        }
        let promises = Self.promises([
            (1, "edit 01", "m1 first", true), (1, "edit 01", "m1 second", true), (1, "edit 01", "m1 third", nil),
            (2, "edit 01", "m1 other", true), (2, "edit 01", "m1 refused", false),
        ])
        for text in ["m1 second", "m1 third", "m1 other"] { #expect(promises.broken(shows(text)) == [], "\(text)") }
        for text in ["m1 first", "m1 hello", "m1 refused"] { #expect(promises.broken(shows(text)) != [], "\(text)") }
        // The device that wrote the message edits it under the id that it had before it was sent.
        let renamed = Self.promises([(1, "edit 09", "m1 first", true), (2, "edit 01", "m1 other", true)])
        for text in ["m1 first", "m1 other"] { #expect(renamed.broken(shows(text)) == [], "\(text)") }
        #expect(renamed.broken(shows("m1 hello")) != [])
    }

    @Test("what was there at a quiet point stays, unless somebody changes it, and nothing comes late")
    func settling() {
        var promises = Self.promises([(1, "pin ab", "true", true), (1, "message ab m2", "there", nil)])
        let pinned = Self.screen([Self.first]) { $0.chats[0].isPinned = true }
        #expect(promises.broken(pinned) == [])
        promises.settle(pinned)
        #expect(promises.broken(pinned) == [])
        #expect(promises.broken(Self.screen([Self.first])).contains { $0.contains("by itself") })
        let late = Screen.Message(id: "02", seq: 2, sender: "a", text: "m2 late")
        let shown = Self.screen([Self.first, late]) { $0.chats[0].isPinned = true }
        #expect(promises.broken(shown).contains { $0.contains("although it was not to be") })
        promises.tries(.init(place: "pin ab", value: "false"), device: 1, number: 9, person: "a")
        #expect(promises.broken(pinned) == [] && promises.broken(Self.screen([Self.first])) == [])
        promises.answered(device: 1, number: 9, isRefused: false, id: nil)
        #expect(promises.broken(pinned).contains { $0.contains("not \"false\"") })
    }

    @Test("what a device says that it gave up may be there or not")
    func givenUp() {
        var promises = Self.promises([(1, "name ab", "New", true), (1, "pin ab", "true", true)])
        promises.settle(Self.screen([]) { ($0.chats[0].name, $0.chats[0].isPinned) = ("Old", false) })
        promises.tries(.init(place: "name ab", value: "Newer"), device: 1, number: 8, person: "a")
        promises.answered(device: 1, number: 8, isRefused: false, id: nil)
        let old = Self.screen([]) { $0.chats[0].name = "Old" }
        #expect(promises.broken(old).count == 1)
        promises.dropped("name ab", device: 2, person: "a")
        #expect(promises.broken(old).count == 1, "another device gave it up")
        promises.dropped("name ab", device: 1, person: "a")
        #expect(promises.broken(old) == [])
    }

    @Test("how far somebody has read never falls below what was promised")
    func reading() {
        let promises = Self.promises([(1, "read ab", "5", true), (2, "read ab", "9", nil)])
        for (seq, isRight) in [(4, false), (5, true), (7, true), (9, true)] as [(Int64, Bool)] {
            let shown = Self.screen([]) { $0.chats[0].readUpTo = seq }
            #expect((promises.broken(shown) == []) == isRight, "\(seq)")
        }
    }

    @Test("a device that was signed out may lose what it had not sent, and keeps what was found at a quiet point")
    func signedOut() {
        var promises = Self.promises([(1, "message ab m1", "there", true)])
        promises.settle(Self.screen([Self.first]))
        promises.tries(.init(place: "message ab m2", value: "there"), device: 1, number: 7, person: "a")
        promises.answered(device: 1, number: 7, isRefused: false, id: "02")
        #expect(promises.broken(Self.screen([Self.first])).count == 1)
        promises.forgot(device: 1)
        #expect(promises.broken(Self.screen([Self.first])) == [])
        #expect(promises.broken(Self.screen([])).count == 1)
    }

    @Test("reminders are there once, and are gone only where somebody deleted them")
    func reminders() {
        let reminder = Screen.Entity(kind: "reminder", id: "r", text: "e1", own: "false", facts: "", sync: "synced")
        let kept = Self.promises([(1, "reminder e1", "there", true)])
        #expect(kept.broken(Self.screen([]) { $0.entities = [reminder] }) == [])
        #expect(kept.broken(Self.screen([])).count == 1)
        #expect(kept.broken(Self.screen([]) { $0.entities = [reminder, reminder] }).count == 1)
        let forgotten = Self.promises([(1, "reminder e1", "there", true), (1, "forgotten e1", "true", true)])
        #expect(forgotten.broken(Self.screen([])) == [])
        var dropped = kept
        dropped.dropped("reminder", device: 1, person: "a")
        #expect(dropped.broken(Self.screen([])) == [], "the device said that it gave up its reminders")
    }
}
