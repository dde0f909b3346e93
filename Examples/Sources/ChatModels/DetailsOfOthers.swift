import Foundation
import ParleyKit

/// What only I see of a conversation, and what I do about a person.
extension DetailsModel {
    public var isMuted: Bool {
        get { chat.isMuted }
        set { Task { await setMuted(newValue) } }
    }

    public var isBlocked: Bool {
        get { chat.request == .blocked }
        set { Task { await setBlocked(newValue) } }
    }

    public func setMuted(_ isMuted: Bool) async {
        await attempt { () async throws(Refusal) in
            if isMuted { try await self.chat.mute() } else { try await self.chat.unmute() }
        }
    }

    public func setBlocked(_ isBlocked: Bool) async {
        guard let other = chat.other else { return }
        await attempt { () async throws(Refusal) in
            if isBlocked { try await self.parley.block(other) } else { try await self.parley.unblock(other) }
        }
    }

    public func report(_ reason: ReportReason) async {
        guard let other = chat.other else { return }
        await attempt { () async throws(Refusal) in try await self.parley.report(other.id, for: reason) }
    }

    /// Deletes all messages so far, for me alone.
    public func clear() async {
        await attempt { () async throws(Refusal) in try await self.chat.clear() }
    }
}

extension ReportReason {
    public var title: String {
        switch self {
        case .spam: "Spam"
        case .harassment: "Harassment"
        case .violence: "Violence"
        case .sexual: "Sexual content"
        case .impersonation: "Impersonation"
        case .other: "Something else"
        }
    }
}
