import ParleyClient
import TestSupport
import Testing

extension LeakTests {
    private static let windows = Task { try await Windows(made.value.stage.cluster) }

    @Test("the tables have every field of the contract that names messages by their seqs")
    func seqFields() {
        let declared = ContractRequest.all.flatMap { request in
            request.fields.filter { $0.firstMatch(of: /(^|[._])seqs?$/) != nil }.map { "\(request.method) \($0)" }
        }
        #expect(declared.count > 15)
        #expect(Set(SeqRow.all.map { "\($0.method) \($0.field)" }) == Set(declared))
        #expect(SeqRow.all.count == Set(declared).count)
    }

    @Test(
        "M14 a message from before someone joined, or that they cleared, looks as if it did not exist to all requests")
    func seqsBefore() async throws {
        let later = try await Self.windows.value.later
        for row in SeqRow.all where row.meaning == .message {
            for sight in later { try await Self.expectMissing(sight, by: row, isRefused: true) }
        }
        for row in SeqRow.all where row.meaning == .answered {
            // Whoever cleared a message has read it and may answer it.
            for sight in later where !sight.hasReadThem {
                try await Self.expectMissing(sight, by: row, isRefused: true)
            }
        }
    }

    @Test("M14 a former member cannot tell whether anything was sent after they left, by any request")
    func seqsAfter() async throws {
        let windows = try await Self.windows.value
        var sight = windows.former
        for row in SeqRow.all { try await Self.expectMissing(sight, by: row, isRefused: row.meaning != .bound) }
        sight.hidden = windows.latePositions
        #expect(sight.hidden.count > 5)
        try await Self.expectMissing(sight, by: .position, isRefused: false)
    }

    /// Records how the answers about messages that a person may not read differ from the answer about a missing one.
    private static func expectMissing(_ sight: Windows.Sight, by row: SeqRow, isRefused: Bool) async throws {
        let scene = sight.scene
        // Marks move once.
        _ = try? await row.reply(in: scene, about: sight.missing)
        try await made.value.stage.cluster.quiet()
        let missing = try await answer(rounds: 3) { try await row.reply(in: scene, about: sight.missing) }
        for (name, seq) in sight.hidden.sorted(by: { $0.value < $1.value }) {
            try await expectAlike("\(row.method) \(row.field) of \(sight): \(name)") {
                let hidden = try await answer(rounds: 1) { try await row.reply(in: scene, about: seq) }
                if hidden.differences(from: missing, isRefused: isRefused).isEmpty { return [] }
                return try await differences(isRefused: isRefused, rounds: 3) {
                    try await row.reply(in: scene, about: seq)
                } and: {
                    try await row.reply(in: scene, about: sight.missing)
                }
            }
        }
    }

    @Test("M8 M18 a message that its reader hid, or that has disappeared, looks deleted to all requests")
    func seqsThatLookDeleted() async throws {
        for (sight, deleted) in try await Self.windows.value.lookDeleted {
            try await Self.made.value.stage.cluster.quiet()
            for row in SeqRow.all where row.meaning == .message {
                for (name, seq) in sight.hidden {
                    try await Self.expectDeleted(sight, name, seq, by: row, as: try #require(deleted[name]))
                }
            }
        }
    }

    /// Records how the answer about a message that looks deleted differs from the answer about a deleted one.
    private static func expectDeleted(
        _ sight: Windows.Sight, _ name: String, _ seq: Int64, by row: SeqRow, as deleted: Int64
    ) async throws {
        try await expectAlike("\(row.method) \(row.field) of \(sight): \(name)") {
            try await differences(isRefused: false) {
                try await row.reply(in: sight.scene, about: seq, withoutIdentity: true)
            } and: {
                try await row.reply(in: sight.scene, about: deleted, withoutIdentity: true)
            }
        }
    }
}
