import Foundation
import ParleyClient

/// Something that I did and that the server does not have yet.
struct UnsentItem: Sendable {
    /// A UUIDv7: ids ascend in the order in which things were done.
    let id: Data
    let lane: String
    /// What the request is called in the contract.
    let method: String
    /// The request, as it is stored and sent.
    private(set) var body: Data
    /// What it is; nil: this version does not know it. Then it stays as it is until one that does is installed.
    private(set) var action: (any Action)?
    private(set) var optimisticState: OptimisticState
    /// The id of the message that it is about or answers, which may have no number yet; empty: none.
    var target = Data()
    /// The number of that message, if it was sent after this was done; 0: it is not sent, or was before.
    private(set) var targetSeq: Int64 = 0
    /// The conversation that it creates, as it is shown until the server says how it is; or whom it blocks.
    var guess: Parley_V1_Conversation?
    /// The name of the copy of the file that it sends; nil: it sends none.
    var file: String?
    /// In microseconds UTC.
    let doneAtUs: Int64
    /// Whether it may have been sent already.
    var wasTried = false
    /// Why the server refused it.
    var failure: Refusal?

    /// Creates what is to be stored and sent.
    /// - Throws: when the request cannot be encoded, because it is larger than 2 GiB.
    init(id: Data, lane: String, _ action: some Action, doneAtUs: Int64) throws {
        (self.id, self.lane, self.doneAtUs) = (id, lane, doneAtUs)
        (method, body) = (type(of: action).method, try action.serializedData())
        (self.action, optimisticState) = (action, action.optimisticState)
    }

    /// Restores what was stored.
    init(id: Data, lane: String, method: String, body: Data, targetSeq: Int64 = 0, doneAtUs: Int64) {
        (self.id, self.lane, self.doneAtUs) = (id, lane, doneAtUs)
        (self.method, self.body) = (method, body)
        action = Actions.decode(method, body)
        optimisticState = action?.optimisticState ?? .unknown
        // A version that does not know it may have sent the message.
        if targetSeq != 0 { resolve(to: targetSeq) }
    }

    /// Whether this version knows what it is, and sends it.
    var isKnown: Bool { action != nil }

    /// The id of the message that it sends.
    var sends: MessageID? { if case .sends(let request) = optimisticState { MessageID(request.id) } else { nil } }

    /// The file of the message that it sends.
    var media: Parley_V1_Media? {
        if case .sends(let request) = optimisticState, request.hasMedia { request.media } else { nil }
    }

    /// The message that it changes, other than by sending it.
    var changedMessage: MessageID? {
        if case .message = optimisticState, !target.isEmpty { MessageID(target) } else { nil }
    }

    /// Whether all that comes later in its lane is about what it creates. What is created has the id of what creates
    /// it.
    var creates: Bool { action.map { type(of: $0).creates } ?? (lane == id.hexDigits) }

    /// Whether a refusal of it is dropped.
    var dropsRefusals: Bool { action.map { type(of: $0).dropsRefusals } ?? false }

    /// The lanes of what must be at the server before, other than its own.
    var needs: [String] { action?.needs ?? [] }

    /// Whether this cannot be sent without the other, which was done before.
    func depends(on earlier: UnsentItem) -> Bool {
        guard earlier.id.lexicographicallyPrecedes(id) else { return false }
        guard lane == earlier.lane else { return earlier.creates && needs.contains(earlier.lane) }
        return earlier.creates || (!target.isEmpty && earlier.sentID == target)
    }

    /// Whether it is a message that answers the one that another sends. It can be sent without that, answering nothing.
    func answers(_ earlier: UnsentItem) -> Bool {
        lane == earlier.lane && sends != nil && !target.isEmpty && earlier.sentID == target
    }

    /// Makes it a message that answers nothing.
    mutating func answerNothing() {
        resolve(to: 0)
        target = Data()
    }

    /// The id of the message that it sends, or may send: a message has the id of what sends it, until that is renewed.
    private var sentID: Data? { isKnown ? sends?.data : id }

    /// Takes the number of the message that it is about or answers.
    mutating func resolve(to seq: Int64) {
        targetSeq = seq
        if let resolved = (action as? any NumberedAction)?.resolved(to: seq) { replace(by: resolved) }
    }

    /// Takes the version that another change of mine made, if this was done to the one before it.
    /// - Returns: whether it did.
    mutating func move(by step: VersionStep) -> Bool {
        guard (action as? any VersionedAction)?.version == step.from, step.from != step.to else { return false }
        take(version: step.to)
        return true
    }

    /// Makes it a change of this version.
    mutating func take(version: Int64) {
        guard var changed = action as? any VersionedAction else { return }
        changed.version = version
        replace(by: changed)
    }

    /// Puts another request of the same kind in the place of this one. Fields of a newer version stay in it.
    mutating func replace(by other: some Action) {
        guard type(of: other).method == method else { return }
        do {
            body = try other.serializedData()
            (action, optimisticState) = (other, other.optimisticState)
        } catch {
            // It is about as long as the one that was encoded before, so it can be.
        }
    }

    /// Whether the server would refuse the id of a message: it takes those of the last 30 days, and of the next day.
    /// - Parameter now: the server's time in microseconds UTC.
    func mustRenew(at now: Int64) -> Bool {
        guard let id = sends.flatMap({ UUIDv7(bytes: $0.data) }) else { return false }
        let age = now / 1000 - Int64(id.milliseconds)
        let day: Int64 = 86_400_000
        return age > 29 * day || age < -23 * day / 24
    }

    /// Tells the server.
    func send(over link: any ActionLink, as me: UserID) async throws(ParleyError) -> ActionAnswer {
        guard let action else {
            throw ParleyError(.invalid, "This version of the app does not know \(method). Update it.")
        }
        return try await action.send(body, over: link, as: me)
    }
}

extension UnsentItem: Equatable {
    /// Whether the same is stored.
    static func == (one: UnsentItem, other: UnsentItem) -> Bool {
        (one.id, one.lane, one.method, one.body) == (other.id, other.lane, other.method, other.body)
            && one.target == other.target
            && (one.targetSeq, one.doneAtUs, one.wasTried, one.file)
                == (other.targetSeq, other.doneAtUs, other.wasTried, other.file)
            && one.guess == other.guess && one.failure == other.failure
    }
}
