import Schema
import ServiceKit
import Testing

@Suite("Where a sync starts")
struct SyncStartTests {
    @Test(
        "a position of another history starts over",
        arguments: [
            (0, "", false), (0, "now", false), (5, "now", false), (7, "now", false), (8, "now", true),
            (-1, "now", true),
            (5, "", true), (5, "before", true), (0, "before", true), (.max, "now", true), (.min, "", true),
        ] as [(Int64, String, Bool)])
    func startsOver(position: Int64, epoch: String, startOver: Bool) {
        let start = SyncStart(position, of: epoch, current: "now", head: 7)
        #expect(start.startOver == startOver && start.since == (startOver ? 0 : Position(position)))
    }
}
