import Language
import Metrics
import Schema
import ServiceKit

/// Reads messages as they are published, so that a message that says nothing costs the database nothing. One that may
/// say something is read again from the database, with all that decides who gets which suggestion (``followMessages``).
extension EntitiesService {
    /// A message that was heard and what was read before it.
    private struct HeardText: Sendable {
        var index: Int
        var utterance: Utterance
        /// What was heard of its conversation.
        var talk: RecentTalk.Heard
        var moment: Moment
        var isWanted = false
    }

    static let judgedKinds: Set<String> = [
        Message.messageName, InboxState.messageName, MessageState.messageName,
    ]

    /// Tells of each Update whether it may make or change suggestions.
    func judge(_ updates: [HeardUpdate]) async throws -> [Bool] {
        var verdicts = updates.map { _ in false }
        var messages: [HeardText] = []
        let (named, now) = (namedZones(), context.clock.now)
        for (index, update) in updates.enumerated() {
            switch update.header.kind {
            case Message.messageName:
                let message = try HeardMessage.decode(update.body)
                if let heard = try hear(message, at: index, zone: update.header.timeZone, named, now) {
                    messages.append(heard)
                } else {
                    verdicts[index] = mayChange(message, at: now)
                }
            case InboxState.messageName: verdicts[index] = try InboxState.decode(update.body).clearedSeq > 0
            case MessageState.messageName: verdicts[index] = try MessageState.decode(update.body).hidden
            default: break
            }
        }
        for message in try await glance(messages) { verdicts[message.index] = message.isWanted }
        return verdicts
    }

    /// Returns a new text that the rules read; nil if the message is none.
    private func hear(
        _ message: HeardMessage, at index: Int, zone: String, _ named: [String: ZoneRules], _ now: Timestamp
    ) throws -> HeardText? {
        let isText = message.kind != MessageKind.system.rawValue && message.deletedAtUs == 0
        defer { recentTalk.note(message, text: isText ? message.text : "") }
        guard isExtracting, modelReader == nil, isText, !message.text.isEmpty, !mayChange(message, at: now) else {
            return nil
        }
        var (rules, name) = (try zones.rules(of: "UTC"), "")
        if !zone.isEmpty, let own = try? zones.rules(of: zone) { (rules, name) = (own, zone) }
        return HeardText(
            index: index, utterance: Utterance(sender: message.sender, text: message.text),
            talk: recentTalk.heard(of: message.conversation, before: Seq(message.seq), at: now),
            moment: Self.moment(of: Timestamp(message.sentAtUs), in: rules, name, named))
    }

    /// Whether a message changes what was said before, or is read in another way.
    private func mayChange(_ message: HeardMessage, at now: Timestamp) -> Bool {
        message.editedAtUs != 0 || message.deletedAtUs != 0
            || message.sentAtUs < now.rawValue - Self.lateMax.microseconds
            || modelReader != nil && isExtracting && message.kind != MessageKind.system.rawValue
    }

    /// A message that was sent longer ago than this is published again, since something of it has changed.
    private static let lateMax: Duration = .seconds(30)

    /// Reads texts by the rules, in turns of their senders.
    private func glance(_ messages: [HeardText]) async throws -> [HeardText] {
        guard !messages.isEmpty else { return [] }
        let used = Set(messages.map(\.utterance.sender).filter { glancing.wait(of: $0) != nil })
        let share = readingMilliseconds
        let (read, turns) = try await extractPool.run {
            var (read, turns) = (messages, ReadingInTurns<String>(millisecondsMax: share))
            turns.read(&read, by: \.utterance.sender, used: used) { message in
                let talk = message.talk
                let found = Extractor().extract(message.utterance, at: message.moment) { talk.utterances }
                message.isWanted = found.map { !$0.isEmpty } ?? true
            }
            return (read, turns)
        }
        for (sender, microseconds) in turns.spent {
            _ = glancing.spend(sender, count: microseconds, debtMax: .seconds(60))
        }
        Self.countLeftOut(turns.leftOut)
        if turns.isCutShort { throw ReadingTakesTooLong() }
        return read
    }
}
