import Observation

/// People whom no list of members shows, such as the authors in a large group. Those that are looked at and not known
/// are read from the server, together and once a session.
@MainActor
@Observable
final class PeopleDirectory {
    /// As many as one request takes.
    private static let askedMax = 200
    /// How many are kept in memory.
    private static let keptMax = 10_000

    private var people: [UserID: User] = [:]
    /// Who is to be read.
    @ObservationIgnored private var waiting: Set<UserID> = []
    /// Who was read in this session, or is unknown to the server.
    @ObservationIgnored private var read: Set<UserID> = []
    @ObservationIgnored private var reading: Task<Void, Never>?
    @ObservationIgnored var ask: (@MainActor ([UserID]) async -> [User]?)?

    /// Returns a person; nil: they are not known yet.
    func user(_ id: UserID) -> User? {
        let known = people[id]
        if !read.contains(id), waiting.insert(id).inserted { readSoon() }
        return known
    }

    /// Reads people again once they are looked at: they may have changed.
    func begin() {
        read = []
        readSoon()
    }

    func forget() {
        reading?.cancel()
        (people, waiting, read, reading) = ([:], [], [], nil)
    }

    private func readSoon() {
        guard reading == nil, !waiting.isEmpty else { return }
        reading = Task { [weak self] in
            // What is looked at together is read together.
            await Task.yield()
            await self?.readWaiting()
        }
    }

    private func readWaiting() async {
        defer { reading = nil }
        while !waiting.isEmpty {
            let ids = Array(waiting.prefix(Self.askedMax))
            // Without an answer they wait for the next session.
            guard let found = await ask?(ids), !Task.isCancelled else { return }
            waiting.subtract(ids)
            read.formUnion(ids)
            if people.count + found.count > Self.keptMax { people = [:] }
            for user in found where people[user.id] != user { people[user.id] = user }
        }
    }
}

extension Parley {
    /// Returns a person whom no list of members shows; nil: they are not known yet.
    func person(_ id: UserID) -> User? { directory.user(id) }

    func makeDirectory() -> PeopleDirectory {
        let directory = PeopleDirectory()
        directory.ask = { [weak self] ids in
            do throws(Refusal) {
                return try await self?.users(ids)
            } catch {
                return nil
            }
        }
        return directory
    }
}
