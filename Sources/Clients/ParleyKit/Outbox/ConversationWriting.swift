import Foundation
import ParleyClient

/// What I do in a conversation. Each function shows it before its first suspension, so in the same turn of the main
/// actor, and returns once it is stored: then it is sent, sooner or later, even if the app is killed.
///
/// All throw `storage_failed` and `outbox_full`, after which nothing is shown of it, and `closed`. What the server says
/// later is in ``Message/syncStatus``, ``syncStatus`` and ``Parley/unsent``.
extension Conversation {
    // MARK: Messages

    /// Sends a text.
    ///
    ///     try await chat.send("Hi")
    ///
    /// - Parameters:
    ///   - message: the message that it answers.
    ///   - mentions: the people whom the text mentions.
    /// - Returns: the message, as it is shown until the server has it.
    @discardableResult
    public func send(
        _ text: String, replyingTo message: Message? = nil, mentions: [UserID] = []
    ) async throws(Refusal) -> Message {
        let outbox = try outbox()
        stopComposing()
        let id = outbox.nextID()
        let request = Parley_V1_SendMessageRequest.with {
            ($0.id, $0.conversation, $0.kind, $0.text) = (Data(id.bytes), self.id.rawValue, .text, text)
            ($0.replyToSeq, $0.mentions) = (message.map(number) ?? 0, mentions.map(\.rawValue))
        }
        let item = try outbox.item(request, about: message?.id, id: id)
        try await outbox.add(item)
        guard let shown = self.message(MessageID(id)) ?? outbox.message(of: item) else { throw .wasClosed }
        return shown
    }

    /// Sends a file, with a text or without one. It is copied before this returns, and uploaded when there is a
    /// connection, also after a restart: ``Message/progress`` says how far. Deleting the message cancels the upload.
    ///
    ///     let message = try await chat.send("From yesterday", file: FileToSend(picture))
    ///
    /// - Returns: the message, as it is shown until the server has it.
    /// - Throws: also `file_failed` when it cannot be read.
    @discardableResult
    public func send(
        _ text: String = "", file: FileToSend, replyingTo message: Message? = nil, mentions: [UserID] = []
    ) async throws(Refusal) -> Message {
        let outbox = try outbox()
        let size = try file.size()
        try outbox.requireRoom(for: size)
        let (attachment, id) = (outbox.nextID(), outbox.nextID())
        let request = Parley_V1_SendMessageRequest.with {
            ($0.id, $0.conversation, $0.kind) = (Data(id.bytes), self.id.rawValue, file.kind.stored)
            ($0.text, $0.media) = (text, file.media(attachment, size: size))
            ($0.replyToSeq, $0.mentions) = (message.map(number) ?? 0, mentions.map(\.rawValue))
        }
        var item = try outbox.item(request, about: message?.id, id: id)
        item.file = attachment.description
        try await outbox.add(item, copying: file.url)
        guard let shown = self.message(MessageID(id)) ?? outbox.message(of: item) else { throw .wasClosed }
        return shown
    }

    /// The number of a message, also of a value from before it was sent; 0: it is not sent.
    private func number(of message: Message) -> Int64 { message.seq ?? self.message(message.id)?.seq ?? 0 }

    /// Changes the text of a message of mine.
    public func edit(_ message: Message, to text: String, mentions: [UserID] = []) async throws(Refusal) {
        try await perform(
            Parley_V1_EditMessageRequest.with {
                ($0.conversation, $0.seq, $0.text) = (id.rawValue, number(of: message), text)
                $0.mentions = mentions.map(\.rawValue)
            }, about: message)
    }

    /// Deletes a message for everyone. One that the server cannot have yet is dropped; what I wrote in answer to it is
    /// sent all the same, and answers nothing then.
    public func delete(_ message: Message) async throws(Refusal) {
        let outbox = try outbox()
        if let unsent = outbox.unsent(message.id), outbox.isHereAlone(unsent) { return try await outbox.drop(unsent) }
        try await perform(
            Parley_V1_DeleteMessageRequest.with { ($0.conversation, $0.seq) = (id.rawValue, number(of: message)) },
            about: message)
    }

    /// Reacts to a message with an emoji.
    public func react(_ emoji: String, to message: Message) async throws(Refusal) {
        try await react(emoji, to: message, remove: false)
    }

    /// Removes a reaction of mine.
    public func removeReaction(_ emoji: String, from message: Message) async throws(Refusal) {
        try await react(emoji, to: message, remove: true)
    }

    private func react(_ emoji: String, to message: Message, remove: Bool) async throws(Refusal) {
        try await perform(
            Parley_V1_UpdateReactionRequest.with {
                ($0.conversation, $0.seq) = (id.rawValue, number(of: message))
                ($0.emoji, $0.remove) = (emoji, remove)
            }, about: message)
    }

