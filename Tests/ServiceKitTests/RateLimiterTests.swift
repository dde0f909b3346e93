import Testing
import Wire

@testable import ServiceKit

@Suite("Rate limits")
struct RateLimiterTests {
    @Test("a burst takes a minute's share; then it comes back bit by bit, for each key")
    func minute() throws {
        let now = ContinuousClock.now
        var limiter = RateLimiter<String>(RateLimit(perMinute: 3), at: now)
        func refusal(_ key: String, at seconds: Int) -> Refusal? {
            do throws(Refusal) {
                try limiter.take(key, at: now + .seconds(seconds))
                return nil
            } catch {
                return error
            }
        }
        #expect((0..<3).allSatisfy { refusal("alice", at: $0) == nil })
        let refused = refusal("alice", at: 4)
        let wait = refused?.retryAfter ?? .zero
        #expect(refused?.code == .rateLimited && (.seconds(15.9)...(.seconds(16.1))).contains(wait), "\(wait)")
        #expect(refused?.message.firstMatch(of: /Wait 1[67] s/) != nil, "\(refused?.message ?? "")")
        #expect(refusal("bob", at: 5) == nil)
        #expect(refusal("alice", at: 21) == nil && refusal("alice", at: 22) != nil, "one each 20 s")
        #expect((0..<3).allSatisfy { refusal("alice", at: 300 + $0) == nil })
    }

    @Test("keys that have their whole share again are forgotten, so strangers cannot fill the memory")
    func forgets() throws {
        let now = ContinuousClock.now
        var limiter = RateLimiter<Int>(RateLimit(perMinute: 60), at: now)
        for key in 0..<100_000 { try limiter.take(key, at: now + .milliseconds(key)) }
        #expect(limiter.count <= 20_001)
        for _ in 0..<59 { try limiter.take(-1, at: now + .seconds(100)) }
        for key in 100_000..<130_000 { try limiter.take(key, at: now + .seconds(100)) }
        try limiter.take(-1, at: now + .seconds(100))
        #expect(throws: Refusal.self, "a key in use is kept") { try limiter.take(-1, at: now + .seconds(100)) }
    }

    @Test("a bucket gives its burst, then its rate; without a rate it never fills")
    func bucket() {
        let limit = RateLimit(perSecond: 10, burst: 2)
        var bucket = TokenBucket(limit, at: 0)
        #expect(bucket.take(limit, at: 0) == nil && bucket.take(limit, at: 0) == nil)
        let wait = bucket.take(limit, at: 0) ?? 0
        #expect((99_990...100_010).contains(wait))
        #expect(bucket.take(limit, at: wait) == nil && bucket.take(limit, at: wait) != nil)
        #expect(bucket.take(limit, at: -1_000_000) != nil, "a clock that goes back gives nothing")
        var spent = TokenBucket(limit, at: 0)
        #expect(spent.spend(limit, count: 2, debtMax: .seconds(1), at: 0) == 0)
        #expect((99_990...100_010).contains(spent.spend(limit, debtMax: .seconds(1), at: 0)))
        #expect((999_000...1_001_000).contains(spent.spend(limit, count: 1000, debtMax: .seconds(1), at: 0)))
        #expect(spent.take(limit, at: 1_000_000) != nil && spent.take(limit, at: 1_200_000) == nil)
        let none = RateLimit(perSecond: 0, burst: 0)
        #expect(bucket.take(none, at: 10_000_000) == 60_000_000)
    }
}
