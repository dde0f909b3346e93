import Command
import NIOCore
import ParleyClient

/// The people of `parley-lab bench storm`: bare links on one event loop, without a task for each.
final class Storm: @unchecked Sendable {
    // Sendable: all its state is touched on `eventLoop` only.

    struct Outcome: Sendable {
        /// The time from the first connection attempt until the last person is done.
        var took: Duration
        var each: [Duration]
    }

    /// The positions of a person who went away, and their state in this round.
    private struct Person {
        let token: String
        var epoch = ""
        var cursor = ""
        var ownPosition: Int64 = 0
        var conversationsEpoch = ""
        var conversationsPosition: Int64 = 0
        var entitiesEpoch = ""
        var entitiesPosition: Int64 = 0
        /// Their only conversation, and the position in it.
        var conversation = ""
        var position: Int64 = 0
        /// The link of this round.
        var link: Link?
        var unanswered = 0
        var missed = 0
        var isDone = false
    }

    private enum Request: UInt64 { case conversations = 1, messaging, entities }

    private let eventLoop: any EventLoop
    private let address: LinkAddress
    private let expected: Int
    private var people: [Person]
    private var isFirst = true
    private var began = ContinuousClock.now
    private var each: [Duration] = []
    private var done: EventLoopPromise<Outcome>?

    init(eventLoop: any EventLoop, address: LinkAddress, tokens: [String], missed: Int) {
        (self.eventLoop, self.address) = (eventLoop, address)
        expected = missed
        people = tokens.map { Person(token: $0) }
    }

    /// Connects everyone at the same time. Each person syncs, and closes the link once they have what they missed.
    /// - Throws: the first refusal, or `not_delivered`.
    func run(isFirst: Bool) async throws -> Outcome {
        let done = eventLoop.makePromise(of: Outcome.self)
        eventLoop.execute { [self] in
            (self.isFirst, self.done, each, began) = (isFirst, done, [], .now)
            for index in people.indices { connect(index) }
        }
        let late = eventLoop.scheduleTask(in: .seconds(60)) {
            done.fail(Failure(.notDelivered, "Not everyone had all missed messages within 60 s."))
        }
        defer { late.cancel() }
        return try await done.futureResult.get()
    }

    // MARK: On the loop

    private func connect(_ index: Int) {
        people[index].unanswered = 3
        people[index].missed = 0
        people[index].isDone = false
        Link.connect(to: address, on: eventLoop) { [weak self] frame in
            self?.received(frame, by: index)
        } onClose: { [weak self] closed in
            guard let self, !people[index].isDone else { return }
            fail(Failure(.closed, "A link was closed: \(closed.code) \(closed.reason)"))
        }.whenComplete { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error): fail(error)
            case .success(let link):
                people[index].link = link
                begin(index, on: link)
            }
        }
    }

    /// Sends hello with the three syncs.
    private func begin(_ index: Int, on link: Link) {
        let person = people[index]
        do {
            let requests = [
                try OutgoingRequest.inHello(
                    id: Request.conversations.rawValue, ConversationsMethods.sync,
                    .with { ($0.epoch, $0.sincePosition) = (person.conversationsEpoch, person.conversationsPosition) }),
                try OutgoingRequest.inHello(
                    id: Request.messaging.rawValue, MessagingMethods.sync,
                    .with {
                        ($0.epoch, $0.cursor, $0.ownPosition) = (person.epoch, person.cursor, person.ownPosition)
                        guard !person.conversation.isEmpty else { return }
                        $0.held = [.with { ($0.conversation, $0.position) = (person.conversation, person.position) }]
                    }),
                try OutgoingRequest.inHello(
                    id: Request.entities.rawValue, EntitiesMethods.sync,
                    .with { ($0.epoch, $0.sincePosition) = (person.entitiesEpoch, person.entitiesPosition) }),
            ]
            try link.send(
                .with {
                    $0.hello = .with { ($0.version, $0.token, $0.requests) = (1, person.token, requests) }
                })
        } catch {
            fail(error)
        }
    }

    private func received(_ frame: ByteBuffer, by index: Int) {
        do {
            switch try IncomingFrame(frame) {
            case .reply(let reply):
                if let error = reply.error { throw error }
                try handle(Request(rawValue: reply.id), reply.body, for: index)
            case .goodbye(let goodbye): throw Failure(Failure.Code(rawValue: goodbye.error.code), goodbye.error.message)
            default: break
            }
        } catch {
            fail(error)
        }
    }

    private func handle(_ request: Request?, _ body: ByteBuffer, for index: Int) throws {
        switch request {
        case .conversations:
            let reply = try Parley_V1_ConversationsSyncReply(frame: body)
            (people[index].conversationsEpoch, people[index].conversationsPosition) = (reply.epoch, reply.position)
        case .entities:
            let reply = try Parley_V1_EntitiesSyncReply(frame: body)
            (people[index].entitiesEpoch, people[index].entitiesPosition) = (reply.epoch, reply.position)
        case .messaging:
            let reply = try Parley_V1_MessagingSyncReply(frame: body)
            (people[index].epoch, people[index].cursor) = (reply.epoch, reply.cursor)
            people[index].ownPosition = reply.ownPosition
            for entry in reply.entries where entry.position > people[index].position {
                (people[index].conversation, people[index].position) = (entry.conversation, entry.position)
                people[index].missed += entry.missed.count
            }
        case nil: return
        }
        people[index].unanswered -= 1
        if people[index].unanswered == 0 { finished(index) }
    }

    private func finished(_ index: Int) {
        guard isFirst || people[index].missed == expected else {
            return fail(
                Failure(.notDelivered, "A person missed \(expected) messages but received \(people[index].missed)."))
        }
        people[index].isDone = true
        people[index].link?.close()
        people[index].link = nil
        each.append(ContinuousClock.now - began)
        if each.count == people.count {
            done?.succeed(Outcome(took: ContinuousClock.now - began, each: each))
            done = nil
        }
    }

    private func fail(_ error: any Error) {
        done?.fail(error)
        done = nil
    }
}
