/// A push that came to a device.
public struct PushFact: Hashable, Sendable {
    /// Whose device it is, and which.
    public var user: String
    public var device: Int
    /// The id under which it was sent.
    public var id: String
    /// A word by which the app decides: "message", "withdrawn", "request" …
    public var kind: String
    public var conversation: String
    /// 0: of no message.
    public var seq: Int64
    /// In microseconds since the start of the run.
    public var at: Int64

    public init(
        to user: String, _ device: Int, id: String, kind: String, in conversation: String, seq: Int64, at: Int64
    ) {
        (self.user, self.device, self.id, self.kind) = (user, device, id, kind)
        (self.conversation, self.seq, self.at) = (conversation, seq, at)
    }

    /// What a device is registered with.
    static func token(of user: String, _ device: Int) -> String { "\(user)/\(device)" }

    /// - Parameter start: when the run began, in microseconds since 1970.
    init?(_ push: PushSink.Push, since start: Int64) {
        let words = push.token.split(separator: "/")
        guard words.count == 2, let device = Int(words[1]) else { return nil }
        self.init(
            to: String(words[0]), device, id: push.id, kind: push.kind, in: push.conversation, seq: push.seq,
            at: push.at - start)
    }

    fileprivate var isOfMessage: Bool { seq > 0 && ["message", "mention", "event"].contains(kind) }

    var subject: PushSubject {
        PushSubject(user: user, device: device, conversation: conversation, seq: seq)
    }
}

/// A message on a device.
struct PushSubject: Hashable {
    var user: String
    var device: Int
    var conversation: String
    var seq: Int64

    var description: String { "device \(device) of \(user): \(conversation) seq \(seq)" }
}

/// A person who certainly had the app in front when something was written to them.
public struct InFrontFact: Hashable, Sendable {
    public var user: String
    public var conversation: String
    public var seq: Int64

    public init(_ user: String, in conversation: String, seq: Int64) {
        (self.user, self.conversation, self.seq) = (user, conversation, seq)
    }
}

extension Audit {
    /// The devices of each person.
    private static let devices = 0..<2

    /// Messages to people who are away, of which each of their devices must tell.
    ///
    /// Left out is what was deleted, and what a wrong clock may have made look old: that of messaging when it was sent,
    /// or that of notifications at any time since.
    static func awaitedPushes(_ facts: Facts) -> [(send: SendFact, user: String, seq: Int64)] {
        guard !facts.absent.isEmpty else { return [] }
        let values = Values(facts)
        let wrong = facts.wrongClocks
        let told = wrong.filter { $0.process.hasPrefix("notifications") }.map(\.span.ended).max() ?? -1
        let sent = wrong.filter { $0.process.hasPrefix("messaging") }.map(\.span)
        return facts.sends.compactMap { send in
            guard let user = facts.absent[send.conversation], send.sender != user, let span = send.acknowledged,
                let seq = send.replies.first?.seq, span.began > told,
                !sent.contains(where: { $0.began <= span.ended && span.began <= $0.ended })
            else { return nil }
            let text = values[.init(.text, in: send.conversation, seq: seq)]
            guard text?.valuesEver.contains(ValueFact.deleted) != true else { return nil }
            return (send, user, seq)
        }
    }

    /// Returns how many of the awaited pushes have not come.
    static func missingPushes(_ facts: Facts) -> Int {
        let came = Set(facts.pushes.filter(\.isOfMessage).map(\.subject))
        return awaitedPushes(facts).reduce(0) { count, awaited in
            count
                + devices.count { device in
                    !came.contains(
                        PushSubject(
                            user: awaited.user, device: device, conversation: awaited.send.conversation,
                            seq: awaited.seq))
                }
        }
    }

    mutating func checkPushes() {
        let told = Dictionary(grouping: facts.pushes.filter(\.isOfMessage), by: \.subject)
        let came = facts.pushes.count
        count { $0.pushes = came }
        checkTold(told)
        checkOnce(told)
        let sends = Dictionary(
            facts.sends.compactMap { send in send.replies.first.map { ("\(send.conversation) \($0.seq)", send) } },
            uniquingKeysWith: { first, _ in first })
        let windows = Windows(facts)
        for (subject, pushes) in told {
            guard let send = sends["\(subject.conversation) \(subject.seq)"] else { continue }
            if let why = reason(against: subject, send, windows, at: pushes.map(\.at).max() ?? 0) {
                found(.push, "\(subject.description) by \(send.sender) was told, but \(why)")
            }
        }
        for front in facts.inFront {
            count { $0.inFront += 1 }
            for device in Self.devices {
                let subject = PushSubject(
                    user: front.user, device: device, conversation: front.conversation, seq: front.seq)
                if told[subject] != nil {
                    found(.push, "\(subject.description) was told, but the app was in front on another device")
                }
            }
        }
    }

    /// Everybody who is away is told on each device.
    private mutating func checkTold(_ told: [PushSubject: [PushFact]]) {
        for (send, user, seq) in Self.awaitedPushes(facts) {
            for device in Self.devices {
                count { $0.awaitedPushes += 1 }
                let subject = PushSubject(user: user, device: device, conversation: send.conversation, seq: seq)
                if told[subject] == nil { found(.push, "\(subject.description) by \(send.sender) was never told") }
            }
        }
    }

    /// Under one id, and another for each edit. A withdrawal has one.
    private mutating func checkOnce(_ told: [PushSubject: [PushFact]]) {
        for (subject, pushes) in told {
            let text = values[.init(.text, in: subject.conversation, seq: subject.seq)]
            let edits = text?.writes.count { !$0.isRefused && $0.value != ValueFact.deleted } ?? 0
            let ids = Set(pushes.map(\.id))
            if ids.count > 1 + edits {
                found(.push, "\(subject.description) was told under \(ids.count) ids, with \(edits) edits")
            }
        }
        let withdrawn = facts.pushes.filter { $0.kind == "withdrawn" }
        for (subject, pushes) in Dictionary(grouping: withdrawn, by: \.subject) where Set(pushes.map(\.id)).count > 1 {
            found(.push, "\(subject.description) was withdrawn under several ids")
        }
    }

    /// Returns why somebody must not be told of a message; nil if they may be. It must have held the whole time, from
    /// the beginning of the first attempt until the push came.
    private func reason(
        against subject: PushSubject, _ send: SendFact, _ windows: Windows, at: Int64
    ) -> String? {
        guard send.sender != subject.user else { return "it is their own" }
        guard let began = send.attempts.map(\.span.began).min(), began <= at else { return nil }
        let span = Span(began, at)
        let mute = values[.init(.mute, of: subject.user, in: subject.conversation)]
        if mute?.values(within: span) == [ValueFact.yes] { return "they had muted the conversation" }
        let block = values[.init(.block, of: subject.user, object: send.sender)]
        if block?.values(within: span) == [ValueFact.yes] { return "they had blocked the sender" }
        if let stored = send.storedWithin,
            windows.verdict(on: subject.user, in: subject.conversation, stored) == .mustNot
        {
            return "they were no member"
        }
        return nil
    }
}
