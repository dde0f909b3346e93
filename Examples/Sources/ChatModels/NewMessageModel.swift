import Foundation
import Observation
import ParleyKit

/// Whom to write to: people are found as one types; with those chosen the conversation appears, or a new one begins
/// with the first message.
@MainActor
@Observable
public final class NewMessageModel: Acting, Identifiable {
    public var problem: Refusal?
    public var search = ""
    public var text = ""
    /// The name of a new group; empty: its people's names.
    public var groupName = ""
    public private(set) var found: [User] = []
    public private(set) var isSearching = false
    public private(set) var isSending = false
    public let composer: Composer
    private let parley: Parley
    private let words: Words
    private let done: (Conversation) -> Void

    /// - Parameter done: called with the conversation once the message is in it.
    public init(
        _ parley: Parley, to people: [User] = [], words: Words = Words(),
        done: @escaping (Conversation) -> Void = { _ in }
    ) {
        (self.parley, self.words, self.done) = (parley, words, done)
        composer = parley.compose(to: people)
    }

    public var people: [User] { composer.people }
    public var isNewGroup: Bool { people.count > 1 && composer.conversation == nil && !composer.isLooking }
    public var canSend: Bool { !people.isEmpty && !text.trimmed.isEmpty && !isSending }

    /// People with whom I talk, until something is typed; then those that were found. Without those who are chosen.
    public var offered: [User] {
        let known = search.trimmed.isEmpty ? parley.inbox.conversations.compactMap(\.other) : found
        return known.filter { person in !people.contains { $0.id == person.id } }
    }

    /// What to say where nobody is offered; nil: nothing.
    public var notice: String? {
        guard offered.isEmpty, !isSearching else { return nil }
        if search.trimmed.isEmpty { return people.isEmpty ? "Type a name to find people." : nil }
        return "Nobody was found."
    }

    /// The last messages of the conversation with exactly the people chosen.
    public var preview: [ChatRow] {
        guard let chat = composer.conversation else { return [] }
        return ChatRows(chat, in: parley, words: words).rows(newAfter: nil).suffix(20)
    }

    /// Says what the message begins: "A new conversation with Ada".
    public var title: String {
        if let chat = composer.conversation { return chat.title }
        if people.isEmpty { return "New message" }
        let names = words.list(people.map(\.displayName))
        return people.count == 1 ? "A new conversation with \(names)" : "A new group with \(names)"
    }

    /// Call it when the search has changed, in a task that the next change cancels.
    public func find(after pause: Duration = .milliseconds(250)) async {
        let wanted = search.trimmed
        guard !wanted.isEmpty else { return (found, isSearching) = ([], false) }
        isSearching = true
        // Another search may have begun meanwhile.
        defer { if wanted == search.trimmed { isSearching = false } }
        do { try await Task.sleep(for: pause) } catch { return }
        await attempt { () async throws(Refusal) in
            let found = try await self.parley.searchUsers(wanted, isPicker: true)
            if wanted == self.search.trimmed { self.found = found }
        }
    }

    public func add(_ person: User) {
        composer.add(person)
        (search, found) = ("", [])
    }

    public func remove(_ person: User) { composer.remove(person.id) }

    public func send() async {
        guard canSend else { return }
        isSending = true
        defer { isSending = false }
        let (written, name) = (text.trimmed, groupName.trimmed)
        await attempt { () async throws(Refusal) in
            let chat = try await self.composer.send(written, naming: name.isEmpty ? nil : name)
            self.text = ""
            self.done(chat)
        }
    }
}
