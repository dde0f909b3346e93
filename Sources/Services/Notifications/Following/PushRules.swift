import Schema
import ServiceKit

/// Decides who is told of what. It is asked when something happens, and again when it is sent. Pure.
enum PushRules {
    /// What is older tells nobody.
    static let ageMax: Duration = .seconds(3600)
    /// Of a conversation whose messages disappear sooner, nothing is said.
    static let retentionMin: Duration = .seconds(3600)

    enum Verdict: Equatable, Sendable {
        /// The person is told; `isDirected`: it mentions or answers them.
        case told(isDirected: Bool)
        case notTold(Reason)
    }

    /// Why a person is not told. Also a label of a metric.
    enum Reason: String, Sendable, CaseIterable {
        case own, note, late, read, blocked, request, hidden, muted, archived, level, doNotDisturb, quiet, foreground
        case unwanted, gone
    }

    /// Whether a person is told of a message.
    static func verdict(on message: MessageFacts, at now: Timestamp) -> Verdict {
        guard message.sender != message.account, message.shared?.account != message.account else {
            return .notTold(.own)
        }
        if message.kind == .system {
            guard message.shared != nil else { return .notTold(.note) }
            guard message.wishes.events else { return .notTold(.unwanted) }
        }
        guard message.sentAt > now - ageMax else { return .notTold(.late) }
        guard message.key.seq > message.readSeq else { return .notTold(.read) }
        guard !message.isOfBlocked else { return .notTold(.blocked) }
        switch message.section {
        case .inbox: break
        // Of a request, people are told once, when it is made.
        case .requests: return .notTold(.request)
        case .unspecified, .blockedPeople, .left, .gone, .unrecognized: return .notTold(.hidden)
        }
        guard !message.isPending else { return .notTold(.request) }
        let isDirected = message.mentionsPerson || message.answersPerson
        if message.mutedUntil > now, !(message.mentionsPerson && message.wishes.mentionsWhenMuted) {
            return .notTold(.muted)
        }
        // A later message brings an archived conversation back, unless it is muted.
        if let archived = message.archivedSeq, message.key.seq <= archived || message.mutedUntil > now {
            return .notTold(.archived)
        }
        switch message.level ?? message.wishes.level {
        case .noMessages: return .notTold(.level)
        case .mentionsOnly where !isDirected: return .notTold(.level)
        case .mentionsOnly, .allMessages, .unspecified, .unrecognized: break
        }
        guard !message.saysDoNotDisturb else { return .notTold(.doNotDisturb) }
        return .told(isDirected: isDirected)
    }

    /// What may be said of a message: what the person wants, at most what the operator allows.
    static func content(of message: MessageFacts, operatorAllows most: PushContent) -> PushContent {
        guard message.retention == .zero || message.retention >= retentionMin else { return .noContent }
        return narrower(message.wishes.content, most)
    }

    /// The longest pause before another try.
    static let retryMax: Duration = .seconds(900)

    /// How long a notice waits that a provider did not take: as long as it asked for, and each time twice as long as
    /// the time before, up to a minute. So notices for hosts that never answer do not keep the queue busy.
    static func pause(asked: Duration, tries: Int) -> Duration {
        min(max(asked, .milliseconds(100) * (1 << min(max(tries, 0), 9))), retryMax)
    }

    static func narrower(_ one: PushContent, _ other: PushContent) -> PushContent {
        one.rawValue > other.rawValue ? one : other
    }
}
