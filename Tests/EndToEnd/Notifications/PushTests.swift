import Foundation
import ParleyClient
import TestSupport
import Testing

/// Pushes from a message to the servers of Apple, Google and browsers, over real processes.
extension OperatedClusters {
    @Test("N1 a message becomes one push to each device of its reader, with the content and headers of its service")
    func pushesArrive() async throws {
        let scene = try await PushScene()
        let alice = try await scene.person("alice")
        let android = try await scene.android(scene.another(of: alice.phone.device))
        let browser = try await scene.browser(scene.another(of: alice.phone.device))
        let sealed = try await scene.phone(scene.another(of: alice.phone.device), encrypted: true)
        let bob = try await scene.away("bob")
        let talk = try await bob.client.startDirect(with: alice.phone.device.user).conversation.id
        let sent = try await bob.client.send("See you at 8 👋", to: talk)

        for phone in [alice.phone, alice.tablet] {
            let push = try await scene.first(on: phone)
            #expect(push.status == 200 && push.headers["apns-topic"].text == PushScene.app)
            #expect(push.headers["apns-push-type"] == "alert" && push.headers["apns-priority"] == "10")
            #expect(push.headers["apns-collapse-id"].text == "\(talk)/\(sent.seq)")
            let aps = push.payload.aps
            #expect(aps.alert.title == "bob" && aps.alert.body == "See you at 8 👋")
            #expect(aps.badge == 1 && aps["thread-id"].text == talk)
            let about = push.payload.parley
            #expect(about.kind == "message" && about.conversation.text == talk && about.seq.number == Int(sent.seq))
            #expect(about.sender.text == bob.user)
            let expires = try #require(Int64(push.headers["apns-expiration"].text))
            #expect(abs(expires - Int64(Date.now.timeIntervalSince1970) - 3600) < 300, "an hour after it was sent")
        }
        let google = try await scene.first(on: android).payload
        #expect(google.notification.title == "bob" && google.notification.body == "See you at 8 👋")
        #expect(google.android.priority == "HIGH" && google.data.conversation.text == talk)
        let web = try await scene.first(on: browser)
        #expect(web.opened.notification.title == "bob" && web.opened.notification.body == "See you at 8 👋")
        #expect(web.opened["app_badge"] == 1 && web.headers.urgency == "high")
        // What Apple gets of the encrypted one says nothing; the device's key opens the rest.
        try await eventually("the encrypted push") { try await !scene.pushes(to: sealed).isEmpty }
        let hidden = try #require(try await scene.pushes(to: sealed).first)
        #expect(hidden.payload.aps.alert.body == "New message" && hidden.payload.aps["thread-id"] == .null)
        #expect(hidden.opened.title == "bob" && hidden.opened.body == "See you at 8 👋")
        #expect(hidden.opened.conversation.text == talk)

        try await scene.settled()
        for phone in [alice.phone, alice.tablet, android, browser, sealed] {
            #expect(try await scene.pushes(to: phone).count == 1, "one each")
        }
        let ids = try await scene.pushes(to: alice.phone) + scene.pushes(to: alice.tablet)
        #expect(Set(ids.map { $0.headers["apns-id"].text }).count == 2, "an id for each device")
        #expect(await scene.faults() == [])
        let devices = try await alice.phone.device.client.pushDevices()
        #expect(devices.devices.count == 5)
        #expect(devices.devices.allSatisfy { $0.lastResult == "accepted" && $0.lastSentUs > 0 })
        #expect(devices.transports == [.apns, .apnsSandbox, .fcm, .fcmInstallation, .webPush])
        await scene.end()
    }

