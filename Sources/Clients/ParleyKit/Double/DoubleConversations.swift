import Foundation
import ParleyClient

/// Conversations, as a double keeps them.
extension ParleyDouble {
    func answerAboutConversations(_ answers: inout DoubleAnswers) {
        answers.on(ConversationsMethods.startDirect) { [unowned self] request throws(ParleyError) in
            let id = ConversationID.direct(me.id, UserID(rawValue: request.user))
            if let known = conversations[id] {
                if known.section == .requests { await accept(id) }
                return .with { $0.conversation = conversations[id] ?? known }
            }
            return try await create(id, [request.user]) { $0.kind = .direct }
        }
        answers.on(ConversationsMethods.createGroup) { [unowned self] request throws(ParleyError) in
            let id = ConversationID(rawValue: UUIDv7(bytes: request.id)?.description ?? "")
            return try await create(id, request.users, owner: me) { ($0.kind, $0.name) = (.group, request.name) }
        }
        answers.on(ConversationsMethods.findConversation) { [unowned self] request throws(ParleyError) in
            let wanted = Set(request.users + [me.id.rawValue])
            // With one person, the direct one.
            let found = conversations.values.first { conversation in
                Set(conversation.members.map(\.user.id)) == wanted && (wanted.count > 2 || conversation.kind == .direct)
            }
            return .with { if let found { $0.conversation = found } }
        }
        answerAboutRequests(&answers)
        answerAboutMembers(&answers)
        answers.on(ConversationsMethods.updateGroup) { [unowned self] request throws(ParleyError) in
            await changed(ConversationID(rawValue: request.conversation)) { group in
                if case .name(let name) = request.changeName { group.name = name }
                if case .photoURL(let photo) = request.changePhoto { group.photoURL = photo }
            }
        }
        answers.on(MessagingMethods.updateMarks) { [unowned self] request throws(ParleyError) in
            for mark in request.marks where mark.readSeq > 0 {
                await changeState(mark.conversation) {
                    guard mark.readSeq > $0.readSeq else { return }
                    ($0.readSeq, $0.markedUnread) = (mark.readSeq, false)
                }
            }
            return .init()
        }
        answers.on(MessagingMethods.updateInboxState) { [unowned self] request throws(ParleyError) in
            let now = Date.now.microseconds
            await changeState(request.conversation) { state in
                if let isPinned = request.pinned.flag { state.pinnedAtUs = isPinned ? now : 0 }
                if let isMuted = request.muted.flag {
                    state.mutedUntilUs = isMuted ? (request.mutedUntilUs == 0 ? .max : request.mutedUntilUs) : 0
                }
                if let isMarked = request.markedUnread.flag { state.markedUnread = isMarked }
                if let isArchived = request.archived.flag {
                    let newest = records[ConversationID(rawValue: request.conversation)]?.newest.seq ?? 0
                    (state.archivedAtUs, state.archivedSeq) = isArchived ? (now, newest) : (0, 0)
                }
            }
            return .init()
        }
        answers.on(MessagingMethods.setRetention) { [unowned self] request throws(ParleyError) in
            await commit([
                .inboxEntry(.with { ($0.conversation, $0.retentionSeconds) = (request.conversation, request.seconds) })
            ])
            return .with { $0.seconds = request.seconds }
        }
    }

    private func create(
        _ id: ConversationID, _ users: [String], owner: User? = nil, _ fill: (inout Parley_V1_Conversation) -> Void
    ) async throws(ParleyError) -> Parley_V1_ConversationReply {
        // The app knows people whom the double was not told of.
        learn(parley.outbox.entries.first { $0.item.lane == id.rawValue }?.item.guess?.members ?? [])
        let others = users.filter { $0 != me.id.rawValue }.compactMap { people[UserID(rawValue: $0)] }
        guard others.count == users.count(where: { $0 != me.id.rawValue }) else { throw .noUser }
        await add(id, [me] + others, owner: owner, fill)
        return .with { $0.conversation = conversations[id] ?? .init() }
    }

    private func answerAboutRequests(_ answers: inout DoubleAnswers) {
        answers.on(ConversationsMethods.acceptRequest) { [unowned self] request throws(ParleyError) in
            let id = ConversationID(rawValue: request.conversation)
            guard conversations[id] != nil else { throw .missing("request") }
            await accept(id)
            return .with { $0.conversation = conversations[id] ?? .init() }
        }
        answers.on(ConversationsMethods.declineRequest) { [unowned self] request throws(ParleyError) in
            await drop(ConversationID(rawValue: request.conversation))
            return .init()
        }
        answers.on(ConversationsMethods.withdrawRequest) { [unowned self] request throws(ParleyError) in
            await drop(ConversationID(rawValue: request.conversation))
            return .init()
        }
        answers.on(ConversationsMethods.withdrawInvitation) { _ throws(ParleyError) in .init() }
        // Whoever is added to a group of the double is a member at once.
        answers.on(ConversationsMethods.listInvitations) { _ throws(ParleyError) in .init() }
        answers.on(ConversationsMethods.markRequestsRead) { [unowned self] request throws(ParleyError) in
            for id in request.conversations.map(ConversationID.init(rawValue:)) {
                await change(id) {
                    if !$0.requestReadBy.contains(me.id.rawValue) { $0.requestReadBy.append(me.id.rawValue) }
                }
            }
            return await countRequests()
        }
    }

