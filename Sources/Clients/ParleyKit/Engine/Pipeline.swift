import Foundation
import ParleyClient

/// Takes Updates without a connection, the same way as those of a session: for measuring.
@MainActor
package final class Pipeline {
    package let parley: Parley
    private let account: Account
    private var machine = SyncMachine()

    /// Creates a device that is synced and has nothing yet.
    /// - Parameter folder: of its file; nil: it is kept in memory.
    package init(as me: UserID, in folder: URL? = nil) async {
        var options = Parley.Options(folder: folder ?? FileManager.default.temporaryDirectory)
        if folder == nil { options.storage = .memory }
        options.messagesKept = 1_000_000
        parley = Parley("ws://localhost", options)
        account = await Account.open(me, in: folder)
        await parley.show(account)
        perform(machine.connected(as: me.rawValue, cells: ["0"], at: .now))
        await account.committer?.flush()
    }

    /// Opens what is stored, without connecting, and shows the first screen.
    package static func firstScreen(of me: UserID, in folder: URL) async -> Parley {
        let parley = Parley("ws://localhost", Parley.Options(folder: folder))
        await parley.open(me)
        return parley
    }

    /// Begins to show a conversation.
    package func show(_ id: ConversationID) async -> Conversation {
        let conversation = parley.conversation(id)
        await conversation.load()
        parley.conversations.showNewest([], from: 1, in: id)
        return conversation
    }

    /// Takes Updates; returns once they are stored and every observer sees them.
    package func receive(_ updates: [Update]) async {
        for update in updates { perform(machine.received(update, at: .now)) }
        await account.committer?.flush()
    }

    /// Sends messages without a connection, to a conversation that is shown, as to a server that answers at once.
    /// - Returns: how long it takes from being online until all are sent, stored and shown as such.
    package func drain(_ count: Int, in id: ConversationID) async throws(Refusal) -> Duration {
        let chat = parley.conversation(id)
        parley.set(.offline(since: .now))
        for number in 1...count { try await chat.send("\(number)") }
        var seq: Int64 = 0
        parley.outbox.transport = { [unowned self] item throws(ParleyError) in
            guard case .send(let request) = item.intent else { throw .closed }
            seq += 1
            let message = Parley_V1_Message.with {
                ($0.conversation, $0.id, $0.text, $0.kind) = (request.conversation, request.id, request.text, .text)
                ($0.seq, $0.position, $0.sentAtUs, $0.sender) = (seq, seq, seq, account.me.rawValue)
            }
            perform(machine.learned(.message(message), at: .now))
            return IntentAnswer(settling: .now, seq: seq)
        }
        let began = ContinuousClock.now
        parley.set(.online)
        while !parley.outbox.entries.isEmpty { await Task.yield() }
        precondition(chat.messages.map(\.seq) == (1...Int64(count)).map(Optional.init))
        return ContinuousClock.now - began
    }

    package func close() async { await account.close() }

    private func perform(_ actions: [SyncAction]) {
        var items: [CommitItem] = []
        for action in actions {
            switch action {
            case .store(let change): items.append(.change(change))
            case .tell(.synced): items.append(.confirmed)
            case .tell, .wake: break
            case .ask(let question): answer(question)
            }
        }
        account.committer?.add(items)
    }

    /// Answers as a server that has nothing.
    private func answer(_ question: SyncQuestion) {
        let reply: SyncReply? =
            switch question.request {
            case .conversations: .conversations(.with { $0.epoch = "e" })
            case .entities: .entities(.with { $0.epoch = "e" })
            case .inbox: .inbox(.with { $0.epoch = "e" })
            case .changes(_, _, let since): .changes(.with { ($0.epoch, $0.position) = ("e", since) })
            case .history, .earlier, .inboxStates, .blocks: nil
            }
        if let reply { perform(machine.replied(question.number, with: reply, at: .now)) }
    }
}
