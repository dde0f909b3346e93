import ParleyKit

/// What stands in the place of the text field where I cannot write, or can but am asked first.
extension ChatModel {
    /// The other person asks, or invites me: answer with ``accept()``, ``decline()`` or ``block()``.
    public var isRequest: Bool { if case .received = chat.request { true } else { false } }

    public var isBlocked: Bool { chat.request == .blocked || chat.section == .blocked }
    public var canWrite: Bool { !isRequest && !isBlocked && !chat.hasLeft && chat.section != .left }

    /// What the bar says; nil: there is nothing to say.
    public var notice: String? {
        switch chat.request {
        case .received where isGroup: "You are invited into this group."
        case .received: "\(title) wants to write to you."
        case .sent: "Waits for \(title) to accept."
        case .blocked: "You block this person."
        case .accepted: chat.hasLeft ? "You are no longer in this group." : nil
        }
    }

    /// Whether ``block()`` is offered: by a person, not by a group.
    public var canBlock: Bool { asking != nil }

    private var asking: User? {
        if case .received(let person) = chat.request { chat.user(person) ?? chat.other } else { chat.other }
    }

    public func accept() async {
        await attempt { () async throws(Refusal) in try await self.chat.accept() }
    }

    public func decline() async {
        await attempt { () async throws(Refusal) in try await self.chat.decline() }
    }

    public func block() async {
        guard let asking else { return }
        await attempt { () async throws(Refusal) in try await self.parley.block(asking) }
    }

    public func unblock() async {
        guard let asking else { return }
        await attempt { () async throws(Refusal) in try await self.parley.unblock(asking) }
    }
}
