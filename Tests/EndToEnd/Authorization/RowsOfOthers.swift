import Foundation
import ParleyClient

import enum Schema.Access

extension Rows {
    static let others: [Row] = [
        Row(PresenceMethods.getPresence, .signedIn) { scene in .with { $0.users = [scene.other, scene.bystander] } },
        Row(PresenceMethods.watchPresence, .signedIn) { scene in .with { $0.users = [scene.other, scene.bystander] } },
        Row(PresenceMethods.setTyping, .member, absent: "not_member", names: [.conversation]) { scene in
            .with { ($0.conversation, $0.typing) = (scene.conversation, true) }
        },
        Row(PresenceMethods.getOwnPresence, .own) { _ in .init() },
        Row(PresenceMethods.setPresence, .own) { _ in .with { ($0.availability, $0.status.text) = (.automatic, "tea") }
        },
        Row(
            EntitiesMethods.createReminder, .signedIn, absent: "not_member", names: [.conversation]
        ) { scene in
            .with {
                ($0.id, $0.title, $0.dueAtUs) = (Data(scene.newID.bytes), "call back", 4_102_444_800_000_000)
                $0.conversation = scene.conversation
            }
        },
        Row(EntitiesMethods.getReminder, .creator, names: [.reminder]) { scene in
            .with { $0.id = Data(scene.reminder.bytes) }
        },
        Row(EntitiesMethods.updateReminder, .creator, names: [.reminder]) { scene in
            .with { ($0.id, $0.title) = (Data(scene.reminder.bytes), "call back later") }
        },
        Row(EntitiesMethods.snoozeReminder, .creator, names: [.reminder]) { scene in
            .with { ($0.id, $0.untilUs) = (Data(scene.reminder.bytes), 4_102_444_900_000_000) }
        },
        Row(EntitiesMethods.completeReminder, .creator, names: [.reminder]) { scene in
            .with { ($0.id, $0.completed) = (Data(scene.reminder.bytes), true) }
        },
        Row(EntitiesMethods.deleteReminder, .creator, spends: .entity, names: [.reminder]) { scene in
            .with { $0.id = Data(scene.reminder.bytes) }
        },
        Row(EntitiesMethods.listReminders, .own) { _ in .init() },
        Row(EntitiesMethods.createDecision, .signedIn, absent: "not_member", names: [.conversation]) { scene in
            .with {
                ($0.id, $0.text, $0.conversation) = (Data(scene.newID.bytes), "Italian", scene.conversation)
            }
        },
        Row(EntitiesMethods.getDecision, .creator, names: [.decision]) { scene in
            .with { $0.id = Data(scene.decision.bytes) }
        },
        Row(EntitiesMethods.deleteDecision, .creator, spends: .entity, names: [.decision]) { scene in
            .with { $0.id = Data(scene.decision.bytes) }
        },
        Row(EntitiesMethods.listDecisions, .own) { _ in .init() },
        Row(EntitiesMethods.sync, .own) { _ in .init() },
    ]

