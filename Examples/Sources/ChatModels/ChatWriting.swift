import Foundation
import ParleyKit

/// The text field of a conversation: a new message, an answer, or a change of an earlier one.
extension ChatModel {
    /// What is in the text field. A new message survives a restart.
    public var draft: String {
        get { editing == nil ? chat.draft : editedText }
        set {
            guard editing == nil else { return editedText = newValue }
            chat.setDraft(newValue)
            if newValue.isEmpty { chat.stopComposing() } else { chat.composing() }
        }
    }

    public var canSend: Bool { canWrite && !draft.trimmed.isEmpty }

    /// What stands above the text field while I answer or change something; nil: I write something new.
    public var context: Bubble.Quote? {
        guard let message = (editing ?? replyingTo).flatMap(chat.message) else { return nil }
        let isMine = message.sender == parley.user
        let name = isMine ? "yourself" : message.sender.flatMap(chat.user)?.displayName ?? "…"
        return Bubble.Quote(
            seq: message.seq ?? 0, author: editing == nil ? "Answer to \(name)" : "Change",
            text: message.text.isEmpty ? message.attachment?.name ?? "" : message.text)
    }

    public func send() async {
        if editing != nil { return await saveEdit() }
        let text = draft.trimmed
        guard !text.isEmpty else { return }
        let (answered, mentions) = (replyingTo, Mentions.people(in: text, of: chat.members))
        (draft, replyingTo) = ("", nil)
        let isTaken = await attempt { () async throws(Refusal) in
            try await self.chat.send(text, replyingTo: answered.flatMap(self.chat.message), mentions: mentions)
        }
        if !isTaken { (draft, replyingTo) = (text, answered) }
    }

    private func saveEdit() async {
        let text = editedText.trimmed
        guard let message = editing.flatMap(chat.message), !text.isEmpty else { return }
        guard text != message.text else { return stopContext() }
        let mentions = Mentions.people(in: text, of: chat.members)
        let isTaken = await attempt { () async throws(Refusal) in
            try await self.chat.edit(message, to: text, mentions: mentions)
        }
        if isTaken { stopContext() }
    }

    /// Answers nothing and changes nothing.
    public func stopContext() { (replyingTo, editing, editedText) = (nil, nil, "") }

    // MARK: Mentions

    /// Whom to offer while the text ends in "@" and the beginning of a name.
    public var mentionable: [User] {
        guard isGroup, let begun = Mentions.begun(in: draft) else { return [] }
        return chat.members.map(\.user).filter { person in
            person.id != parley.user
                && [person.username, person.displayName].contains { $0.lowercased().hasPrefix(begun.lowercased()) }
        }
    }

    /// Completes the name that is being written.
    public func mention(_ person: User) {
        guard let begun = Mentions.begun(in: draft) else { return }
        draft = draft.dropLast(begun.count) + person.username + " "
    }

    // MARK: Files

    /// Sends a file, with what is in the text field as its caption.
    public func send(file url: URL, as kind: Message.Kind? = nil) async {
        let (text, answered) = (editing == nil ? draft.trimmed : "", replyingTo)
        let isTaken = await attempt { () async throws(Refusal) in
            try await self.chat.send(
                text, file: FileToSend(url, as: kind), replyingTo: answered.flatMap(self.chat.message),
                mentions: Mentions.people(in: text, of: self.chat.members))
        }
        if isTaken, editing == nil { (draft, replyingTo) = ("", nil) }
    }

    /// The person did not choose a file that can be read.
    public func noteUnreadable(_ why: String) { problem = Refusal(.fileFailed, why) }

    /// Opens a file: sets ``opened`` once it is on the device.
    public func open(_ id: MessageID) async {
        guard let message = chat.message(id) else { return }
        await attempt { () async throws(Refusal) in self.opened = try await self.parley.file(of: message) }
    }
}

/// Who is mentioned in a text: "@" and a username.
enum Mentions {
    static func people(in text: String, of members: [Member]) -> [UserID] {
        let names = text.split(whereSeparator: \.isWhitespace).filter { $0.hasPrefix("@") }.map { word in
            word.dropFirst().lowercased().trimmingCharacters(in: CharacterSet(charactersIn: ".,;:!?)"))
        }
        return members.map(\.user).filter { names.contains($0.username.lowercased()) }.map(\.id)
    }

    /// What stands behind an "@" at the end; nil: the text does not end in a mention.
    static func begun(in text: String) -> String? {
        guard let at = text.lastIndex(of: "@") else { return nil }
        let isWordStart = at == text.startIndex || text[text.index(before: at)].isWhitespace
        let rest = text[text.index(after: at)...]
        return isWordStart && !rest.contains(where: \.isWhitespace) ? String(rest) : nil
    }
}
