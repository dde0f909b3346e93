import Foundation
import ParleyClient
import TestSupport
import Testing

/// Who is told of what: each line with two devices of a person, over real processes.
extension OperatedClusters {
    /// A line: what holds before, what happens, and how many notices each of alice's devices shows of it.
    private struct Line: Sendable {
        var what: String
        var shows: Int
        /// What a notice says, if one is shown.
        var body: String?
        var before: @Sendable (Told) async throws -> Void = { _ in }
        var act: @Sendable (Told) async throws -> Void = { _ = try await $0.bob.client.send("hello", to: $0.talk) }
    }

    /// The people of a line.
    private struct Told: Sendable {
        let scene: PushScene
        let alice: Device
        let tablet: Device
        let bob: Device
        let talk: String
        let group: String

        func settings(_ change: (inout Parley_V1_UpdatePushSettingsRequest) -> Void) async throws {
            try await alice.client.updatePushSettings(.with(change))
        }

        /// A text of bob's that mentions alice.
        func mention(in conversation: String) async throws {
            _ = try await bob.client.send(
                .with { ($0.conversation, $0.text, $0.mentions) = (conversation, "@alice hello", [alice.user]) })
        }
    }

    private static let lines: [Line] = [
        Line(what: "a message", shows: 1, body: "hello"),
        Line(
            what: "a message to a group", shows: 1, body: "bob: hello",
            act: { _ = try await $0.bob.client.send("hello", to: $0.group) }),
        Line(
            what: "my own message, from the tablet", shows: 0,
            act: { _ = try await $0.tablet.client.send("mine", to: $0.talk) }),
        Line(what: "muted", shows: 0, before: { try await $0.alice.client.mute($0.talk) }),
        Line(
            what: "muted, a mention", shows: 0, before: { try await $0.alice.client.mute($0.group) },
            act: { try await $0.mention(in: $0.group) }),
        Line(
            what: "muted, a mention, and mentions break mutes", shows: 1, body: "bob: @alice hello",
            before: {
                try await $0.alice.client.mute($0.group)
                try await $0.settings { $0.mentionsWhenMuted = .yes }
            }, act: { try await $0.mention(in: $0.group) }),
        Line(what: "mentions only", shows: 0, before: { try await $0.settings { $0.level = .mentionsOnly } }),
        Line(
            what: "mentions only, a mention", shows: 1,
            before: { try await $0.settings { $0.level = .mentionsOnly } }, act: { try await $0.mention(in: $0.group) }),
        Line(what: "no messages", shows: 0, before: { try await $0.settings { $0.level = .noMessages } }),
        Line(
            what: "no messages, but all of this conversation", shows: 1,
            before: { told in
                try await told.settings {
                    $0.level = .noMessages
                    ($0.conversation.conversation, $0.conversation.level) = (told.talk, .allMessages)
                }
            }),
        Line(
            what: "none of this conversation", shows: 0,
            before: { told in
                try await told.settings {
                    ($0.conversation.conversation, $0.conversation.level) = (told.talk, .noMessages)
                }
            }),
        Line(
            what: "do not disturb", shows: 0,
            before: { _ = try await $0.alice.client.setPresence(.saysDoNotDisturb) }),
        Line(
            what: "quiet hours, the whole week", shows: 0,
            before: { told in
                try await told.settings {
                    $0.quiet.timeZone = "Europe/Zurich"
                    $0.quiet.hours = (1...7).map { day in
                        .with { ($0.weekday, $0.fromMinute, $0.untilMinute) = (UInt32(day), 0, 1440) }
                    }
                }
            }),
        Line(
            what: "quiet hours that are over", shows: 1,
            before: { told in
                // Of a day that it is nowhere now.
                let day = Calendar(identifier: .gregorian).component(.weekday, from: .now)
                try await told.settings {
                    $0.quiet.hours = [
                        .with { ($0.weekday, $0.fromMinute, $0.untilMinute) = (UInt32((day + 2) % 7 + 1), 0, 600) }
                    ]
                }
            }),
        Line(
            what: "archived: a message brings it back", shows: 1,
            before: { _ = try await $0.alice.client.updateInboxState($0.talk, archived: true) }),
        Line(
            what: "somebody whom I block, in a group", shows: 0,
            before: { _ = try await $0.alice.client.block($0.bob.user) },
            act: { _ = try await $0.bob.client.send("hello", to: $0.group) }),
        Line(
            what: "a reaction", shows: 0,
            act: {
                let sent = try await $0.alice.client.send("mine", to: $0.talk)
                _ = try await $0.bob.client.react("👍", to: sent.seq, of: $0.talk)
            }),
        Line(
            what: "a reaction, and reactions are wanted", shows: 1, body: "👍 mine",
            before: { try await $0.settings { $0.reactions = .yes } },
            act: {
                let sent = try await $0.alice.client.send("mine", to: $0.talk)
                _ = try await $0.bob.client.react("👍", to: sent.seq, of: $0.talk)
            }),
        Line(
            what: "a reminder that fires", shows: 1, body: "milk",
            act: {
                let due = Int64(Date.now.timeIntervalSince1970 * 1_000_000) + 500_000
                _ = try await $0.alice.client.createReminder(.with { ($0.title, $0.dueAtUs) = ("milk", due) })
            }),
        Line(
            what: "somebody joins the group", shows: 0,
            act: { told in
                let carol = try await told.scene.cluster.person("carol")
                try await told.scene.cluster.acquaint(told.bob, [carol])
                try await told.bob.client.addMembers([carol.user], to: told.group)
            }),
    ]

    @Test("N1 each line of who is told of what, for a person with two devices")
    func whoIsTold() async throws {
        let scene = try await PushScene()
        var failed: [String] = []
        try await withThrowingTaskGroup(of: String?.self) { group in
            for line in Self.lines { group.addTask { try await Self.problem(of: line, scene) } }
            for try await problem in group { if let problem { failed.append(problem) } }
        }
        #expect(failed == [])
        #expect(await scene.faults() == [])
        await scene.end()
    }

    private static func problem(of line: Line, _ scene: PushScene) async throws -> String? {
        let alice = try await scene.person("alice")
        let bob = try await scene.away("bob")
        try await scene.cluster.acquaint(bob, [alice.phone.device])
        let talk = try await bob.client.startDirect(with: alice.phone.device.user).conversation.id
        let group = try await bob.client.createGroup(name: "Team", users: [alice.phone.device.user]).conversation.id
        let told = Told(
            scene: scene, alice: alice.phone.device, tablet: alice.tablet.device, bob: bob, talk: talk, group: group)
        try await line.before(told)
        try await line.act(told)
        if line.shows > 0 {
            for phone in [alice.phone, alice.tablet] {
                try await eventually("\(line.what): \(line.shows) on each device") {
                    try await scene.shown(on: phone).count >= line.shows
                }
            }
        }
        try await scene.settled()
        for phone in [alice.phone, alice.tablet] {
            let shown = try await scene.shown(on: phone)
            guard shown.count == line.shows else { return "\(line.what): \(shown.count) on a device" }
            if let body = line.body, shown.last?.payload.aps.alert.body.text != body {
                return "\(line.what): \(String(describing: shown.last?.payload))"
            }
        }
        return nil
    }
}
