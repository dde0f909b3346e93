import Foundation
import Observation
import ParleyKit

/// The screen of one conversation.
@MainActor
@Observable
public final class ChatModel: Acting {
    public let chat: Conversation
    /// Why the last action did not work.
    public var problem: Refusal?
    /// The message that the next one answers; nil: none.
    public internal(set) var replyingTo: MessageID?
    /// The message that is being changed; nil: none.
    public internal(set) var editing: MessageID?
    var editedText = ""
    /// A file that was opened, to be shown.
    public var opened: URL?
    /// The message to be scrolled to; nil: none.
    public var target: MessageID?
    /// Where the line above what is new stands.
    private(set) var newAfter: Int64?
    private var hasAppeared = false
    let parley: Parley
    let words: Words

    public init(_ chat: Conversation, in parley: Parley, words: Words = Words()) {
        (self.chat, self.parley, self.words) = (chat, parley, words)
    }

    public var title: String { chat.title }
    public var isGroup: Bool { chat.kind == .group }
    public var rows: [ChatRow] { ChatRows(chat, in: parley, words: words).rows(newAfter: newAfter) }
    /// The messages alone.
    public var bubbles: [Bubble] { rows.compactMap(\.bubble) }
    public var hasOlder: Bool { chat.hasOlder }
    public var isEmpty: Bool { chat.isLoaded && !chat.hasOlder && chat.messages.isEmpty }

    /// Below the title: who is online, or how many there are.
    public var subtitle: String {
        if isGroup { return words.count(chat.memberCount, "member", "members") }
        return chat.other.flatMap { parley.presence[$0.id] }.map { PresenceText(words).text(of: $0) } ?? ""
    }

    /// "Ada is typing …"; empty: nobody is.
    public var typing: String { words.typing(chat.typing.map { chat.user($0)?.displayName ?? "Somebody" }) }

    /// What to say above the messages; nil: nothing.
    public var banner: String? {
        if case .offline = parley.connection { "Offline. What you write is sent later." } else { nil }
    }

    // MARK: Reading

    /// Call it when the screen appears, and when a new message does.
    public func appear() async {
        await chat.load()
        if !hasAppeared {
            hasAppeared = true
            newAfter = chat.unread.messages > 0 ? chat.readUpTo : nil
        }
        await parley.setActivity(isInForeground: true, conversation: chat.id)
        if !isRequest { await attempt { () async throws(Refusal) in try await self.chat.markRead() } }
    }

    /// Call it when the screen closes.
    public func disappear() async {
        chat.stopComposing()
        (hasAppeared, newAfter, replyingTo, editing) = (false, nil, nil, nil)
        await parley.setActivity(isInForeground: true)
    }

    public func loadOlder() async {
        await attempt { () async throws(Refusal) in try await self.chat.loadOlder() }
    }

    public func fill(_ gap: Conversation.Gap) async {
        await attempt { () async throws(Refusal) in try await self.chat.fill(gap) }
    }

    /// Shows a message by its number, such as one that is quoted or was found.
    public func show(_ seq: Int64) async {
        if chat.message(numbered: seq) == nil {
            await attempt { () async throws(Refusal) in try await self.chat.load(around: seq) }
        }
        target = chat.message(numbered: seq)?.id
    }

    // MARK: Other screens

    public func thread(of id: MessageID) -> ThreadModel? {
        chat.message(id).map { ThreadModel(of: $0, in: chat, parley, words: words) }
    }

    public func details() -> DetailsModel { DetailsModel(chat, in: parley, words: words) }

    public func event(_ id: EventID) -> EventCardModel {
        EventCardModel(parley.card(of: id), in: parley, from: chat.id, words: words)
    }

    /// The card of a decision that was shared.
    public func decision(_ id: DecisionID) -> EntityCard<Decision> { parley.card(of: id) }

    public func newEvent() -> NewEventModel { NewEventModel(parley, inviting: chat, words: words) }

    public func newReminder(from id: MessageID) -> NewReminderModel? {
        chat.message(id).map { NewReminderModel(parley, from: $0, words: words) }
    }
}
