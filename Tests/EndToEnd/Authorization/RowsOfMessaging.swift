import Foundation
import ParleyClient
import TestSupport

import enum Schema.Access

extension Rows {
    private static let writing: [(Set<Caller>, Verdict, String)] = [
        ([.blocked, .blocker], .refused("user_blocked"), "either of the two blocks the other"),
        ([.recipient], .refused("accept_first"), "the recipient may write only after accepting"),
    ]

    /// Returns the seq of a message of the caller: a new one, or the first of the conversation if sending fails.
    private static func ownMessage(_ scene: Scene) async -> Int64 {
        do throws(ParleyError) { return try await scene.client.send("mine", to: scene.conversation).seq } catch {
            return 1
        }
    }

    static let messaging: [Row] = reading + actions + ownState + files

    private static let reading: [Row] = [
        Row(MessagingMethods.getHistory, .member, absent: "not_member", formersToo: true, names: [.conversation]) {
            scene in
            .with { $0.conversation = scene.conversation }
        },
        Row(MessagingMethods.getChanges, .member, absent: "not_member", formersToo: true, names: [.conversation]) {
            scene in
            .with { $0.conversation = scene.conversation }
        },
        Row(MessagingMethods.getThread, .member, absent: "not_member", formersToo: true, names: [.conversation]) {
            scene in
            .with { ($0.conversation, $0.threadSeq) = (scene.conversation, 1) }
        },
        Row(MessagingMethods.listRevisions, .member, absent: "not_member", formersToo: true, names: [.conversation]) {
            scene in
            .with { ($0.conversation, $0.seq) = (scene.conversation, 1) }
        },
        Row(MessagingMethods.listReactions, .member, absent: "not_member", formersToo: true, names: [.conversation]) {
            scene in
            .with { ($0.conversation, $0.seq) = (scene.conversation, 1) }
        },
        Row(MessagingMethods.listReceipts, .member, absent: "not_member", names: [.conversation]) { scene in
            .with { $0.conversation = scene.conversation }
        },
        Row(MessagingMethods.listReaders, .member, absent: "not_member", names: [.conversation]) { scene in
            .with { ($0.conversation, $0.seq) = (scene.conversation, 1) }
        },
        Row(MessagingMethods.sync, .own) { _ in .init() },
        Row(MessagingMethods.getInbox, .own) { _ in .init() },
        Row(MessagingMethods.getBadge, .own) { _ in .init() },
        Row(MessagingMethods.getUsage, .own) { _ in .init() },
        Row(MessagingMethods.searchMessages, .own) { _ in .with { $0.text = "welcome" } },
    ]

    private static let actions: [Row] = [
        Row(MessagingMethods.sendMessage, .member, absent: "not_member", names: [.conversation], except: writing) {
            scene in
            .with {
                ($0.id, $0.conversation) = (Data(scene.newID.bytes), scene.conversation)
                ($0.kind, $0.text) = (.text, "may I?")
            }
        },
        Row(
            "messaging.EditMessage", .member, absent: "not_member", names: [.conversation], except: writing
        ) { scene throws(ParleyError) in
            let seq = await ownMessage(scene)
            _ = try await scene.client.call(
                MessagingMethods.editMessage, key: scene.key,
                .with { ($0.conversation, $0.seq, $0.text) = (scene.conversation, seq, "mine, edited") })
        },
        Row(
            "messaging.DeleteMessage", .member, absent: "not_member", spends: .conversation, names: [.conversation],
            except: [([.recipient], .refused("not_author"), "the other person's message in a direct conversation")]
        ) { scene throws(ParleyError) in
            let seq = await ownMessage(scene)
            _ = try await scene.client.call(
                MessagingMethods.deleteMessage, key: scene.key,
                .with { ($0.conversation, $0.seq) = (scene.conversation, seq) }
            )
        },
        Row(MessagingMethods.updateReaction, .member, absent: "not_member", names: [.conversation], except: writing) {
            scene in
            .with { ($0.conversation, $0.seq, $0.emoji) = (scene.conversation, 1, "👍") }
        },
        Row(
            MessagingMethods.setRetention, .member, absent: "not_member", names: [.conversation],
            except: writing + [
                ([.member, .creator, .otherDevice], .refused("forbidden"), "in a group only the owner and admins may"),
                ([.requester, .declined], .refused("forbidden"), "the requester may not before acceptance"),
            ]
        ) { scene in
            .with { ($0.conversation, $0.seconds) = (scene.conversation, 86_400) }
        },
    ]

    private static let ownState: [Row] = [
        Row(MessagingMethods.updateMarks, .own) { scene in
            .with { $0.marks = [.with { ($0.conversation, $0.readSeq) = (scene.conversation, 1) }] }
        },
        Row(MessagingMethods.updateInboxState, .member, absent: "not_member", formersToo: true, names: [.conversation])
        {
            scene in
            .with { ($0.conversation, $0.markedUnread) = (scene.conversation, .yes) }
        },
        Row(
            MessagingMethods.updateMessageState, .member, absent: "not_member", formersToo: true, names: [.conversation]
        ) { scene in
            .with { ($0.conversation, $0.seqs, $0.starred) = (scene.conversation, [1], .yes) }
        },
        Row(
            MessagingMethods.clearConversation, .member, absent: "not_member", formersToo: true, spends: .conversation,
            names: [.conversation]
        ) { scene in
            .with { $0.conversation = scene.conversation }
        },
        Row(MessagingMethods.listMentionsAndStars, .own) { _ in .with { $0.kind = .mentionsAndStars } },
    ]

    private static let files: [Row] = [
        Row(
            MessagingMethods.createAttachment, .member, absent: "not_member", names: [.conversation], except: writing
        ) { scene in
            .with {
                ($0.id, $0.conversation) = (Data(scene.newID.bytes), scene.conversation)
                ($0.name, $0.mimeType, $0.sizeBytes) = ("a.png", "image/png", 68)
            }
        },
        Row(
            MessagingMethods.getAttachment, .member, absent: "not_member", formersToo: true, names: [.conversation],
            except: [
                (
                    Set(Caller.withSession.filter { $0.sees && $0 != .notSignedIn }), .refused("attachment_not_found"),
                    "the first message has no file"
                )
            ]
        ) { scene in
            .with { ($0.conversation, $0.seq) = (scene.conversation, 1) }
        },
        Row(MessagingMethods.listAttachments, .own) { _ in .init() },
    ]
}
