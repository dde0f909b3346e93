import NIOCore
import SwiftProtobuf

/// The state of the presence watch, which the client renews: the server ends a watch with the session, or after 90 s.
struct PresenceWatch {
    /// The interval of renewals; the server's watch lasts 90 s.
    static let renewEvery: TimeAmount = .seconds(60)
    /// All clients spread their renewals over this time after the server lost its watches.
    static let renewSpread: Duration = .seconds(1)

    /// The user ids watched; empty: no watch.
    var users: [String] = []
    var renewal: Scheduled<Void>?
}

extension ParleyClient {
    /// Watches the presence of people: from now on ``updates`` brings Updates of kind `PresenceState`, also after
    /// reconnecting. This replaces the earlier watch; an empty list ends it. The request is not repeated.
    /// - Parameter users: user ids.
    /// - Returns: the current states.
    public func watchPresence(_ users: [String]) async throws(ParleyError) -> [Parley_V1_PresenceState] {
        presence.renewal?.cancel()
        presence.users = users
        do throws(ParleyError) {
            // Sent once: a later repetition would replace a newer watch.
            let reply = try await call(
                PresenceMethods.watchPresence, key: user, .with { $0.users = users }, deadline: options.deadline)
            scheduleWatchRenewal(in: PresenceWatch.renewEvery)
            return reply.states
        } catch {
            if error.isRetriable { scheduleWatchRenewal(in: .seconds(5)) }
            throw error
        }
    }

    /// Tells the other members of a conversation whether I am typing there. While I am, call it again every 2 s: typing
    /// ends 3 s after the last call. The request is not repeated.
    public func setTyping(_ isTyping: Bool, in conversation: String) async throws(ParleyError) {
        _ = try await call(
            PresenceMethods.setTyping, key: user,
            .with { ($0.conversation, $0.typing) = (conversation, isTyping) }, deadline: options.deadline)
    }

    /// Renews the watch and delivers the current states as Updates, since some may have been missed.
    func renewWatch() async {
        let users = presence.users
        guard !users.isEmpty, case .ready = state else { return }
        do throws(ParleyError) {
            let reply = try await call(
                PresenceMethods.watchPresence, key: user, .with { $0.users = users }, deadline: options.deadline)
            guard presence.users == users else { return }
            for state in reply.states {
                guard let body = try? state.frame() else { continue }
                deliver(
                    Update(
                        stream: "presence/u/\(state.user)", position: 0, kind: "PresenceState", updateClass: .ephemeral,
                        body: body))
            }
            scheduleWatchRenewal(in: PresenceWatch.renewEvery)
        } catch {
            if error.isRetriable { scheduleWatchRenewal(in: .seconds(5)) }
        }
    }

    /// Renews the watch soon, because the server lost watches and perhaps this one.
    func watchesWereLost() {
        scheduleWatchRenewal(in: TimeAmount(PresenceWatch.renewSpread * Double.random(in: 0..<1)))
    }

    private func scheduleWatchRenewal(in wait: TimeAmount) {
        presence.renewal?.cancel()
        guard !presence.users.isEmpty else { return }
        presence.renewal = eventLoop.scheduleTask(in: wait) { [weak self] in
            guard let self else { return }
            Task { await self.renewWatch() }
        }
    }
}
