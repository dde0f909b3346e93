import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Decisions: what was decided, by whom and where (E5). Private ones are their author's alone. A shared one has a card
/// in its conversation, and who may read that may read the decision.
extension EntitiesService {
    private static let textBytesMax = 16_384

    /// Records a decision. Retry-safe: a repeated id returns the first result.
    /// - Throws: ``Refusal`` `invalid`, `too_large`, `too_many_decisions`, `id_in_use`, `decision_not_found`,
    ///   `forbidden`, `already_superseded`; of the named conversation `not_member`, and if it is shared `user_blocked`,
    ///   `accept_first` and `request_pending`.
    func createDecision(_ request: CreateDecisionRequest, _ call: RequestContext) async throws -> DecisionReply {
        let id = try UUIDv7(request.id)
        let caller = call.caller
        let text = try Text.message(request.text, field: "text", bytes: Self.textBytesMax)
        if !request.supersedes.isEmpty { _ = try UUIDv7(request.supersedes, field: "supersedes") }
        if request.shared, request.conversation.isEmpty {
            throw Refusal.invalid("shared", "needs the conversation to share it with")
        }
        try allowChange(by: caller)
        do {
            let conversation =
                request.shared
                ? try await sharedConversation(request.conversation, by: caller, in: context.database)
                : try await conversationNumber(request.conversation, of: caller)
            let draft = DecisionDraft(
                id: id, text: text, conversation: conversation, sourceMessage: request.sourceMessage,
                isShared: request.shared, supersedes: request.supersedes)
            return try await change(by: caller) { try await self.create(draft, by: caller, in: $0) }
        } catch let refusal as Refusal {
            // The first request with this id may have been allowed.
            guard let known = try await repeated(id, by: caller) else { throw refusal }
            return known
        } catch let error as DatabaseError where error.code == .uniqueViolation {
            throw Refusal(.idInUse, "Another person's decision has this id. Use a new one.", field: "id")
        }
    }

    /// Returns the result of an earlier request with this id; nil if there was none.
    private func repeated(_ id: UUIDv7, by caller: Caller) async throws -> DecisionReply? {
        let database = context.database
        guard let known = try await database.first(DecisionsStore.stored, .uuid(id.bytes)),
            known.account == caller.account,
            let decision = try await database.first(DecisionsStore.decision, .uuid(id.bytes))
        else { return nil }
        return DecisionReply(decision: decision, duplicate: true)
    }

    /// Returns a decision that the caller may read.
    /// - Throws: ``Refusal`` `not_found`.
    func getDecision(_ request: GetDecisionRequest, _ call: RequestContext) async throws -> DecisionReply {
        let id = try UUIDv7(request.id)
        let found = try await context.database.first(
            DecisionsStore.readable, .uuid(id.bytes), .number(call.caller.account))
        guard let found else { throw Refusal.notFound }
        return DecisionReply(decision: found, duplicate: false)
    }

    /// Deletes a decision of the caller's own, with its card. Its emptied row stays for devices that are offline.
    /// - Throws: ``Refusal`` `not_found`.
    func deleteDecision(_ request: DeleteDecisionRequest, _ call: RequestContext) async throws -> DecisionReply {
        let id = try UUIDv7(request.id)
        try allowChange(by: call.caller)
        return try await change(by: call.caller) { try await self.delete(id, by: call.caller, in: $0) }
    }

    /// Returns a page of decisions, newest first.
    /// - Throws: ``Refusal`` `not_member` of the named conversation, `invalid`.
    func listDecisions(_ request: ListDecisionsRequest, _ call: RequestContext) async throws -> ListDecisionsReply {
        let before = try DecisionCursor(request.cursor)
        if request.sharedOnly, request.conversation.isEmpty {
            throw Refusal.invalid("shared_only", "needs a conversation")
        }
        let conversation = try await conversationNumber(request.conversation, of: call.caller)
        let limit = min(Page.limit(request.limit), 100)
        let text = Folding.folded(request.text)
        // Without a filter every decision examined is wanted, but for what of the conversation is not shown.
        let examined = text.isEmpty && !request.sharedOnly ? Int64(limit + 1) : DecisionsStore.examinedMax
        let rows = try await context.expensive.query(
            request.sharedOnly ? DecisionsStore.shared : DecisionsStore.own(inConversation: conversation != nil),
            [.number(before.createdAt), .uuid(before.id), .number(call.caller.account), .int64(examined), .text(text)]
                + (conversation.map { [.number($0)] } ?? []))
        let wanted = rows.filter(\.isWanted).map(\.decision)
        let page = Array(wanted.prefix(limit))
        let last = wanted.count > limit ? page.last : Int64(rows.count) == examined ? rows.last?.decision : nil
        return ListDecisionsReply(decisions: page, cursor: last.map { DecisionCursor($0).text } ?? "")
    }

