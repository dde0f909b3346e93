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

    @Test("A1 addresses where passwords were wrong leave room for one that has not tried yet")
    func newAddress() throws {
        var admission = Admission(PasswordAdmission.limits)
        let guessing = (0..<150).map { "10.0.0.\($0)" }
        for place in guessing { admission.failed(from: place) }
        let waiting = guessing.compactMap { admission.enter($0) }
        #expect(waiting.count < guessing.count)
        let new = admission.enter("10.1.0.1")
        admission.leave(try #require(new, "a new address finds a place"))
        for ticket in waiting { admission.leave(ticket) }
        let again = guessing.compactMap { admission.enter($0) }
        #expect(again.count == waiting.count, "every place was given back")
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