    static let ofEvents: [Row] = [
        Row(EntitiesMethods.createEvent, .signedIn, absent: "not_member", names: [.conversation]) { scene in
            .with {
                ($0.id, $0.title, $0.when.date) = (Data(scene.newID.bytes), "dinner", "2090-06-01")
                $0.conversation = scene.conversation
            }
        },
        Row(EntitiesMethods.getEvent, .creator, names: [.event]) { scene in
            .with { $0.id = Data(scene.event.bytes) }
        },
        Row(EntitiesMethods.updateEvent, .creator, spends: .entity, names: [.event]) { scene in
            .with { ($0.id, $0.version, $0.title) = (Data(scene.event.bytes), 1, "supper") }
        },
        Row(EntitiesMethods.cancelEvent, .creator, spends: .entity, names: [.event]) { scene in
            .with { $0.id = Data(scene.event.bytes) }
        },
        Row(EntitiesMethods.deleteEvent, .creator, spends: .entity, names: [.event]) { scene in
            .with { $0.id = Data(scene.event.bytes) }
        },
        Row(EntitiesMethods.inviteConversation, .creator, spends: .entity, names: [.event]) { scene in
            .with { ($0.id, $0.conversation) = (Data(scene.event.bytes), scene.conversation) }
        },
        Row(EntitiesMethods.uninviteConversation, .creator, names: [.event]) { scene in
            .with { ($0.id, $0.conversation) = (Data(scene.event.bytes), scene.conversation) }
        },
        Row(
            EntitiesMethods.setEventHost, .creator, names: [.event],
            except: [([.creator, .otherDevice], .refused("user_not_invited"), "nobody is invited")]
        ) { scene in
            .with { ($0.id, $0.user, $0.host) = (Data(scene.event.bytes), scene.bystander, true) }
        },
        Row(EntitiesMethods.answerEvent, .creator, names: [.event]) { scene in
            .with { ($0.id, $0.status, $0.guests) = (Data(scene.event.bytes), .accepted, 1) }
        },
        Row(EntitiesMethods.listAttendees, .creator, names: [.event]) { scene in
            .with { $0.id = Data(scene.event.bytes) }
        },
        Row(EntitiesMethods.exportEvent, .creator, names: [.event]) { scene in
            .with { $0.id = Data(scene.event.bytes) }
        },
        Row(EntitiesMethods.createCalendarLink, .own) { _ in .init() },
        Row(EntitiesMethods.deleteCalendarLink, .own) { _ in .init() },
        Row(EntitiesMethods.listEvents, .own) { _ in
            .with { ($0.fromDate, $0.toDate) = ("2026-12-01", "2026-12-31") }
        },
    ]

    static let ofSuggestions: [Row] = [
        Row(EntitiesMethods.listSuggestions, .own) { _ in .init() },
        Row(EntitiesMethods.acceptSuggestion, .creator, spends: .entity, names: [.suggestion]) { scene in
            .with { $0.id = Data(scene.suggestion.bytes) }
        },
        Row(EntitiesMethods.dismissSuggestion, .creator, spends: .entity, names: [.suggestion]) { scene in
            .with { $0.id = Data(scene.suggestion.bytes) }
        },
        Row(EntitiesMethods.getSuggestionSettings, .own) { _ in .init() },
        Row(EntitiesMethods.updateSuggestionSettings, .own) { _ in .init() },
        Row(EntitiesMethods.getModelReading, .own) { _ in .init() },
        Row(EntitiesMethods.updateModelReading, .own) { _ in .with { $0.keptOut = false } },
    ]

    static let ofPushes: [Row] = [
        Row(NotificationsMethods.registerPush, .own) { scene in
            .with {
                let token = "\(UInt64.random(in: .min ... .max))-\(scene.newID)"
                ($0.transport, $0.token, $0.app) = (.fcm, token.replacingOccurrences(of: " ", with: ""), "project")
            }
        },
        Row(NotificationsMethods.listPushDevices, .own) { _ in .init() },
        // Of a device that was registered just before.
        Row(
            NotificationsMethods.testPush.name, .own,
            calling: { scene throws(ParleyError) in
                _ = try await scene.client.registerPush(
                    .fcm, token: "test-\(UInt64.random(in: .min ... .max))", app: "")
                try await scene.client.testPush()
            }),
        Row(NotificationsMethods.unregisterPush, .own) { _ in .init() },
        Row(NotificationsMethods.getPushSettings, .own) { _ in .init() },
        Row(NotificationsMethods.updatePushSettings, .own) { _ in .with { $0.level = .mentionsOnly } },
    ]

    /// The requests between Parley's own processes. For clients they do not exist.
    static let ofGateways: [Row] = [
        ("journal.Lanes", .gateway), ("journal.Replay", .gateway), ("health.Check", .gateway),
        ("authority.Keys", .gateway), ("sessions.Report", .gateway), ("foreground.List", .follower),
        ("http.Routes", .gateway), ("http.Exchange", .gateway),
    ].map { name, access in
        Row(Method<Parley_V1_Done, Parley_V1_Done>(name), access) { _ in .init() }
    }
}
