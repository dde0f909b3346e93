import Command
import Foundation
import NIOCore
import ParleyClient

/// The people of `parley-lab bench presence`: sessions over bare links on one event loop, without a task for each. It
/// counts the Updates of presence that reach them, and how old they are.
final class PresenceLoad: @unchecked Sendable {
    // Sendable: all its state is touched on `eventLoop` only.

    /// What arrived in a phase.
    struct Arrivals: Sendable {
        var presence = 0
        var typing = 0
        var ages: [Duration] = []
        /// The ages of those of the last two seconds.
        var lastAges: [(at: ContinuousClock.Instant, age: Duration)] = []
    }

    private struct Person {
        var user: String
        var token: String
        /// The people whom they watch.
        var watched: [String]
        var session: BenchSession?
        var lastRequest: UInt64 = 1
        var onWatching: EventLoopPromise<Void>?
        /// Since when they are online, or are not.
        var changedAt: ContinuousClock.Instant?
    }

    let eventLoop: any EventLoop
    private let address: LinkAddress
    private var people: [Person]
    private var indices: [String: Int] = [:]
    private var arrivals = Arrivals()
    private var failure: (any Error)?
    private var pinging: RepeatedTask?

    /// - Parameter groups: people who watch each other.
    init(_ groups: [[BenchPerson]], at address: LinkAddress, on eventLoop: any EventLoop) {
        (self.address, self.eventLoop) = (address, eventLoop)
        people = groups.flatMap { group in
            group.map { person in
                Person(
                    user: person.user, token: person.token,
                    watched: group.lazy.map(\.user).filter { $0 != person.user })
            }
        }
        for (index, person) in people.enumerated() { indices[person.user] = index }
    }

    /// Gives way to the services on the machine, as people on devices of their own do, and keeps open sessions from
    /// being closed as silent.
    func start() {
        // On Linux this is for the calling thread only.
        eventLoop.execute { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
        pinging = eventLoop.scheduleRepeatedTask(initialDelay: .seconds(20), delay: .seconds(20)) { [weak self] _ in
            for person in self?.people ?? [] { try? person.session?.ping() }
        }
    }

    func stop() {
        pinging?.cancel()
        eventLoop.execute { [self] in
            for index in people.indices { people[index].session?.close() }
        }
    }

    /// Connects a person.
    func open(_ index: Int) async throws {
        let token = try await eventLoop.submit { [self] in people[index].token }.get()
        let session = try await BenchSession.open(address, token: token, on: eventLoop) { [weak self] frame in
            self?.received(frame, by: index)
        } onClose: { [weak self] closed in
            self?.fail(Failure(.closed, "A session was closed: \(closed.code) \(closed.reason)"))
        }
        try await eventLoop.submit { [self] in
            (people[index].session, people[index].changedAt) = (session, .now)
        }.get()
    }

    /// Closes a person's session.
    func close(_ index: Int) async throws {
        try await eventLoop.submit { [self] in
            people[index].session?.close()
            (people[index].session, people[index].changedAt) = (nil, .now)
        }.get()
    }

    /// Lets a person watch the others of their group.
    func watch(_ index: Int) async throws {
        let promise = eventLoop.makePromise(of: Void.self)
        eventLoop.execute { [self] in
            people[index].onWatching = promise
            let users = people[index].watched
            request(PresenceMethods.watchPresence, key: people[index].user, by: index, id: 1) { $0.users = users }
        }
        try await promise.futureResult.get()
    }

    /// Says that a person is typing.
    func type(_ index: Int, in conversation: String) {
        eventLoop.execute { [self] in
            people[index].lastRequest += 1
            request(PresenceMethods.setTyping, key: people[index].user, by: index, id: people[index].lastRequest) {
                ($0.conversation, $0.typing) = (conversation, true)
            }
        }
    }

    /// Returns what arrived since the last call.
    /// - Throws: the first refusal or lost session.
    func take() async throws -> Arrivals {
        try await eventLoop.submit { [self] in
            if let failure { throw failure }
            defer { arrivals = Arrivals() }
            return arrivals
        }.get()
    }

    // MARK: On the loop

    private func request<Request, Reply>(
        _ method: Method<Request, Reply>, key: String, by index: Int, id: UInt64, _ fill: (inout Request) -> Void
    ) {
        guard let session = people[index].session else { return }
        do {
            var request = Request()
            fill(&request)
            session.link.send(try OutgoingRequest.frame(id: id, method, key: key, request))
        } catch {
            fail(error)
        }
    }

    private func received(_ frame: ByteBuffer, by index: Int) {
        do {
            switch try IncomingFrame(frame) {
            case .reply(let reply):
                if let error = reply.error { throw error }
                guard reply.id == 1 else { return }
                people[index].onWatching?.succeed(())
                people[index].onWatching = nil
            case .update(let update) where update.kind == "PresenceState":
                note(try Parley_V1_PresenceState(frame: update.body))
            case .update(let update) where update.kind == "Typing": arrivals.typing += 1
            case .goodbye(let goodbye): throw Failure(Failure.Code(rawValue: goodbye.error.code), goodbye.error.message)
            default: break
            }
        } catch {
            fail(error)
        }
    }

    private func note(_ state: Parley_V1_PresenceState) {
        arrivals.presence += 1
        // One that says what is no longer so has no age: the next Update of that person has.
        guard let index = indices[state.user], let since = people[index].changedAt,
            (people[index].session != nil) == (state.status == .online)
        else { return }
        let now = ContinuousClock.now
        arrivals.ages.append(now - since)
        arrivals.lastAges.append((now, now - since))
        if arrivals.lastAges.count > 100_000 { arrivals.lastAges.removeFirst(50_000) }
    }

    private func fail(_ error: any Error) {
        if failure == nil { failure = error }
        for index in people.indices {
            people[index].onWatching?.fail(error)
            people[index].onWatching = nil
        }
    }
}
