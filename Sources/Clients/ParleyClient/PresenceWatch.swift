import NIOCore
import SwiftProtobuf

/// Keeps a watch of people's presence going: a server forgets it with the session, and when it is not renewed.
struct PresenceWatch {
    /// A server's watch lasts 90 s.
    static let renewEvery: TimeAmount = .seconds(60)
    /// When watches were lost, all clients renew theirs within this.
    static let renewSpread: Duration = .seconds(1)

    /// User ids; empty: nobody is watched.
    var users: [String] = []
    var renewal: Scheduled<Void>?
}

extension ParleyClient {
    /// Who is there now, and from then on Updates of kind `PresenceState`, also after reconnecting. Replaces the
    /// earlier watch; nobody ends it.
    public func watchPresence(_ users: [String]) async throws(ParleyError) -> [Parley_V1_PresenceState] {
        presence.renewal?.cancel()
        presence.users = users
        do throws(ParleyError) {
            // Asked once: repeated later it would replace a watch that was asked for meanwhile.
            let reply = try await call(
                PresenceMethods.watchPresence, key: user, .with { $0.users = users }, deadline: options.deadline)
            scheduleWatchRenewal(in: PresenceWatch.renewEvery)
            return reply.states
        } catch {
            if error.isRetriable { scheduleWatchRenewal(in: .seconds(5)) }
            throw error
        }
    }

    /// Asks again for what is watched; what may have been missed comes as Updates.
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

    /// The server lost watches, perhaps ours.
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