    /// Stars a message, or the reverse, for me alone.
    public func star(_ message: Message, _ isStarred: Bool = true) async throws(Refusal) {
        try await perform(
            Parley_V1_UpdateMessageStateRequest.with {
                ($0.conversation, $0.seqs, $0.starred) = (id.rawValue, [number(of: message)], isStarred ? .yes : .no)
            }, about: message)
    }

    /// Deletes a message for me alone. It cannot be undone.
    public func hide(_ message: Message) async throws(Refusal) {
        try await perform(
            Parley_V1_UpdateMessageStateRequest.with {
                ($0.conversation, $0.seqs, $0.hide) = (id.rawValue, [number(of: message)], true)
            }, about: message)
    }

    // MARK: What only I see

    /// Marks it as read up to a message; nil: up to the newest one that is known. It does nothing when that is read.
    public func markRead(upTo message: Message? = nil) async throws(Refusal) {
        let newest = messages.last { $0.seq != nil }?.seq ?? lastMessage?.seq
        let seq = message?.seq ?? newest ?? 0
        guard seq > readUpTo else {
            // The server forgets that I marked it as unread with a mark that moves, or when asked to.
            if own.unread.isMarked { try await change { $0.markedUnread = .no } }
            return
        }
        let outbox = try outbox()
        let marks = Parley_V1_UpdateMarksRequest.with {
            $0.marks = [.with { ($0.conversation, $0.readSeq) = (id.rawValue, seq) }]
        }
        // The later mark takes the place of one that still waits.
        try await outbox.add(outbox.item(marks, id: outbox.waitingMarks(in: id)))
    }

    /// Marks it as unread.
    public func markUnread() async throws(Refusal) { try await change { $0.markedUnread = .yes } }

    /// Pins it to the top of the inbox, or the reverse.
    public func pin(_ isPinned: Bool = true) async throws(Refusal) {
        try await change { $0.pinned = isPinned ? .yes : .no }
    }

    /// Mutes it.
    /// - Parameter end: nil: without end.
    public func mute(until end: Date? = nil) async throws(Refusal) {
        try await change { ($0.muted, $0.mutedUntilUs) = (.yes, end?.microseconds ?? 0) }
    }

    /// Ends muting it.
    public func unmute() async throws(Refusal) { try await change { $0.muted = .no } }

    /// Archives it, or the reverse. A new message brings it back, unless it is muted.
    public func archive(_ isArchived: Bool = true) async throws(Refusal) {
        try await change { $0.archived = isArchived ? .yes : .no }
    }

    private func change(_ body: (inout Parley_V1_UpdateInboxStateRequest) -> Void) async throws(Refusal) {
        var request = Parley_V1_UpdateInboxStateRequest()
        request.conversation = id.rawValue
        body(&request)
        try await perform(request)
    }

    // MARK: Requests

    /// Accepts a message request or an invitation.
    public func accept() async throws(Refusal) {
        try await perform(Parley_V1_AcceptRequestRequest.with { $0.conversation = id.rawValue })
    }

    /// Declines a message request or an invitation. Nobody is told.
    public func decline() async throws(Refusal) {
        try await perform(Parley_V1_DeclineRequestRequest.with { $0.conversation = id.rawValue })
    }

    /// Withdraws a message request of mine.
    public func withdraw() async throws(Refusal) {
        try await perform(Parley_V1_WithdrawRequestRequest.with { $0.conversation = id.rawValue })
    }

    // MARK: Groups

    /// Changes the name of a group.
    public func rename(_ name: String) async throws(Refusal) {
        try await perform(Parley_V1_UpdateGroupRequest.with { ($0.conversation, $0.name) = (id.rawValue, name) })
    }

    /// Changes the photo of a group. Mine is part of
    /// ``Parley/updateProfile(displayName:username:photo:email:isFindableByEmail:)``.
    /// - Parameter photo: an `https` URL; nil: no photo.
    public func setGroupPhoto(_ photo: URL?) async throws(Refusal) {
        try await perform(
            Parley_V1_UpdateGroupRequest.with {
                ($0.conversation, $0.photoURL) = (id.rawValue, photo?.absoluteString ?? "")
            })
    }

    /// Adds people to a group. Those who do not know me are invited; the server decides, so that they are shown once it
    /// has answered.
    public func add(_ people: [UserID]) async throws(Refusal) {
        try await perform(
            Parley_V1_AddMembersRequest.with { ($0.conversation, $0.users) = (id.rawValue, people.map(\.rawValue)) })
    }

    /// Removes a member of a group.
    public func remove(_ person: UserID) async throws(Refusal) {
        try await perform(
            Parley_V1_RemoveMemberRequest.with { ($0.conversation, $0.user) = (id.rawValue, person.rawValue) })
    }

    /// Leaves a group. I may still read it up to then.
    public func leave() async throws(Refusal) {
        try await perform(Parley_V1_LeaveGroupRequest.with { $0.conversation = id.rawValue })
    }

