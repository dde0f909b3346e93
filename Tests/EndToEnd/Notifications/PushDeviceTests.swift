import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("N1: devices and settings of pushes", .timeLimit(.minutes(4)))
struct PushDeviceTests {
    private func token() -> String {
        (0..<4).map { _ in String(format: "%016llx", UInt64.random(in: .min ... .max)) }.joined()
    }

    private func devices(_ device: Device) async throws -> [String] {
        try await device.client.pushDevices().devices.map(\.device)
    }

    @Test("N1 a device registers, replaces its token, and ends with its sign-out; a token belongs to its last device")
    func registering() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let tablet = try await cluster.device(of: alice, gateway: 1)
        let (first, second) = (token(), token())
        let made = try await alice.client.registerPush(.apns, token: first, app: "com.example.chat", language: "de-CH")
        #expect(made.transport == .apns && made.app == "com.example.chat" && !made.encrypted && made.lastSentUs == 0)
        #expect(made.tokenEnd == String(first.suffix(8)) && made.language == "de-CH")
        let again = try await alice.client.registerPush(.apns, token: first, app: "com.example.chat", language: "de-CH")
        #expect(again.device == made.device)
        #expect(try await alice.client.pushDevices().devices == [again], "repeating it changes nothing else")

        let key = [4] + (0..<64).map { _ in UInt8.random(in: 0...255) }
        let web = try await tablet.client.registerPush(
            .webPush, token: "https://push.example/\(second)", app: "", contentKey: key,
            authSecret: [UInt8](repeating: 1, count: 16))
        #expect(web.encrypted)
        #expect(try await devices(alice) == [web.device, made.device], "the last registered first")

        // Another person signs in on the phone: its token is theirs.
        let bob = try await cluster.person("bob")
        _ = try await bob.client.registerPush(.apns, token: first, app: "com.example.chat")
        #expect(try await devices(alice) == [web.device])
        #expect(try await devices(bob).count == 1)

