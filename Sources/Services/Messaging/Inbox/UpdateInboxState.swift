import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Pins, mutes, archives or marks unread a conversation for the caller alone (C8). Repeatable; a request that
    /// changes nothing publishes nothing.
    /// - Throws: ``Refusal`` `not_member`, `too_many_pinned`, `invalid`.
    func updateInboxState(_ request: UpdateInboxStateRequest, _ call: RequestContext) async throws -> InboxStateReply {
        let change = try InboxSettingsChange(request)
        let pinnedMax = pinnedMax
        return try await changeOwn(of: request.conversation, by: call.caller, isLocked: true) { own in
            let account = Parameter.number(call.caller.account)
            // Lock the person's stream first, so that later reads see all earlier changes.
            _ = try await own.positions(0)
            guard
                let before = try await own.change.first(
                    OwnStateStore.settings, account, .number(own.conversation))
            else { throw DatabaseError.unexpected("the inbox row is missing") }
            let after = before.applying(change, at: own.now)
            guard after != before else { return InboxStateReply(state: try await own.state()) }
            if before.pinnedAt == nil, after.pinnedAt != nil {
                let pinned = try await own.change.first(OwnStateStore.pinnedCount, account, .number(own.conversation))
                guard (pinned ?? 0) < pinnedMax else { throw Refusal.tooManyPinned(pinnedMax) }
            }
            try await own.store(after)
            return InboxStateReply(state: try await own.publishState())
        }
    }
}

extension OwnChange {
    /// Stores the settings under the next position.
    @ReactorActor
    func store(_ settings: InboxSettings) async throws {
        let position = try await positions(1)
        try await change.execute(
            OwnStateStore.setSettings, .number(caller.account), .number(conversation), .number(position),
            .optional(settings.pinnedAt), .optional(settings.mutedUntil), .optional(settings.archivedAt),
            .optional(settings.archivedSeq), .bool(settings.isMarkedUnread), .number(settings.clearedSeq))
    }
}

/// The requested changes of inbox settings. Pure.
struct InboxSettingsChange: Equatable {
    /// nil leaves each of these settings unchanged.
    var isPinned: Bool?
    var isArchived: Bool?
    var isMarkedUnread: Bool?
    var isMuted: Bool?
    /// Used when `isMuted` is true.
    var mutedUntil = Timestamp.max

    init() {}

    /// - Throws: ``Refusal`` `invalid`.
    init(_ request: UpdateInboxStateRequest) throws(Refusal) {
        isPinned = try request.pinned.change("pinned")
        isArchived = try request.archived.change("archived")
        isMarkedUnread = try request.markedUnread.change("marked_unread")
        isMuted = try request.muted.change("muted")
        guard request.mutedUntilUs >= 0, request.mutedUntilUs == 0 || isMuted == true else {
            throw .invalid("muted_until_us", "must not be negative, and may be set only together with muted YES")
        }
        if request.mutedUntilUs > 0 { mutedUntil = Timestamp(request.mutedUntilUs) }
    }
}

extension Choice {
    /// Returns the new value, or nil to leave it unchanged.
    /// - Throws: ``Refusal`` `invalid`.
    func change(_ field: String) throws(Refusal) -> Bool? {
        switch self {
        case .unspecified: nil
        case .yes: true
        case .no: false
        case .unrecognized: throw .invalid(field, "must be YES, NO or absent")
        }
    }
}

/// One person's inbox settings of a conversation. Pure.
struct InboxSettings: Sendable, Equatable {
    var pinnedAt: Timestamp?
    var mutedUntil: Timestamp?
    var archivedAt: Timestamp?
    var archivedSeq: Seq?
    var isMarkedUnread = false
    var clearedSeq: Seq = 0
    /// Whether the conversation is archived now, that is, no message has brought it back.
    var isArchived = false
    /// The newest seq.
    var lastSeq: Seq = 0

    func applying(_ change: InboxSettingsChange, at now: Timestamp) -> InboxSettings {
        var after = self
        if let isPinned = change.isPinned { after.pinnedAt = isPinned ? pinnedAt ?? now : nil }
        if let isMarkedUnread = change.isMarkedUnread { after.isMarkedUnread = isMarkedUnread }
        if let isMuted = change.isMuted { after.mutedUntil = isMuted ? change.mutedUntil : nil }
        // The old mute decided whether messages so far brought the conversation back. Settle this before it changes.
        if after.mutedUntil != mutedUntil, archivedAt != nil {
            if isArchived { after.archivedSeq = lastSeq } else { after.unarchive() }
        }
        switch change.isArchived {
        case true? where !isArchived: (after.archivedAt, after.archivedSeq, after.isArchived) = (now, lastSeq, true)
        case false?: after.unarchive()
        default: break
        }
        return after
    }

    /// Returns the settings with messages up to `seq` deleted for this person; zero deletes all. An empty conversation
    /// is no longer shown, so it is neither pinned nor marked unread.
    func cleared(upTo seq: Seq) -> InboxSettings {
        var after = self
        after.clearedSeq = max(clearedSeq, seq == 0 ? lastSeq : min(seq, lastSeq))
        if after.clearedSeq > clearedSeq, after.clearedSeq == lastSeq {
            after.pinnedAt = nil
            after.isMarkedUnread = false
        }
        return after
    }

    private mutating func unarchive() {
        (archivedAt, archivedSeq, isArchived) = (nil, nil, false)
    }
}

extension Refusal {
    static func tooManyPinned(_ max: Int64) -> Refusal {
        Refusal(.tooManyPinned, "At most \(max) conversations can be pinned.", field: "pinned")
    }
}
