import ParleyClient
import TestSupport
import Testing

/// Checks that each device received every position of its person's stream exactly once.
/// - Parameter late: whether devices may have signed in after some changes. What they hold begins later then.
func noGaps(of devices: [Device], late: Bool = false) async throws {
    for device in devices {
        let stream = "conversations/u/\(device.user)"
        let end = try await device.client.syncConversations(limit: 200).position
        try await eventually("\(device.username) receives every position") {
            let received = await device.updates.positions[stream] ?? []
            let first = late ? received.min() ?? 1 : 1
            return received.sorted() == (first <= end ? Array(first...end) : [])
        }
    }
}
