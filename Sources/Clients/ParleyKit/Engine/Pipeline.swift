import Foundation
import ParleyClient

/// Takes Updates without a connection, the same way as those of a session: for measuring.
@MainActor
package final class Pipeline {
    package let parley: Parley
    private let account: Account
    private var machine = SyncMachine(options: Account.syncing)
    private var night: Night?
    private var requests = 0

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

    /// Writes messages without a connection, to a conversation that is shown.
    package func write(_ count: Int, in id: ConversationID) async throws(Refusal) {
        parley.set(.offline(since: .now))
        for number in 1...count { try await parley.conversation(id).send("\(number)") }
    }

    /// Sends what was written, as to a server that answers at once. Returns once all is sent, stored and shown as such.
    package func drain(_ id: ConversationID) async {
        let chat = parley.conversation(id)
        let count = chat.messages.count
        var seq: Int64 = 0
        parley.outbox.transport = { [unowned self] item throws(ParleyError) in
            guard case .sends(let request) = item.optimisticState else { throw .closed }
            seq += 1
            let message = Parley_V1_Message.with {
                ($0.conversation, $0.id, $0.text, $0.kind) = (request.conversation, request.id, request.text, .text)
                ($0.seq, $0.position, $0.sentAtUs, $0.sender) = (seq, seq, seq, account.me.rawValue)
            }
            perform(machine.learned(.message(message), at: .now))
            return ActionAnswer(confirmation: .now, seq: seq)
        }
        parley.set(.online)
        while !parley.outbox.entries.isEmpty { await Task.yield() }
        precondition(chat.messages.map(\.seq) == (1...Int64(count)).map(Optional.init))
    }

    /// What happened in conversations while this device had no connection.
    package struct Night: Sendable {
        /// As many messages came in each.
        package let missed: Int
        package let conversations: [ConversationID]
        private let held: Int64

        /// - Parameter held: the messages of each conversation that the device has.
        package init(_ missed: Int, in conversations: [ConversationID], after held: Int) {
            (self.missed, self.conversations, self.held) = (missed, conversations, Int64(held))
        }

        fileprivate var last: Int64 { held + Int64(missed) }

        fileprivate func messages(_ id: String, after seq: Int64) -> [Parley_V1_Message] {
            (seq + 1...max(seq + 1, last)).filter { $0 <= last }.map { message(id, $0) }
        }

        private func message(_ id: String, _ seq: Int64) -> Parley_V1_Message {
            .with {
                ($0.conversation, $0.seq, $0.position, $0.kind) = (id, seq, seq, .text)
                ($0.id, $0.sender, $0.text) = (Data("\(seq) \(id)".utf8), "ada", "Message \(seq) of the night")
                $0.sentAtUs = 1_000_000_000 + seq
            }
        }

        /// A page of messaging.Sync.
        fileprivate func page(_ cursor: String, _ held: [HeldPosition]) -> Parley_V1_MessagingSyncReply {
            let first = Int(cursor) ?? 0
            let ids = conversations.dropFirst(first).prefix(200).map(\.rawValue)
            let positions = Dictionary(held.map { ($0.conversation, $0.position) }) { $1 }
            return .with {
                ($0.epoch, $0.cursor) = ("e", "\(first + ids.count)")
                $0.more = first + ids.count < conversations.count
                $0.entries = ids.map { id in
                    .with {
                        ($0.conversation, $0.section, $0.lastSeq, $0.position) = (id, .inbox, last, last)
                        $0.lastMessage = message(id, last)
                        ($0.state.conversation, $0.state.unread) = (id, last)
                        ($0.state.countedSeq, $0.state.countedPosition) = (last, last)
                        guard let position = positions[id], missed <= 50 else { return }
                        ($0.missed, $0.caughtUp) = (messages(id, after: position), true)
                    }
                }
            }
        }
    }

    /// Connects after a night, then looks at some conversations. Returns once the inbox and those show everything.
    /// - Returns: the number of requests.
    package func catchUp(after night: Night, lookingAt looked: [ConversationID]) async -> Int {
        perform(machine.disconnected(at: .now))
        (self.night, requests) = (night, 0)
        perform(machine.connected(as: account.me.rawValue, cells: ["0"], at: .now))
        await account.committer?.flush()
        precondition(machine.isQuiet && parley.inbox.conversations.first?.unread.messages == Int(night.last))
        for id in looked {
            perform(machine.look(at: id.rawValue, now: .now))
            await account.committer?.flush()
            let chat = parley.conversation(id)
            await chat.load()
            precondition(chat.messages.last?.seq == night.last)
        }
        return requests
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

    /// Answers as a server on which nothing has happened, or what did in a night.
    private func answer(_ question: SyncQuestion) {
        requests += 1
        let reply: SyncReply? =
            switch question.request {
            case .conversations(_, let since): .conversations(.with { ($0.epoch, $0.position) = ("e", since) })
            case .entities: .entities(.with { $0.epoch = "e" })
            case .inbox(_, _, let cursor, _, let held):
                .inbox(night?.page(cursor, held) ?? .with { ($0.epoch, $0.cursor) = ("e", "0") })
            case .changes(let id, _, let since):
                .changes(
                    .with {
                        ($0.epoch, $0.messages) = ("e", night?.messages(id, after: since) ?? [])
                        $0.position = night?.last ?? since
                    })
            case .receipts: .receipts(.init())
            case .history, .earlier, .inboxStates, .blocks: nil
            }
        if let reply { perform(machine.replied(question.number, with: reply, at: .now)) }
    }
}
