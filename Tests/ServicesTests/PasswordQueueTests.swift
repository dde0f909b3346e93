import Reactor
import Testing
import Wire

@testable import ConversationsService

@Suite("Passwords that wait to be hashed (A1)")
@ReactorActor
struct PasswordQueueTests {
    private final class Counts {
        var attempts = 0
        var checked = 0
    }

    @Test("A1 the password of somebody who signed in here before is checked ahead of strangers'")
    func turns() async throws {
        let (queue, counts) = (PasswordQueue(), Counts())
        queue.signedIn(from: "10.0.0.1")
        let hash = try await queue.hashed("correct horse", for: "10.0.0.1")
        let strangers = (0..<PasswordAdmission.strangersMax).map { number in
            Task { @ReactorActor in
                let isRight = try await queue.verified("wrong horse", against: hash, for: "10.1.0.\(number)")
                counts.checked += 1
                return isRight
            }
        }
        // Tasks begin in the order they are made, so this one is the last to ask.
        let known = Task { @ReactorActor in
            let isRight = try await queue.verified("correct horse", against: hash, for: "10.0.0.1")
            return (isRight: isRight, checkedBefore: counts.checked)
        }
        #expect(try await known.value.isRight)
        #expect(try await known.value.checkedBefore < PasswordAdmission.strangersMax / 2)
        for stranger in strangers { #expect(try await !stranger.value) }
    }

    @Test("A1 an attempt for which there is no room is refused before it is counted")
    func counts() async throws {
        let (queue, counts) = (PasswordQueue(), Counts())
        let hash = try await queue.hashed("correct horse", for: nil)
        let attempts = (0..<20).map { _ in
            Task { @ReactorActor in
                _ = try await queue.verified("wrong horse", against: hash, for: "10.0.0.1") {
                    counts.attempts += 1
                    try await Reactor.shared.sleep(for: .milliseconds(1))
                }
            }
        }
        var refused = 0
        for attempt in attempts {
            do {
                try await attempt.value
            } catch let refusal as Refusal {
                #expect(refusal.code == .rateLimited)
                refused += 1
            }
        }
        #expect(counts.attempts == PasswordAdmission.perPlaceMax)
        #expect(refused == 20 - PasswordAdmission.perPlaceMax)
    }
}
