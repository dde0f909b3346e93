import Foundation
import ParleyClient

/// What I say of myself, and do.
extension Parley {
    /// Says on all my devices whether I am away or do not want to be disturbed, as long as I am connected.
    public func setAvailability(_ availability: OwnPresence.Availability) async throws(Refusal) {
        show(try await ask { client throws(ParleyError) in try await client.setPresence(availability.sent) })
    }

    /// Sets the line that others read while I am connected.
    /// - Parameters:
    ///   - text: at most 128 bytes, without line breaks; nil: none.
    ///   - ends: when it ends; nil: it does not.
    public func setStatus(_ text: String?, until ends: Date? = nil) async throws(Refusal) {
        let status = Parley_V1_StatusText.with {
            ($0.text, $0.endsUs) = (text ?? "", text == nil ? 0 : ends?.microseconds ?? 0)
        }
        show(try await ask { client throws(ParleyError) in try await client.setPresence(status: status) })
    }

    /// Hides me: to these people I am offline, and they are to me.
    public func setHiding(_ hiding: OwnPresence.Hiding) async throws(Refusal) {
        show(try await ask { client throws(ParleyError) in try await client.setPresence(hiding: hiding.sent) })
    }

    /// Says what I do in the app: call it when the scene's phase or the conversation on the screen changes, and
    /// whenever I use the app. Without it, others see me as away after a while.
    public func setActivity(isInForeground: Bool, conversation: ConversationID? = nil) async {
        activity = (isInForeground, conversation)
        await client?.setActivity(isInForeground: isInForeground, conversation: conversation?.rawValue)
    }

    /// Shows what I say of myself, unless something newer is shown.
    func show(_ state: Parley_V1_OwnPresence) {
        guard state.version >= ownPresenceVersion else { return }
        (ownPresence, ownPresenceVersion) = (OwnPresence(state), state.version)
    }

    /// Reads what I say of myself, whose changes the device may have missed.
    func readOwnPresence() async {
        guard let client else { return }
        do {
            let state = try await client.getOwnPresence()
            if client === self.client { show(state) }
        } catch {
            // It is read again with the next session, which a client that is not answered needs soon.
        }
    }
}