    /// Makes a member an admin, or an admin a member.
    public func setAdmin(_ isAdmin: Bool, _ person: UserID) async throws(Refusal) {
        try await perform(
            Parley_V1_SetMemberRoleRequest.with {
                ($0.conversation, $0.user, $0.role) = (id.rawValue, person.rawValue, isAdmin ? .admin : .member)
            })
    }

    /// Makes another member the owner of a group that I own.
    public func transferOwnership(to person: UserID) async throws(Refusal) {
        try await perform(
            Parley_V1_TransferOwnershipRequest.with { ($0.conversation, $0.user) = (id.rawValue, person.rawValue) })
    }

    /// Withdraws a person's invitation into a group.
    public func withdrawInvitation(of person: UserID) async throws(Refusal) {
        try await perform(
            Parley_V1_WithdrawInvitationRequest.with { ($0.conversation, $0.user) = (id.rawValue, person.rawValue) })
    }

    // MARK: How

    private func outbox() throws(Refusal) -> Outbox {
        guard let outbox = reader?.outbox else { throw .wasClosed }
        return outbox
    }

    func perform(_ action: some Action, about message: Message? = nil) async throws(Refusal) {
        let outbox = try outbox()
        try await outbox.add(outbox.item(action, about: message?.id))
    }
}

/// What I do outside of conversations. It is shown, stored and sent like what I do in a ``Conversation``.
extension Parley {
    /// Starts a conversation with a person, or continues it.
    public func startConversation(with person: User) async throws(Refusal) -> Conversation {
        guard let user else { throw .signedOut }
        let id = ConversationID.direct(user, person.id)
        let known = conversation(id)
        if known.section != nil, known.request != .received(from: person.id) { return known }
        var item = try outbox.item(Parley_V1_StartDirectRequest.with { $0.user = person.id.rawValue })
        item.guess = guess(id, .direct, people: [person])
        try await outbox.add(item)
        return known
    }

    /// Creates a group. Those who do not know me are invited.
    public func createGroup(_ name: String, with people: [User]) async throws(Refusal) -> Conversation {
        let made = outbox.nextID()
        let id = ConversationID(rawValue: made.description)
        let request = Parley_V1_CreateGroupRequest.with {
            ($0.id, $0.name, $0.users) = (Data(made.bytes), name, people.map(\.id.rawValue))
        }
        var item = try outbox.item(request, id: made)
        item.guess = guess(id, .group, people: people, name: name)
        // Nobody has written in it before.
        conversations.showNewest([], from: 1, in: id)
        try await outbox.add(item)
        return conversation(id)
    }

    private func guess(
        _ id: ConversationID, _ kind: Parley_V1_ConversationKind, people: [User], name: String = ""
    ) -> Parley_V1_Conversation {
        let me = profile?.user ?? user.map { User(id: $0, username: "", displayName: "") }
        return .with { guess in
            (guess.id, guess.kind, guess.name, guess.section) = (id.rawValue, kind, name, .inbox)
            guess.conversationStatus = .accepted
            guess.createdAtUs = account?.now ?? 0
            var members = people.filter { $0.id != me?.id }
            if let me { members.append(me) }
            guess.members = members.map { person in
                .with { member in
                    member.user = person.stored
                    member.role = kind == .group && person.id == me?.id ? .owner : .member
                }
            }
            guess.memberCount = UInt32(members.count)
        }
    }

    /// Blocks a person. Once it is sent, neither of us can write to the other.
    public func block(_ person: User) async throws(Refusal) {
        try await perform(Parley_V1_BlockUserRequest.with { $0.user = person.id.rawValue }, with: person)
    }

    /// Unblocks a person.
    public func unblock(_ person: User) async throws(Refusal) {
        try await perform(Parley_V1_UnblockUserRequest.with { $0.user = person.id.rawValue }, with: person)
    }

    private func perform(_ action: some BlockAction, with person: User) async throws(Refusal) {
        var item = try outbox.item(action)
        item.guess = .with { $0.members = [.with { $0.user = person.stored }] }
        try await outbox.add(item)
    }

    /// Changes my profile. nil leaves a part as it is.
    /// - Parameters:
    ///   - photo: an `https` URL; empty: no photo.
    ///   - email: empty: none.
    public func updateProfile(
        displayName: String? = nil, username: String? = nil, photo: String? = nil, email: String? = nil,
        isFindableByEmail: Bool? = nil
    ) async throws(Refusal) {
        var request = Parley_V1_UpdateProfileRequest()
        if let displayName { request.displayName = displayName }
        if let username { request.username = username }
        if let photo { request.photoURL = photo }
        if let email { request.email = email }
        if let isFindableByEmail { request.findableByEmail = isFindableByEmail }
        try await perform(request)
    }

    func perform(_ action: some Action) async throws(Refusal) { try await outbox.add(outbox.item(action)) }
}
