import ParleyClient
import Testing

@testable import ParleyKit

@MainActor
@Suite("Committing", .timeLimit(.minutes(4)))
struct CommitterTests {
    @Test("what is added after a page is stored after it: a reaction that is newer than the page stays")
    func order() async throws {
        let store = MemoryStore()
        let committer = Committer(
            store, me: "me", messagesMax: 1000, now: { 0 }, shown: { _ in }, failed: { _ in })
        for seq in Int64(1)...100 {
            let page = Parley_V1_Message.with { ($0.conversation, $0.seq, $0.position) = ("one", seq, 1) }
            let flushed = Task.immediate { await committer.flush([.change(.message(page, from: .reply))]) }
            let reactions = Parley_V1_Reactions.with {
                ($0.conversation, $0.seq, $0.position) = ("one", seq, 2)
                $0.counts = [.with { ($0.emoji, $0.count) = ("👍", 1) }]
            }
            committer.add([.change(.reactions(reactions))])
            _ = await flushed.value
        }
        await committer.flush()
        let messages = try await store.read { try $0.messages("one", in: 1...100, newest: false, limit: 100) }
        #expect(messages.count == 100)
        #expect(messages.allSatisfy { $0.position == 2 && $0.reactions.map(\.count) == [1] })
    }

    @Test("S6 while the store cannot be written, whoever waits is told so, and closing comes to an end")
    func failing() async throws {
        let store = MortalStore(MemoryStore())
        store.die(after: 0)
        let committer = Committer(
            store, me: "me", messagesMax: 1000, now: { 0 }, shown: { _ in }, failed: { _ in })
        let message = Parley_V1_Message.with { ($0.conversation, $0.seq, $0.position) = ("one", 1, 1) }
        #expect(await committer.flush([.change(.message(message, from: .reply))]) != nil)
        // The first one is tried again meanwhile.
        #expect(await committer.flush([.change(.message(message, from: .reply))]) != nil)
        await committer.close()
    }

    @Test("S6 what came while the store could not be written is stored once it can")
    func recovering() async throws {
        let base = MemoryStore()
        let store = MortalStore(base)
        store.die(after: 0)
        let committer = Committer(
            store, me: "me", messagesMax: 1000, now: { 0 }, shown: { _ in }, failed: { _ in })
        for seq in Int64(1)...3 {
            let message = Parley_V1_Message.with { ($0.conversation, $0.seq, $0.position) = ("one", seq, 1) }
            #expect(await committer.flush([.change(.message(message, from: .update))]) != nil)
        }
        store.die(after: 100)
        await committer.close()
        let messages = try await base.read { try $0.messages("one", in: 1...100, newest: false, limit: 100) }
        #expect(messages.map(\.seq) == [1, 2, 3])
    }
}
