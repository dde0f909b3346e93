import Foundation
import ParleyClient

/// What an action changes on the screen until the server's answer is stored. It is put on top of what the server has
/// said so far, again each time that says something else, and falls away with the action.
enum OptimisticState: Sendable {
    /// It adds the message that it sends.
    case sends(Parley_V1_SendMessageRequest)
    /// It changes the message that it is about.
    case message(any MessageAction)
    /// It moves how far I have read.
    case marks(Parley_V1_UpdateMarksRequest)
    /// It changes what lists and headers show of a conversation.
    case conversation(any ConversationAction)
    /// It changes whom I block, and the conversation with them.
    case block(any BlockAction)
    case profile(any ProfileAction)
    /// It changes a list of things without an order of their own.
    case list(any ListAction)
    /// Nothing: this version does not know it.
    case unknown
}

/// An action about a message, which may have no number when it is done, or that answers one.
protocol NumberedAction: Action {
    /// Puts in the number of the message.
    mutating func resolve(to seq: Int64)
}

extension NumberedAction {
    /// Returns it with the number of the message; nil: it has it.
    func resolved(to seq: Int64) -> Self? {
        var resolved = self
        resolved.resolve(to: seq)
        return resolved == self ? nil : resolved
    }
}

/// An action that says to which version of something it was done. The server refuses it if others changed that since.
protocol VersionedAction: Action {
    var version: Int64 { get set }
}

/// An action that changes a message.
protocol MessageAction: NumberedAction {
    func change(_ message: inout Message, at time: Date)
}

/// An action that changes what lists and headers show of a conversation.
protocol ConversationAction: Action {
    /// - Parameter time: when it was done, in microseconds UTC.
    func change(_ summary: inout ConversationSummary, at time: Int64, as me: UserID)
}

/// An action that changes whom I block.
protocol BlockAction: ConversationAction {
    func change(_ blocked: inout [User], _ person: User)
}

protocol ProfileAction: Action {
    func change(_ profile: inout Profile)
}

/// An action that changes one of the lists of ``Parley``, such as my reminders.
protocol ListAction: Action {
    associatedtype Thing: ListedThing
    func change(at time: Date, as me: UserID) -> ListChange<Thing>
}

extension MessageAction { var optimisticState: OptimisticState { .message(self) } }
extension BlockAction { var optimisticState: OptimisticState { .block(self) } }
extension ProfileAction { var optimisticState: OptimisticState { .profile(self) } }
extension ListAction {
    var optimisticState: OptimisticState { .list(self) }
    static var stateKind: StateKind { Thing.Stored.stateKind }

    /// Changes the list, if it is the one that it changes.
    fileprivate func apply<Other: ListedThing>(
        to things: inout [Other], at time: Date, as me: UserID, _ status: SyncStatus
    ) {
        (change(at: time, as: me) as? ListChange<Other>)?.make(in: &things, status)
    }
}

/// What an action changes of a list.
enum ListChange<Thing: ListedThing> {
    case add(Thing)
    case change(Data, (inout Thing) -> Void)
    /// Adds a thing, which changes an earlier one.
    case replace(Data, with: Thing, (inout Thing) -> Void)
    case remove(Data)

    /// Makes the change. One that was refused is made undone: the thing says so, and one that was to be added stays.
    func make(in things: inout [Thing], _ status: SyncStatus) {
        let isRefused = if case .failed = status { true } else { false }
        switch self {
        case .add(var thing):
            guard !things.contains(where: { $0.idData == thing.idData }) else { return }
            thing.syncStatus = status
            things.append(thing)
        case .change(let id, let body):
            guard let index = things.firstIndex(where: { $0.idData == id }) else { return }
            if !isRefused { body(&things[index]) }
            things[index].syncStatus = status
        case .replace(let id, let thing, let body):
            ListChange.add(thing).make(in: &things, status)
            if !isRefused, let index = things.firstIndex(where: { $0.idData == id }) { body(&things[index]) }
        case .remove(let id):
            guard let index = things.firstIndex(where: { $0.idData == id }) else { return }
            if isRefused { things[index].syncStatus = status } else { things.remove(at: index) }
        }
    }
}

extension UnsentItem {
    private var doneAt: Date { Date(microseconds: doneAtUs) }

    /// Whether the server has what it is about.
    var status: SyncStatus { failure.map { .failed($0) } ?? .pending }

    /// The message that it sends.
    /// - Parameter uploaded: how many bytes of its file the server has.
    func message(from me: UserID, uploaded: Int64 = 0) -> Message? {
        guard case .sends(let request) = optimisticState else { return nil }
        var message = Message(
            unsent: request.text, id: MessageID(request.id), in: ConversationID(rawValue: request.conversation),
            from: me, at: doneAt, status: failure.map { .failed($0) } ?? .sending)
        message.replyTo = request.replyToSeq == 0 ? nil : request.replyToSeq
        message.mentions = request.mentions.map(UserID.init(rawValue:))
        if request.hasMedia {
            message.kind = Message.Kind(request.kind)
            let isUploading = file != nil && failure == nil
            let progress = Double(uploaded) / Double(max(request.media.sizeBytes, 1))
            message.setFile(Attachment(request.media), progress: isUploading ? progress : nil)
        }
        return message
    }

    func apply(to message: inout Message) {
        guard failure == nil, case .message(let action) = optimisticState else { return }
        action.change(&message, at: doneAt)
    }

    func apply(to summary: inout ConversationSummary, me: UserID) {
        guard failure == nil else { return }
        if let guess, creates, summary.facts?.section == nil {
            summary.facts = .init(guess, me: me)
            summary.section = .inbox
        }
        switch optimisticState {
        case .sends: summary.key.activeAt = max(summary.key.activeAt, doneAtUs)
        case .marks(let request):
            guard let mark = request.marks.first, mark.readSeq > summary.own.readUpTo else { break }
            summary.own.readUpTo = mark.readSeq
            summary.own.unread.isMarked = false
        case .conversation(let action): action.change(&summary, at: doneAtUs, as: me)
        case .block(let action): action.change(&summary, at: doneAtUs, as: me)
        case .message, .profile, .list, .unknown: break
        }
    }

    func apply(to profile: inout Profile) {
        guard case .profile(let action) = optimisticState else { return }
        if case .failed = profile.syncStatus {} else { profile.syncStatus = status }
        if failure == nil { action.change(&profile) }
    }

    /// Applies it to the people whom I block.
    func apply(to blocked: inout [User]) {
        guard failure == nil, case .block(let action) = optimisticState,
            let person = guess?.members.first.map({ User($0.user) })
        else { return }
        action.change(&blocked, person)
    }

    func apply<Thing: ListedThing>(to things: inout [Thing], me: UserID) {
        guard case .list(let action) = optimisticState else { return }
        action.apply(to: &things, at: doneAt, as: me, status)
    }

    /// The kind of states without an order that it changes; nil: none.
    var changedStates: StateKind? {
        switch optimisticState {
        case .block: .block
        case .profile: .profile
        case .list(let action): type(of: action).stateKind
        case .sends, .message, .marks, .conversation, .unknown: nil
        }
    }

    /// Whether it shows in what lists and headers say of a conversation.
    var changesSummary: Bool {
        switch optimisticState {
        case .sends, .message, .marks, .conversation, .block: true
        case .profile, .list, .unknown: false
        }
    }
}
