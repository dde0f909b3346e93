import Testing

@testable import ParleyClient

/// The list of blocked people, which no Update brings as a whole.
struct BlockListTests {
    private static let stream = "conversations/u/me"

    private static func question(_ actions: [SyncAction], _ isIt: (SyncRequest) -> Bool) -> SyncQuestion? {
        actions.lazy.compactMap { if case .ask(let question) = $0 { question } else { nil } }.first {
            isIt($0.request)
        }
    }

    private static func isList(_ request: SyncRequest) -> Bool { if case .blocks = request { true } else { false } }

    private static func isSync(_ request: SyncRequest) -> Bool {
        if case .conversations = request { true } else { false }
    }

    /// The reply to conversations.Sync at a position.
    private static func synced(_ position: Int64, blocksChanged: Bool) -> SyncReply {
        .conversations(.with { ($0.epoch, $0.position, $0.blocksChanged) = ("e1", position, blocksChanged) })
    }

    @Test("the list of a session before that was not read is asked for once, so that no older one undoes an Update")
    func once() throws {
        var options = SyncMachine.Options()
        options.services = ["conversations"]
        var memory = SyncMemory(of: "me")
        var machine = memory.machine(options: options)
        func perform(_ actions: [SyncAction]) -> [SyncAction] {
            for case .store(let change) in actions { memory.apply(change) }
            return actions
        }
        var actions = perform(machine.connected(as: "me", cells: ["0"], at: .now))
        var sync = try #require(Self.question(actions, Self.isSync))
        actions = perform(machine.replied(sync.number, with: Self.synced(1, blocksChanged: true), at: .now))
        #expect(Self.question(actions, Self.isList) != nil)

        // The session ends before the list has come.
        _ = perform(machine.disconnected(at: .now))
        actions = perform(machine.connected(as: "me", cells: ["0"], at: .now))
        sync = try #require(Self.question(actions, Self.isSync))
        let list = try #require(Self.question(actions, Self.isList))
        actions = perform(machine.replied(sync.number, with: Self.synced(1, blocksChanged: false), at: .now))
        #expect(Self.question(actions, Self.isList) == nil)
        actions = perform(machine.replied(list.number, with: .blocks(.init()), at: .now))
        #expect(Self.question(actions, Self.isList) == nil, "it is not asked for again while nothing holds Updates")

        let block = Parley_V1_Block.with { ($0.user.id, $0.blocked, $0.position) = ("f", true, 2) }
        var update = Update(stream: Self.stream, position: 2, kind: "Block")
        update.body.writeBytes(try block.serializedBytes() as [UInt8])
        _ = perform(machine.received(update, at: .now))
        #expect(memory.held.blocks["f"]?.blocked == true)
    }
}
