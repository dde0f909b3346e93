import Testing

@testable import ConversationsService

@Suite("Limits per minute")
struct RateLimiterTests {
    private let key = RateLimiter.Key(action: .find, account: 7)

    @Test("a limit holds for a minute from the first action, for each person and kind of action")
    func minute() {
        var limiter = RateLimiter()
        let now = ContinuousClock.now
        #expect((0..<3).allSatisfy { limiter.count(key, max: 3, at: now + .seconds($0)) == nil })
        #expect(limiter.count(key, max: 3, at: now + .seconds(20)) == .seconds(40))
        #expect(limiter.count(.init(action: .report, account: 7), max: 3, at: now + .seconds(20)) == nil)
        #expect(limiter.count(.init(action: .find, account: 8), max: 3, at: now + .seconds(20)) == nil)
        #expect(limiter.count(key, max: 3, at: now + .seconds(60)) == nil)
    }
}