    // MARK: Changes

    func create(_ draft: DecisionDraft, by caller: Caller, in change: Change) async throws -> DecisionReply {
        let before = try await superseded(by: draft, of: caller, in: change)
        var positions = try await heads(
            of: [caller.account] + (before.map { $0.isOfErased ? [] : [$0.account] } ?? []), in: change)
        // Under the head, so that a concurrent repetition of the request sees the first one's row.
        if let known = try await change.first(DecisionsStore.stored, .uuid(draft.id.bytes)),
            known.account == caller.account,
            let decision = try await change.first(DecisionsStore.decision, .uuid(draft.id.bytes))
        {
            return DecisionReply(decision: decision, duplicate: true)
        }
        let now = context.clock.now
        try draft.id.checkWindow(now: now)
        if try await change.first(DecisionsStore.areMany, .number(caller.account), .int64(decisionsMax)) == true {
            throw Refusal(
                .tooManyDecisions, "You have \(decisionsMax) decisions. Delete some before you add more.")
        }
        var card: CardNumber?
        if draft.isShared, let conversation = draft.conversation {
            card = try await share(
                draft.id, as: .decisionShared, in: conversation, supersedes: draft.supersedes, by: caller, change)
        }
        let position = Self.next(&positions, of: caller.account)
        try await change.execute(
            DecisionsStore.add, .uuid(draft.id.bytes), .number(caller.account), .text(draft.text),
            .text(Folding.folded(draft.text)), .optional(draft.conversation),
            draft.sourceMessage.isEmpty ? .null : .uuid(draft.sourceMessage), .number(now), .optional(card),
            draft.supersedes.isEmpty ? .null : .uuid(draft.supersedes), .number(position))
        if let before {
            try await supersede(draft.supersedes, before, with: draft.id.bytes, &positions, in: change)
        }
        return DecisionReply(
            decision: try await settle(draft.id.bytes, of: caller.account, positions, in: change), duplicate: false)
    }

    /// Returns the decision that a draft supersedes, if any.
    /// - Throws: ``Refusal`` `decision_not_found`, also for one that the caller may not read; `forbidden`, `invalid`.
    private func superseded(
        by draft: DecisionDraft, of caller: Caller, in change: Change
    ) async throws -> StoredDecision? {
        guard !draft.supersedes.isEmpty else { return nil }
        let found = try await change.first(
            DecisionsStore.supersedable, .uuid(draft.supersedes), .number(caller.account))
        guard let (found, maySupersede) = found else {
            throw Refusal(.decisionNotFound, "There is no such decision.", field: "supersedes")
        }
        guard maySupersede else {
            throw Refusal.forbidden("Only its author, the owner and admins can replace a decision. Ask one of them.")
        }
        guard found.card == nil || draft.isShared && draft.conversation == found.conversation else {
            throw Refusal.invalid("supersedes", "is shared: share the new decision with the same conversation")
        }
        return found
    }

    /// Marks a decision as superseded, or as holding again, and publishes it to its author.
    private func supersede(
        _ id: [UInt8], _ before: StoredDecision, with later: [UInt8]?,
        _ positions: inout [AccountNumber: Position], in change: Change
    ) async throws {
        // The state under the lock of its author's head.
        guard let current = try await change.first(DecisionsStore.stored, .uuid(id)), !current.isDeleted else {
            if later == nil { return }
            throw Refusal(.decisionNotFound, "There is no such decision.", field: "supersedes")
        }
        if later != nil, current.supersededBy != nil {
            throw Refusal(
                .alreadySuperseded, "A later decision has replaced this one. Supersede that one.", field: "supersedes"
            )
        }
        // The stream of an erased person is gone.
        let position = before.isOfErased ? nil : Self.next(&positions, of: before.account)
        try await change.execute(
            DecisionsStore.supersede, .uuid(id), later.map { .uuid($0) } ?? .null, .optional(position))
        guard position != nil else { return }
        _ = try await settle(id, of: before.account, positions, in: change)
    }