    @Test("N1 an edit replaces what was shown, a deletion takes it back; what is read elsewhere changes the badge")
    func pushesFollowChanges() async throws {
        let scene = try await PushScene()
        let alice = try await scene.person("alice")
        let bob = try await scene.away("bob")
        let talk = try await bob.client.startDirect(with: alice.phone.device.user).conversation.id
        let first = try await bob.client.send("one", to: talk)
        let shown = try await scene.first(on: alice.phone)
        _ = try await bob.client.edit(first.seq, of: talk, text: "uno")
        try await eventually("the edit") { try await scene.shown(on: alice.phone).count == 2 }
        let edited = try #require(try await scene.shown(on: alice.phone).last)
        #expect(edited.payload.aps.alert.body == "uno")
        #expect(edited.headers["apns-collapse-id"] == shown.headers["apns-collapse-id"])
        #expect(edited.headers["apns-id"] != shown.headers["apns-id"])

        _ = try await bob.client.delete(first.seq, of: talk)
        try await eventually("the withdrawal") {
            try await scene.pushes(to: alice.phone).contains { $0.payload.parley.kind == "withdrawn" }
        }
        let taken = try #require(try await scene.pushes(to: alice.phone).last { $0.payload.parley.kind == "withdrawn" })
        #expect(taken.headers["apns-collapse-id"] == shown.headers["apns-collapse-id"])
        #expect(taken.payload.aps.alert == .null)

        let second = try await bob.client.send("two", to: talk)
        try await eventually("both devices show it") {
            let shown = try await (scene.shown(on: alice.phone), scene.shown(on: alice.tablet))
            return shown.0.contains { $0.payload.parley.seq.number == Int(second.seq) }
                && shown.1.contains { $0.payload.parley.seq.number == Int(second.seq) }
        }
        _ = try await alice.tablet.device.client.markRead(talk, upTo: second.seq)
        for phone in [alice.phone, alice.tablet] {
            try await eventually("the badge goes") {
                try await scene.pushes(to: phone).contains {
                    $0.payload.parley.kind == "read" && $0.payload.aps.badge == 0
                }
            }
        }
        let read = try #require(try await scene.pushes(to: alice.phone).last { $0.payload.parley.kind == "read" })
        #expect(read.payload.aps.alert == .null && read.headers["apns-priority"] == "5")
        #expect(read.payload.parley.conversation.text == talk && read.payload.parley.seq.number == Int(second.seq))
        #expect(await scene.faults() == [])
        await scene.end()
    }

    @Test("N1 a deleted message is taken back on the phone while its reader has the app in front of them elsewhere")
    func withdrawnElsewhere() async throws {
        let scene = try await PushScene()
        let alice = try await scene.person("alice")
        let bob = try await scene.away("bob")
        let talk = try await bob.client.startDirect(with: alice.phone.device.user).conversation.id
        let message = try await bob.client.send("one", to: talk)
        _ = try await scene.first(on: alice.phone)
        await alice.tablet.device.client.setActivity(isInForeground: true, conversation: talk)
        try await scene.inFront(1)
        _ = try await bob.client.delete(message.seq, of: talk)
        try await eventually("the withdrawal") {
            try await scene.pushes(to: alice.phone).contains { $0.payload.parley.kind == "withdrawn" }
        }
        // Nothing was shown of this one.
        let unseen = try await bob.client.send("two", to: talk)
        _ = try await bob.client.delete(unseen.seq, of: talk)
        try await scene.settled()
        let withdrawn = try await scene.pushes(to: alice.phone).filter { $0.payload.parley.kind == "withdrawn" }
        #expect(withdrawn.map(\.payload.parley.seq.number) == [Int(message.seq)])
        #expect(await scene.faults() == [])
        await scene.end()
    }

    @Test("N1 an edit or a deletion does not overtake the push of its message, however slowly that goes")
    func withdrawnAfterwards() async throws {
        let scene = try await PushScene()
        let alice = try await scene.person("alice")
        let bob = try await scene.away("bob")
        let talk = try await bob.client.startDirect(with: alice.phone.device.user).conversation.id
        try await scene.servers.script(.apns, ["slow 3", "slow 3"])
        let seq = try await bob.client.send("one", to: talk).seq
        try await eventually("Apple is at both") { try await scene.underWay(.apns) == 2 }
        _ = try await bob.client.delete(seq, of: talk)
        for phone in [alice.phone, alice.tablet] {
            try await eventually("the message and its withdrawal") { try await scene.pushes(to: phone).count == 2 }
            #expect(try await scene.pushes(to: phone).map(\.payload.parley.kind) == ["message", "withdrawn"])
        }
        try await scene.servers.script(.apns, ["slow 3", "slow 3"])
        let other = try await bob.client.send("two", to: talk).seq
        try await eventually("Apple is at both") { try await scene.underWay(.apns) == 2 }
        _ = try await bob.client.edit(other, of: talk, text: "zwei")
        for phone in [alice.phone, alice.tablet] {
            try await eventually("the message and its edit") { try await scene.pushes(to: phone).count == 4 }
            #expect(try await scene.shown(on: phone).map(\.payload.aps.alert.body) == ["one", "two", "zwei"])
        }
        #expect(await scene.faults() == [])
        await scene.end()
    }

