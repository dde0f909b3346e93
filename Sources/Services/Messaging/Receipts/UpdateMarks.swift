import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Moves what the caller has read and what has reached them, forwards only (M5, M6). Repeatable.
    ///
    /// Answered once all of it is committed. Of what is not the caller's, or has no message for them, the answer says
    /// nothing.
    func updateMarks(_ request: UpdateMarksRequest, _ call: RequestContext, _ answer: Answer<UpdateMarksReply>) {
        let marks = MarkRules.merged(request.marks)
        let known = marks.map { directory.known($0.id) }
        if !known.contains(nil) {
            commit(marks, numbers: known.compactMap { $0 }, isKnown: true, call, answer)
        } else {
            Task { @ReactorActor in
                do {
                    let found = try await directory.numbers(of: marks.map(\.id))
                    commit(marks, numbers: found.map { $0 ?? Self.nowhere }, isKnown: false, call, answer)
                } catch {
                    answer.fail(error)
                }
            }
        }
    }

    /// - Parameter isKnown: the numbers were not looked up for this. One that is not there is looked up each time; so
    ///   that it cannot be told from one that is not the caller's, that is then looked up, too.
    private func commit(
        _ wanted: [MarkRules.Mark], numbers: [Int64], isKnown: Bool, _ call: RequestContext,
        _ answer: Answer<UpdateMarksReply>
    ) {
        guard !wanted.isEmpty else { return answer.reply(UpdateMarksReply()) }
        let progress = MarkProgress(count: wanted.count) { [directory] result in
            guard isKnown, case .success(let states) = result, states.contains(nil) else {
                return answer.finish(result.map { UpdateMarksReply(states: $0.compactMap { $0 }) })
            }
            let untold = zip(wanted, states).filter { $1 == nil }.map { $0.0.id }
            Task { @ReactorActor in
                _ = try? await directory.numbers(of: untold)
                answer.reply(UpdateMarksReply(states: states.compactMap { $0 }))
            }
        }
        for (index, mark) in wanted.enumerated() {
            let pending = PendingMark(
                account: call.caller.account, user: call.caller.user, conversation: numbers[index],
                conversationID: mark.id, read: mark.read, delivered: mark.delivered, session: call.caller.session,
                deadline: call.deadline)
            marks.add(pending) { progress.finished(index, $0) }
        }
    }
}

/// What is asked to be marked. Pure.
enum MarkRules {
    struct Mark: Equatable {
        var id: ConversationID
        var read: Int64
        var delivered: Int64
    }

    /// Each conversation once, in the order of their first mention, with the largest of what is said of it. What no
    /// conversation can be called is left out, as is what is not the caller's.
    static func merged(_ watermarks: [Watermark]) -> [Mark] {
        var marks: [Mark] = []
        var indexes: [String: Int] = [:]
        for watermark in watermarks {
            if let index = indexes[watermark.conversation] {
                marks[index].read = max(marks[index].read, watermark.readSeq)
                marks[index].delivered = max(marks[index].delivered, watermark.deliveredSeq)
            } else if let id = ConversationID(watermark.conversation) {
                indexes[watermark.conversation] = marks.count
                marks.append(Mark(id: id, read: watermark.readSeq, delivered: watermark.deliveredSeq))
            }
        }
        return marks
    }
}

/// The marks of one request on their way; calls back once all have come to an end.
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