    private func delete(_ id: UUIDv7, by caller: Caller, in change: Change) async throws -> DecisionReply {
        guard let found = try await change.first(DecisionsStore.stored, .uuid(id.bytes)),
            found.account == caller.account
        else { throw Refusal.notFound }
        var before: StoredDecision?
        if let earlier = found.supersedes { before = try await change.first(DecisionsStore.stored, .uuid(earlier)) }
        var positions = try await heads(
            of: [caller.account] + (before.map { $0.isOfErased ? [] : [$0.account] } ?? []), in: change)
        // Again, under the lock of the head.
        guard let current = try await change.first(DecisionsStore.stored, .uuid(id.bytes)) else {
            throw Refusal.notFound
        }
        if current.isDeleted {
            guard let known = try await change.first(DecisionsStore.decision, .uuid(id.bytes)) else {
                throw Refusal.notFound
            }
            return DecisionReply(decision: known, duplicate: true)
        }
        let now = context.clock.now
        if let card = current.card { try await withdraw(card, by: caller, at: now, change) }
        let position = Self.next(&positions, of: caller.account)
        try await change.execute(DecisionsStore.delete, .uuid(id.bytes), .number(now), .number(position))
        if let earlier = current.supersedes, let before {
            try await supersede(earlier, before, with: nil, &positions, in: change)
        }
        return DecisionReply(
            decision: try await settle(id.bytes, of: caller.account, positions, in: change), duplicate: false)
    }

    /// Takes the next position of a stream whose head is locked.
    private static func next(_ positions: inout [AccountNumber: Position], of account: AccountNumber) -> Position {
        let next = positions[account, default: 0] + 1
        positions[account] = next
        return next
    }

    /// Stores the position that a stream has reached, and publishes a decision to its author.
    private func settle(
        _ id: [UInt8], of account: AccountNumber, _ positions: [AccountNumber: Position], in change: Change
    ) async throws -> Decision {
        try await change.execute(
            DecisionsStore.moveHead, .number(account), .number(positions[account, default: 0]))
        guard let decision = try await change.first(DecisionsStore.decision, .uuid(id)) else {
            throw DatabaseError.unexpected("the decision was not stored")
        }
        change.publish(
            PendingUpdate(
                decision, as: EntitiesKind.decision, subject: account, owner: decision.user,
                position: Position(decision.position), audience: [account]))
        return decision
    }
}

/// A decision that a person is about to record.
struct DecisionDraft: Sendable {
    var id: UUIDv7
    var text: String
    var conversation: ConversationNumber?
    var sourceMessage: [UInt8]
    var isShared: Bool
    var supersedes: [UInt8]
}

/// What decides about changes of a decision.
struct StoredDecision: Sendable {
    var account: AccountNumber
    var conversation: ConversationNumber?
    var card: CardNumber?
    var supersedes: [UInt8]?
    var supersededBy: [UInt8]?
    var isDeleted: Bool
    /// Whether its author was erased.
    var isOfErased: Bool
}

/// The last decision of the previous page, as `CREATED.ID`. Pure.
struct DecisionCursor: Cursor {
    var createdAt: Timestamp
    var id: [UInt8]

    static let start = DecisionCursor(createdAt: .max, id: [UInt8](repeating: 0xff, count: 16))

    private init(createdAt: Timestamp, id: [UInt8]) { (self.createdAt, self.id) = (createdAt, id) }

    init(_ decision: Decision) { self.init(createdAt: Timestamp(decision.createdAtUs), id: decision.id) }

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        self.init(createdAt: try parts.number(in: .min ... .max), id: try parts.bytes(16))
    }

    var text: String { "\(createdAt).\(Hex.text(id))" }
}
