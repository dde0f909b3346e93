import Testing

@testable import ConversationsService

@Suite("How often one may do something in a minute")
struct RateLimiterTests {
    private let key = RateLimiter.Key(act: .find, account: 7)

    @Test("so often and no more; in the minute after the first again, and others meanwhile")
    func minute() {
        var acts = RateLimiter()
        let now = ContinuousClock.now
        #expect((0..<3).allSatisfy { acts.count(key, most: 3, at: now + .seconds($0)) == nil })
        #expect(acts.count(key, most: 3, at: now + .seconds(20)) == .seconds(40))
        #expect(acts.count(.init(act: .report, account: 7), most: 3, at: now + .seconds(20)) == nil)
        #expect(acts.count(.init(act: .find, account: 8), most: 3, at: now + .seconds(20)) == nil)
        #expect(acts.count(key, most: 3, at: now + .seconds(60)) == nil)
    }
}
