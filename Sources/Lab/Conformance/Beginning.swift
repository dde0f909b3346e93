import Foundation
import ParleyClient
import SwiftProtobuf

/// Answers the requests of a client that holds nothing, so that it holds what a vector says is stored.
struct Beginning {
    private let vector: Vector
    private let epoch: String
    private var tellsReceipts = true

    init(_ vector: Vector) {
        self.vector = vector
        epoch = vector.streams[StreamName.conversations]?.epoch ?? "e1"
    }

    private func all<T: SwiftProtobuf.Message>(_ type: T.Type) -> [T] { vector.states.compactMap { $0 as? T } }

    private func position(_ stream: String) -> Int64 { vector.streams[stream]?.position ?? 0 }

    private func messages(_ conversation: String) -> [Parley_V1_Message] {
        all(Parley_V1_Message.self).filter { $0.conversation == conversation }.sorted { $0.seq < $1.seq }
    }

    /// Plays until the client holds it.
    mutating func play(_ stage: Stage, limit: Duration) async throws {
        let end = ContinuousClock.now + limit
        try await stage.welcome()
        var differences: [Difference] = []
        var requests: [Stage.Asked] = []
        while true {
            try await stage.take(for: .milliseconds(20))
            requests += stage.newRequests()
            for asked in requests { stage.answer(asked, answer(asked.request)) }
            guard requests.isEmpty else {
                requests = []
                continue
            }
            differences = expected.differences(
                from: try await stage.holdings(nowUs: vector.nowUs), place: "at the beginning")
            if differences.isEmpty, tellsReceipts {
                // A client keeps none that come before it is synced.
                tellsReceipts = false
                for update in receipts { stage.send(update) }
                continue
            }
            if differences.isEmpty {
                try await stage.drain()
                // A client on a busy machine may only now make the requests that follow from the last replies.
                requests = stage.newRequests()
                if requests.isEmpty { return }
            }
            if ContinuousClock.now > end { throw CaseFailure(differences: differences) }
        }
    }

    private var expected: Holdings {
        var holdings = Holdings()
        holdings.states = Holdings.texts(
            vector.states.filter { !tellsReceipts || !($0 is Parley_V1_Receipt || $0 is Parley_V1_ReadCount) })
        for (stream, fields) in vector.streams where fields.position > 0 {
            holdings.positions[stream] = fields.position
        }
        return holdings
    }

    private var receipts: [Parley_V1_Update] {
        let receipts = all(Parley_V1_Receipt.self).map { update($0, "Receipt", of: $0.conversation) }
        return receipts + all(Parley_V1_ReadCount.self).map { update($0, "ReadCount", of: $0.conversation) }
    }

    private func update(_ state: any State, _ kind: String, of conversation: String) -> Parley_V1_Update {
        .with {
            ($0.stream, $0.kind, $0.class) = (StreamName.messages(of: conversation), kind, .collapsible)
            $0.body = (try? state.serializedData()) ?? Data()
        }
    }

    private func answer(_ request: any State) -> any State {
        switch request {
        case let request as Parley_V1_ConversationsSyncRequest:
            let isNew = request.sincePosition < position(StreamName.conversations)
            return Parley_V1_ConversationsSyncReply.with {
                ($0.epoch, $0.position) = (epoch, position(StreamName.conversations))
                guard isNew else { return }
                $0.conversations = all(Parley_V1_Conversation.self)
                if let count = all(Parley_V1_RequestCount.self).first { $0.requests = count }
                if let profile = all(Parley_V1_Profile.self).first { $0.profile = profile }
                $0.blocksChanged = !all(Parley_V1_Block.self).isEmpty
            }
        case let request as Parley_V1_EntitiesSyncRequest:
            return Parley_V1_EntitiesSyncReply.with {
                ($0.epoch, $0.position) = (epoch, position(StreamName.entities))
                if request.sincePosition == 0 { $0.reminders = all(Parley_V1_Reminder.self) }
            }
        case let request as Parley_V1_MessagingSyncRequest:
            return Parley_V1_MessagingSyncReply.with {
                ($0.epoch, $0.ownPosition) = (epoch, position(StreamName.own))
                $0.cursor = vector.streams[StreamName.own]?.cursor ?? ""
                if request.cursor.isEmpty { $0.entries = entries }
            }
        case let request as Parley_V1_GetHistoryRequest:
            let all = messages(request.conversation)
            return Parley_V1_GetHistoryReply.with {
                $0.messages =
                    switch request.from {
                    case .afterSeq(let seq): all.filter { $0.seq > seq }
                    case .beforeSeq(let seq) where seq > 0: all.filter { $0.seq < seq }
                    default: all
                    }
                $0.lastSeq = all.last?.seq ?? 0
            }
        case let request as Parley_V1_GetChangesRequest:
            let changed = messages(request.conversation).filter { $0.position > request.sincePosition }
            return Parley_V1_GetChangesReply.with {
                ($0.epoch, $0.position) = (epoch, position(StreamName.messages(of: request.conversation)))
                $0.messages = changed.sorted { $0.position < $1.position }
            }
        case let request as Parley_V1_UpdateMarksRequest:
            let ids = Set(request.marks.map(\.conversation))
            return Parley_V1_UpdateMarksReply.with {
                $0.states = all(Parley_V1_InboxState.self).filter { ids.contains($0.conversation) }
            }
        // None of those that a client asks for on its own is missing.
        case is Parley_V1_ListReceiptsRequest: return Parley_V1_ListReceiptsReply()
        default: return Parley_V1_ListBlockedReply.with { $0.blocks = all(Parley_V1_Block.self) }
        }
    }

    private var entries: [Parley_V1_InboxEntry] {
        let states = all(Parley_V1_InboxState.self)
        let conversations = vector.streams.keys.compactMap(StreamName.conversation) + states.map(\.conversation)
        return Set(conversations).sorted().map { id in
            .with {
                ($0.conversation, $0.position) = (id, position(StreamName.messages(of: id)))
                $0.lastSeq = messages(id).last?.seq ?? 0
                $0.section = all(Parley_V1_Conversation.self).first { $0.id == id }?.section ?? .inbox
                if let state = states.first(where: { $0.conversation == id }) { $0.state = state }
            }
        }
    }
}
