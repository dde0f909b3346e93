import Foundation
import ParleyKit

/// Puts into words whether a person is online.
struct PresenceText {
    let words: Words

    init(_ words: Words) { self.words = words }

    func text(of presence: Presence) -> String {
        let status =
            switch presence.status {
            case .online: "online"
            case .away: "away"
            case .doNotDisturb: "does not want to be disturbed"
            case .offline: presence.lastSeen.map { "last seen \(words.dayAndTime($0))" } ?? "offline"
            }
        return [status, presence.statusText ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
