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