    @Test("N1 what dies with a token, a sign-out, a revocation or an account is forgotten, and gets nothing more")
    func pushesEnd() async throws {
        let scene = try await PushScene()
        let alice = try await scene.person("alice")
        let third = try await scene.phone(scene.another(of: alice.phone.device))
        let android = try await scene.android(scene.another(of: alice.phone.device))
        let browser = try await scene.browser(scene.another(of: alice.phone.device))
        let bob = try await scene.away("bob")
        let talk = try await bob.client.startDirect(with: alice.phone.device.user).conversation.id
        try await scene.servers.ask([
            "do": "device", "provider": "apple", "service": "apns", "token": .text(alice.phone.token), "topic": nil,
        ])
        try await scene.servers.ask([
            "do": "device", "provider": "google", "token": .text(android.token), "state": "gone",
        ])
        try await scene.servers.ask(["do": "unsubscribe", "provider": "browsers", "path": .text(browser.token)])
        _ = try await bob.client.send("hello", to: talk)
        func devices() async throws -> Set<String> {
            Set(try await alice.tablet.device.client.pushDevices().devices.map(\.device))
        }
        try await eventually("dead tokens are forgotten") { try await devices() == [alice.tablet.id, third.id] }
        try await third.device.client.signOut()
        try await eventually("so is a device that signed out") { try await devices() == [alice.tablet.id] }
        let before = try await scene.pushes(to: alice.phone).count
        _ = try await bob.client.send("again", to: talk)
        try await eventually("the other goes on") { try await scene.shown(on: alice.tablet).count == 2 }
        try await scene.settled()
        #expect(try await scene.pushes(to: alice.phone).count == before)
        #expect(try await scene.shown(on: third).count == 1)
        let account = try await scene.number(
            "SELECT account FROM conversations.accounts WHERE user_id = '\(alice.tablet.device.user)'")
        try await alice.tablet.device.client.erase(password: Device.password)
        let rows = ["devices", "people", "levels", "queue", "told"].map {
            "(SELECT count(*) FROM notifications.\($0) WHERE account = \(account))"
        }.joined(separator: " + ")
        try await eventually(within: .seconds(120), "an erased person leaves no row") {
            try await scene.number("SELECT \(rows)") == 0
        }
        await scene.end()
    }

    @Test("N1 settings say what a push says, over the person's: names, nothing, or the text to a key alone")
    func pushesSayWhatIsAllowed() async throws {
        let scene = try await PushScene(settings: ["PARLEY_PUSH_CONTENT": "encrypted"])
        let alice = try await scene.person("alice")
        let sealed = try await scene.phone(scene.another(of: alice.phone.device), encrypted: true)
        let bob = try await scene.away("bob")
        let talk = try await bob.client.startDirect(with: alice.phone.device.user).conversation.id
        _ = try await bob.client.send("a secret", to: talk)
        let open = try await scene.first(on: alice.phone)
        #expect(open.payload.aps.alert.body == "New message" && open.payload.aps.alert.title == .null)
        #expect(open.payload.parley.conversation == .null && open.payload.parley.sender == .null)
        #expect(!open.headers["apns-collapse-id"].text.contains(talk))
        let hidden = try await scene.first(on: sealed)
        #expect(hidden.opened.body == "a secret" && hidden.opened.title == "bob")

        try await alice.phone.device.client.updatePushSettings(.with { $0.content = .namesOnly })
        _ = try await bob.client.send("another secret", to: talk)
        try await eventually("the second") { try await scene.shown(on: sealed).count == 2 }
        #expect(try await scene.shown(on: sealed).last?.opened.title == "bob")
        #expect(try await scene.shown(on: sealed).last?.opened.body == "New message")
        let most = String(repeating: "🙂\"\\\n", count: 2000)
        try await alice.phone.device.client.updatePushSettings(.with { $0.content = .fullText })
        _ = try await bob.client.send(most, to: talk)
        try await eventually("the longest") { try await scene.shown(on: sealed).count == 3 }
        let longest = try #require(try await scene.shown(on: sealed).last)
        #expect(longest.size.number ?? .max <= 4096 && longest.status == 200)
        #expect(longest.opened.body.text.hasPrefix("🙂"))
        #expect(await scene.faults() == [])
        await scene.end()
    }
}