    /// Tells how many requests there are.
    @discardableResult
    func countRequests() async -> Parley_V1_RequestCount {
        let requests = conversations.values.filter { $0.section == .requests }
        let count = Parley_V1_RequestCount.with {
            $0.total = UInt32(requests.count)
            $0.unread = UInt32(requests.count { !$0.requestReadBy.contains(me.id.rawValue) })
        }
        await commit([.put(.requestCount(count))])
        return count
    }

    private func accept(_ id: ConversationID) async {
        await change(id) { conversation in
            (conversation.section, conversation.conversationStatus) = (.inbox, .accepted)
            // Whoever accepts an invitation is a member.
            guard conversation.kind == .group, !conversation.members.contains(where: { $0.user.id == me.id.rawValue })
            else { return }
            conversation.members.append(.with { ($0.user, $0.role) = (me.stored, .member) })
            conversation.memberCount += 1
        }
        await countRequests()
    }

    private func drop(_ id: ConversationID) async {
        (conversations[id], records[id]) = (nil, nil)
        await commit([.dropConversation(id.rawValue)])
        await countRequests()
    }

    private func answerAboutMembers(_ answers: inout DoubleAnswers) {
        answers.on(ConversationsMethods.addMembers) { [unowned self] request throws(ParleyError) in
            let new = request.users.compactMap { people[UserID(rawValue: $0)] }
            guard new.count == request.users.count else { throw .noUser }
            return await changed(ConversationID(rawValue: request.conversation)) { group in
                for person in new where !group.members.contains(where: { $0.user.id == person.id.rawValue }) {
                    group.members.append(.with { ($0.user, $0.role) = (person.stored, .member) })
                    group.memberCount += 1
                }
            }
        }
        answers.on(ConversationsMethods.removeMember) { [unowned self] request throws(ParleyError) in
            await change(ConversationID(rawValue: request.conversation)) { $0.remove(request.user) }
            return .init()
        }
        answers.on(ConversationsMethods.leaveGroup) { [unowned self] request throws(ParleyError) in
            await change(ConversationID(rawValue: request.conversation)) {
                $0.remove(me.id.rawValue)
                ($0.section, $0.leftAtUs) = (.left, Date.now.microseconds)
            }
            return .init()
        }
        answers.on(ConversationsMethods.setMemberRole) { [unowned self] request throws(ParleyError) in
            await change(ConversationID(rawValue: request.conversation)) { $0.set(request.role, request.user) }
            return .init()
        }
        answers.on(ConversationsMethods.transferOwnership) { [unowned self] request throws(ParleyError) in
            await change(ConversationID(rawValue: request.conversation)) {
                $0.set(.admin, me.id.rawValue)
                $0.set(.owner, request.user)
            }
            return .init()
        }
        answers.on(ConversationsMethods.listMembers) { [unowned self] request throws(ParleyError) in
            .with { $0.members = conversations[ConversationID(rawValue: request.conversation)]?.members ?? [] }
        }
    }

    private func changed(
        _ id: ConversationID, _ body: (inout Parley_V1_Conversation) -> Void
    ) async -> Parley_V1_ConversationReply {
        await change(id, body)
        return .with { $0.conversation = conversations[id] ?? .init() }
    }

    func change(_ id: ConversationID, _ body: (inout Parley_V1_Conversation) -> Void) async {
        guard var conversation = conversations[id] else { return }
        body(&conversation)
        conversation.position = nextPosition()
        var record = records[id] ?? ConversationRecord(id.rawValue)
        (record.position, record.section) = (conversation.position, conversation.section)
        (conversations[id], records[id]) = (conversation, record)
        await commit([.put(.conversation(conversation)), .record(record)])
    }

    func changeState(_ id: String, _ body: (inout Parley_V1_InboxState) -> Void) async {
        var record = records[ConversationID(rawValue: id)] ?? ConversationRecord(id)
        var state = record.unread.state
        (state.conversation, state.ownPosition) = (id, nextPosition())
        body(&state)
        record.unread.take(state)
        records[ConversationID(rawValue: id)] = record
        await commit([.inboxState(state), .record(record)])
    }
}

extension Parley_V1_Conversation {
    fileprivate mutating func remove(_ user: String) {
        guard members.contains(where: { $0.user.id == user }) else { return }
        members.removeAll { $0.user.id == user }
        memberCount -= 1
    }

    fileprivate mutating func set(_ role: Parley_V1_MemberRole, _ user: String) {
        for index in members.indices where members[index].user.id == user { members[index].role = role }
    }
}
