import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Moves the caller's read and delivered marks, forwards only (M5, M6). Repeatable.
    ///
    /// Answers once all marks are committed. The reply leaves out conversations that are not the caller's or have no
    /// messages for them.
    func updateMarks(_ request: UpdateMarksRequest, _ call: RequestContext, _ answer: Answer<UpdateMarksReply>) {
        let marks = MarkRules.merged(request.marks)
        let known = marks.map { directory.known($0.id) }
        if !known.contains(nil) {
            commit(marks, numbers: known.compactMap { $0 }, isKnown: true, call, answer)
        } else {
            Task.onLoop {
                do {
                    let found = try await self.directory.numbers(of: marks.map(\.id))
                    self.commit(
                        marks, numbers: found.map { $0 ?? ConversationDirectory.nowhere }, isKnown: false, call, answer)
                } catch {
                    answer.fail(error)
                }
            }
        }
    }

    /// - Parameter isKnown: whether the numbers came from the cache. If so, conversations without a state are looked up
    ///   afterwards, so that timing does not tell an unknown conversation, which is looked up each time, from one that
    ///   is not the caller's.
    private func commit(
        _ wanted: [MarkRules.Mark], numbers: [ConversationNumber], isKnown: Bool, _ call: RequestContext,
        _ answer: Answer<UpdateMarksReply>
    ) {
        guard !wanted.isEmpty else { return answer.reply(UpdateMarksReply()) }
        let progress = MarkProgress(count: wanted.count) { [directory] result in
            guard isKnown, case .success(let states) = result, states.contains(nil) else {
                return answer.finish(result.map { UpdateMarksReply(states: $0.compactMap { $0 }) })
            }
            let missing = zip(wanted, states).filter { $1 == nil }.map { $0.0.id }
            Task.onLoop {
                _ = try? await directory.numbers(of: missing)
                answer.reply(UpdateMarksReply(states: states.compactMap { $0 }))
            }
        }
        for (index, mark) in wanted.enumerated() {
            let pending = PendingMark(
                account: call.caller.account, user: call.caller.user, conversation: numbers[index],
                conversationID: mark.id, read: mark.read, delivered: mark.delivered,
                deadline: call.deadline)
            marks.add(pending) { progress.finished(index, $0) }
        }
    }
}

/// The rules of requested marks. Pure.
enum MarkRules {
    struct Mark: Equatable {
        var id: ConversationID
        var read: Seq
        var delivered: Seq
    }

    /// Merges the marks of each conversation to their maximum, in order of first mention. Leaves out invalid
    /// conversation ids, as the reply leaves out conversations that are not the caller's.
    static func merged(_ watermarks: [Watermark]) -> [Mark] {
        var marks: [Mark] = []
        var indexes: [String: Int] = [:]
        for watermark in watermarks {
            if let index = indexes[watermark.conversation] {
                marks[index].read = max(marks[index].read, Seq(watermark.readSeq))
                marks[index].delivered = max(marks[index].delivered, Seq(watermark.deliveredSeq))
            } else if let id = ConversationID(watermark.conversation) {
                indexes[watermark.conversation] = marks.count
                marks.append(Mark(id: id, read: Seq(watermark.readSeq), delivered: Seq(watermark.deliveredSeq)))
            }
        }
        return marks
    }
}

/// The marks of one request in progress. Calls `done` once all have ended.
@ReactorActor
private final class MarkProgress {
    private var states: [InboxState?]
    private var left: Int
    private var failure: (any Error)?
    private let done: @ReactorActor (Result<[InboxState?], any Error>) -> Void

    init(count: Int, _ done: @escaping @ReactorActor (Result<[InboxState?], any Error>) -> Void) {
        states = Array(repeating: nil, count: count)
        left = count
        self.done = done
    }

    func finished(_ index: Int, _ result: Result<InboxState?, any Error>) {
        switch result {
        case .success(let state): states[index] = state
        case .failure(let error): failure = failure ?? error
        }
        left -= 1
        guard left == 0 else { return }
        done(failure.map { .failure($0) } ?? .success(states))
    }
}