        try await tablet.client.unregisterPush()
        try await tablet.client.unregisterPush()
        #expect(try await devices(alice) == [])
        _ = try await tablet.client.registerPush(.fcm, token: second, app: "")
        #expect(try await devices(alice) == [web.device])
        try await alice.client.revokeDevice(web.device)
        try await eventually("a revoked device is forgotten") { try await devices(alice) == [] }
    }

    @Test("N1 with more devices than allowed the one registered longest ago is forgotten")
    func bounded() async throws {
        let cluster = try await TestCluster(
            .init(gateways: 1, settings: ["notifications": ["PARLEY_LIMITS_PUSH_DEVICES": "3"]]))
        let alice = try await cluster.person("alice")
        var registered: [String] = []
        for _ in 0..<5 {
            let device = try await cluster.device(of: alice, gateway: 0)
            registered.append(try await device.client.registerPush(.fcm, token: token(), app: "").device)
        }
        #expect(try await devices(alice) == Array(registered.reversed().prefix(3)))
        await cluster.end()
    }

    @Test("N1 a thousand registrations of one token at once leave one device")
    func atOnce() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(4) { $0 % 2 }
        let shared = token()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1000 {
                let person = people[number % people.count]
                group.addTask { _ = try await person.client.registerPush(.fcm, token: shared, app: "") }
            }
            try await group.waitForAll()
        }
        var count = 0
        for person in people { count += try await devices(person).count }
        #expect(count == 1)
    }

    @Test("N1 what cannot be a device is refused with its field, and registers nothing")
    func refused() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        func refusal(_ request: Parley_V1_RegisterPushRequest) async -> String? {
            do throws(ParleyError) {
                _ = try await alice.client.call(NotificationsMethods.registerPush, key: alice.user, request)
                return nil
            } catch {
                return "\(error.code) \(error.field)"
            }
        }
        let long = await refusal(.with { ($0.transport, $0.token) = (.fcm, String(repeating: "x", count: 4097)) })
        #expect(long != nil, "a longer one")
        #expect(await refusal(.with { $0.token = "x" }) == "invalid transport")
        #expect(await refusal(.with { $0.transport = .apns }) == "invalid token")
        let whole = await refusal(.with { ($0.transport, $0.token) = (.fcm, String(repeating: "x", count: 4096)) })
        #expect(whole == nil, "a token of 4 KB")
        #expect(try await devices(alice).count == 1)
    }

    @Test("N1 settings begin with all but reactions, change field by field, and reach the other devices")
    func settings() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let tablet = try await cluster.device(of: alice, gateway: 1)
        let bob = try await cluster.person("bob")
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        let first = try await alice.client.getPushSettings()
        #expect(first.level == .allMessages && first.content == .fullText && first.version == 0)
        #expect(!first.reactions && first.requests && first.reminders && first.events && !first.mentionsWhenMuted)
        let changed = try await alice.client.updatePushSettings(
            .with {
                ($0.level, $0.reactions, $0.sound) = (.mentionsOnly, .yes, "bell")
                $0.quiet.timeZone = "Europe/Zurich"
                $0.quiet.hours = [.with { ($0.weekday, $0.fromMinute, $0.untilMinute) = (1, 1320, 420) }]
            })
        #expect(changed.version == 1 && changed.reactions && changed.sound == "bell" && changed.requests)
        try await eventually("the tablet hears it") { await tablet.updates.pushSettings.last == changed }
        #expect(try await tablet.client.getPushSettings() == changed)
        #expect(
            try await tablet.client.updatePushSettings(.with { $0.level = .mentionsOnly }) == changed, "nothing new")
        let own = try await tablet.client.updatePushSettings(
            .with { ($0.conversation.conversation, $0.conversation.level) = (talk, .noMessages) })
        #expect(own.version == 2 && own.conversations == [.with { ($0.conversation, $0.level) = (talk, .noMessages) }])
        try await eventually("the first device hears it") { await alice.updates.pushSettings.last == own }
        let back = try await alice.client.updatePushSettings(.with { $0.conversation.conversation = talk })
        #expect(back.conversations.isEmpty && back.level == .mentionsOnly)
        #expect(try await bob.client.getPushSettings() == first, "of nobody else")
    }

    @Test(
        "N1 settings that cannot be are refused with their field; a conversation of others like one that is not there")
    func refusedSettings() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(3) { _ in 0 }
        let alice = people[0]
        let theirs = try await people[1].client.startDirect(with: people[2].user).conversation.id
        func refusal(
            _ change: (inout Parley_V1_UpdatePushSettingsRequest) -> Void
        ) async -> String? {
            do throws(ParleyError) {
                _ = try await alice.client.updatePushSettings(.with { change(&$0) })
                return nil
            } catch {
                return "\(error.code) \(error.field)"
            }
        }
        func hours(_ weekday: UInt32, _ from: UInt32, _ until: UInt32) -> Parley_V1_QuietHours {
            .with { ($0.weekday, $0.fromMinute, $0.untilMinute) = (weekday, from, until) }
        }
        #expect(await refusal { $0.quiet.hours = [hours(0, 1, 2)] } == "invalid quiet.hours.weekday")
        #expect(await refusal { $0.quiet.hours = [hours(1, 1440, 2)] } == "invalid quiet.hours.from_minute")
        #expect(await refusal { $0.quiet.hours = [hours(1, 1, 4_000_000_000)] } == "invalid quiet.hours.until_minute")
        #expect(await refusal { $0.quiet.timeZone = "Mars/Base" } == "invalid quiet.time_zone")
        #expect(await refusal { $0.level = .UNRECOGNIZED(77) } == "invalid level")
        #expect(await refusal { $0.sound = "a\u{7}" } == "invalid sound")
        #expect(await refusal { $0.conversation.conversation = theirs } == "not_member conversation")
        #expect(await refusal { $0.conversation.conversation = "nobody_nothing" } == "not_member conversation")
        #expect(await refusal { $0.conversation.level = .noMessages } == "not_member conversation")
        #expect(try await alice.client.getPushSettings().version == 0)
    }

    @Test("N1 an erased person leaves no row behind")
    func erased() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await alice.client.registerPush(.fcm, token: token(), app: "")
        _ = try await alice.client.updatePushSettings(
            .with { ($0.conversation.conversation, $0.conversation.level) = (talk, .allMessages) })
        try await alice.client.testPush()
        let account = try await cluster.number(
            "SELECT account FROM conversations.accounts WHERE user_id = '\(alice.user)'")
        let rows = ["devices", "people", "levels", "queue", "told"].map {
            "(SELECT count(*) FROM notifications.\($0) WHERE account = \(account))"
        }.joined(separator: " + ")
        // What was told, and waits, which this cluster has no key to send.
        try await cluster.execute(
            "INSERT INTO notifications.told (account, about, at) VALUES (\(account), 'm/1/1', \(Int64.max))")
        try await cluster.execute(
            """
            INSERT INTO notifications.queue
                (account, device, notice, kind, about, conversation, seq, entity, made_at, due_at, expires_at)
            VALUES (\(account), 'x', md5('x')::uuid, 1, 'm/1/1', 1, 1, md5('')::uuid, 0, \(Int64.max), \(Int64.max))
            """)
        #expect(try await cluster.number("SELECT \(rows)") >= 5)
        try await alice.client.erase(password: Device.password)
        try await eventually(within: .seconds(120), "nothing is left") {
            try await cluster.number("SELECT \(rows)") == 0
        }
    }
}
