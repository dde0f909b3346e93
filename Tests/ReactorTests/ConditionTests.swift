import Testing

@testable import Reactor

@Suite("Waiting for a condition")
struct ConditionTests {
    @ReactorActor
    private final class Work {
        var left = 2
        nonisolated init() {}
    }

    private let work = Work()

    @Test("a task goes on when the condition is met, not at every change")
    @ReactorActor
    func met() async {
        let condition = Condition { [work] in work.left == 0 }
        let waiting = Task.immediate { @ReactorActor in await condition.wait(atMost: .seconds(60)) }
        var hasEnded = false
        let noting = Task.immediate { @ReactorActor in
            _ = await waiting.value
            hasEnded = true
        }
        work.left = 1
        condition.changed()
        for _ in 0..<5 { await Task.yield() }
        #expect(!hasEnded)
        work.left = 0
        condition.changed()
        #expect(await waiting.value)
        await noting.value
        #expect(await condition.wait(atMost: .seconds(60)), "met already")
    }

    @Test("a wait ends at its limit")
    @ReactorActor
    func limit() async {
        let condition = Condition { [work] in work.left == 0 }
        #expect(await condition.wait(atMost: .milliseconds(5)) == false)
        #expect(await condition.wait(atMost: .milliseconds(-5)) == false)
        work.left = 0
        condition.changed()
        #expect(await condition.wait(atMost: .milliseconds(5)))
    }

    @Test("a wait ends when its task is cancelled, before or during it")
    @ReactorActor
    func cancelled() async {
        let condition = Condition { false }
        let during = Task.immediate { @ReactorActor in await condition.wait(atMost: .seconds(60)) }
        during.cancel()
        #expect(await during.value == false)
        let before = Task { @ReactorActor in await condition.wait(atMost: .seconds(60)) }
        before.cancel()
        #expect(await before.value == false)
    }
}
