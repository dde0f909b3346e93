import ParleyClient
import ParleyKit
import Testing

@Suite("Codes of refusals")
struct RefusalCodeTests {
    @Test(
        "each code says whether the request may be repeated, as the table in REFERENCE does; an unknown one never",
        arguments: [
            ("rate_limited", Refusal.Code.Repetition.afterWait, true), ("unavailable", .uncertain, true),
            ("deadline", .uncertain, true), ("timeout", .afterWait, true), ("internal", .aFewTimes, false), ("unauthenticated", .onceSignedIn, false),
            ("not_member", .never, false), ("too_many_sessions", .never, false), ("of_tomorrow", .never, false),
        ])
    func repetitions(code: String, repetition: Refusal.Code.Repetition, isTemporary: Bool) {
        #expect(Refusal.Code(rawValue: code).repetition == repetition)
        #expect(Refusal(Refusal.Code(rawValue: code), "").isTemporary == isTemporary)
        #expect(ParleyError(code: code, message: "").isRetriable == isTemporary)
        #expect("\(ParleyError.Code(rawValue: code).repetition)" == "\(repetition)")
    }

    @Test("what would be refused again is for the person to see")
    func never() {
        var shown: [String] = []
        func show(_ message: String) { shown.append(message) }
        for refusal in [Refusal(.notMember, "not yours"), Refusal(.deadline, "too late")] {
            // snippet
            if refusal.code.repetition == .never { show(refusal.message) }
            // end
        }
        #expect(shown == ["not yours"])
    }

    @Test("what failed on the way is temporary, and may have worked")
    func onTheWay() {
        #expect(Refusal(.offline, "").isTemporary && Refusal(.connectionLost, "").isTemporary)
        #expect(ParleyError(.connectionLost, "").isRetriable && ParleyError(.connectionLost, "").isUncertain)
        #expect(!ParleyError(.rateLimited, "").isUncertain && !ParleyError(.closed, "").isRetriable)
        #expect(ParleyError(.closed, "").hasCode(.notMember, .closed) && !ParleyError(.closed, "").hasCode(.notMember))
    }

    @Test("C5 S6 what a screen shows of a refusal is a sentence that stays the same, or what the server says")
    func texts() {
        #expect(
            Refusal(.userNotFound, "no such user").text
                == "User not found. Please check the username and try again.")
        #expect(Refusal(.userBlocked, "blocked").text == "You cannot message this user.")
        for code in [Refusal.Code.offline, .connectionLost, .unavailable, .deadline] {
            #expect(
                Refusal(code, "socket closed").text == "Network error. Please check your connection and try again.")
        }
        let refusal = Refusal(.groupFull, "The group has 1,000 members.")
        #expect(refusal.text == "The group has 1,000 members.")
        #expect((refusal as any Error).localizedDescription == refusal.text)
    }
}
