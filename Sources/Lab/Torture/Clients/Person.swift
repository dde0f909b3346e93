import NIOCore
import ParleyClient

/// A simulated person. They use every feature of Parley from several devices, according to their plan.
actor Person {
    nonisolated let number: Int
    nonisolated let user: String
    nonisolated let username: String
    /// The two permanent devices, on different gateways.
    nonisolated let residents: [Resident]
    nonisolated let entrance: Entrance
    nonisolated let world: World
    nonisolated let recorder: Recorder
    private var plan: ActionPlan

    var texts = 0
    /// Accepted messages, to be sent again.
    var sent: [SendFact] = []
    var sentIDs: [String: UUIDv7] = [:]
    var reminders: [String: (id: UUIDv7, fact: ReminderFact)] = [:]
    var decisions: [String: (id: UUIDv7, fact: DecisionFact)] = [:]
    var events: [String: (id: UUIDv7, fact: EventFact)] = [:]
    /// The events to which an answer of unknown outcome was given.
    var uncertainAnswers: Set<String> = []
    var others: [ParleyClient] = []
    var signedOutDevices: [(client: ParleyClient, device: String, credentials: Credentials)] = []
    /// The number of devices that may exist, including those whose sign-in or sign-out has an unknown outcome.
    var possibleDevices = 2
    var newcomers: [(user: String, username: String)] = []

    static let password = "correct horse battery"

    init(
        number: Int, seed: UInt64, user: String, username: String, residents: [Resident], entrance: Entrance,
        world: World, recorder: Recorder
    ) {
        (self.number, self.user, self.username, self.residents) = (number, user, username, residents)
        (self.entrance, self.world, self.recorder) = (entrance, world, recorder)
        plan = ActionPlan(seed: seed, person: number)
    }

    nonisolated var name: String { "person-\(number)" }
    nonisolated var home: ParleyClient { residents[0].client }
    nonisolated var away: ParleyClient { residents[1].client }

    /// Registers a person and signs in their two permanent devices.
    static func register(
        number: Int, seed: UInt64, entrance: Entrance, world: World, recorder: Recorder
    ) async throws(ParleyError) -> Person {
        let username = "p\(number)x\(String(seed, radix: 36))"
        let home = entrance.client(number)
        try await home.connect()
        let id = await home.newID()
        try await repeating { () throws(ParleyError) in
            try await home.register(
                username: username, password: password, displayName: "Person \(number)", id: id)
        }
        let away = entrance.client(number + 1, isSlow: number % 8 == 0)
        try await away.connect()
        try await repeating { () throws(ParleyError) in
            try await away.signIn(username: username, password: password)
        }
        let user = await home.user
        let residents = [
            Resident(home, name: "person-\(number)'s first device", user: user, recorder: recorder),
            Resident(away, name: "person-\(number)'s second device", user: user, recorder: recorder),
        ]
        for resident in residents { await resident.start() }
        recorder.note { _ = $0.accounts.insert(user) }
        return Person(
            number: number, seed: seed, user: user, username: username, residents: residents, entrance: entrance,
            world: world, recorder: recorder)
    }

    /// Repeats a request while its error allows it, for two minutes: a busy machine hashes few passwords at once.
    static func repeating<Reply>(
        _ request: () async throws(ParleyError) -> Reply
    ) async throws(ParleyError) {
        let end = ContinuousClock.now + .seconds(120)
        while true {
            do throws(ParleyError) {
                _ = try await request()
                return
            } catch {
                guard error.isRetriable, .now < end, !Task.isCancelled else { throw error }
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    /// Performs the actions of the plan until the load ends.
    func live() async {
        while !recorder.isLoadOver, !Task.isCancelled, let choice = plan.next() {
            await perform(choice)
            try? await Task.sleep(for: .milliseconds(choice.pause))
        }
    }

    private func perform(_ choice: Choice) async {
        switch choice.kind {
        case .send: await sendOne(choice)
        case .sendTwice: await sendTwice(choice)
        case .sendAgain: await sendAgain(choice)
        case .sendBadly: await sendBadly(choice)
        case .history: await readHistory(choice)
        case .sync: await readHeads()
        case .remind: await remind(choice)
        case .completeReminder: await completeReminder(choice)
        case .decide: await decide(choice)
        case .deleteDecision: await deleteDecision(choice)
        case .createEvent: await createEvent(choice)
        case .answerEvent: await answerEvent(choice)
        case .endEvent: await endEvent(choice)
        case .direct: await startDirect(choice)
        case .directBothAtOnce: await startDirectBothAtOnce(choice)
        case .group: await createGroup(choice)
        case .addMember: await addMember(choice)
        case .removeMember: await removeMember(choice)
        case .leaveGroup: await leaveGroup(choice)
        case .otherDevice: await signInOtherDevice(choice)
        case .endDevice: await endDevice(choice)
        case .watchPresence: await watchPresence(choice)
        case .setPresence: await setPresence(choice)
        case .setActivity: await setActivity(choice)
        case .type: await type(choice)
        case .register: await registerNewcomer(choice)
        case .readSlowly: readSlowly(choice)
        case .sendFile: await sendFile(choice)
        case .edit: await edit(choice)
        case .editBadly: await editBadly(choice)
        case .delete: await delete(choice)
        case .react: await react(choice)
        case .star: await star(choice)
        case .markRead: await markRead(choice)
        case .pin: await pin(choice)
        case .mute: await mute(choice)
        case .request: await request(choice)
        case .acceptRequest: await acceptRequest(choice)
        case .withdrawInvitation: await withdrawInvitation(choice)
        case .block: await block(choice)
        }
    }

    // MARK: Reading

    private func readHistory(_ choice: Choice) async {
        guard let conversation = choice.pick(await residents[0].writable) else { return }
        let client = residents[choice.which[1] % 2].client
        let newest = await residents[0].newestSeq(of: conversation)
        let page: ParleyClient.HistoryPage =
            choice.which[2] % 2 == 0 ? .newest : .after(Int64(choice.which[3]) % max(newest, 1))
        let (span, outcome) = await recorder.call(name, "history \(conversation) \(page)") { () throws(ParleyError) in
            try await client.history(of: conversation, page, limit: 50)
        }
        guard case .success(let reply) = outcome else { return }
        recorder.delivered(reply.messages)
        recorder.reading(of: "last seq of \(conversation) for \(user)", reply.lastSeq, span)
    }

    private func readHeads() async {
        let client = residents[texts % 2].client
        let (span, outcome) = await recorder.call(name, "messaging sync") { () throws(ParleyError) in
            try await client.syncMessaging(limit: 200)
        }
        if case .success(let reply) = outcome {
            for entry in reply.entries {
                recorder.reading(of: Recorder.head(of: entry.conversation, for: user), entry.position, span)
                if entry.hasLastMessage { recorder.delivered([entry.lastMessage]) }
            }
        }
        let (span2, mine) = await recorder.call(name, "conversations sync") { () throws(ParleyError) in
            try await client.syncConversations(since: 0, limit: 200)
        }
        guard case .success(let reply) = mine, !reply.more else { return }
        recorder.reading(of: "conversations/u/\(user)", reply.position, span2)
    }

    private func watchPresence(_ choice: Choice) async {
        let users = world.people.map(\.user).filter { $0.utf8.reduce(choice.which[0]) { $0 &+ Int($1) } % 3 == 0 }
        let client = residents[choice.which[1] % 2].client
        _ = await recorder.call(name, "presence watch of \(users.count)") { () throws(ParleyError) in
            try await client.watchPresence(Array(users.prefix(200)))
        }
    }

    /// Blocks the slow device's thread for a while, so that the gateway's queue for it fills.
    private func readSlowly(_ choice: Choice) {
        guard number % 8 == 0 else { return }
        let milliseconds = UInt32(200 + choice.which[0] % 3000)
        recorder.log("\(name)'s second device reads nothing for \(milliseconds) ms")
        away.eventLoop.execute { standStill(milliseconds: milliseconds) }
    }

    // MARK: Reminders

    private func remind(_ choice: Choice) async {
        var request = Parley_V1_CreateReminderRequest()
        let id = await home.newID()
        request.id = .init(id.bytes)
        texts += 1
        request.title = "reminder \(texts) of \(name)"
        // Half of them fire during the run.
        let isSoon = choice.which[0] % 2 == 0
        request.dueAtUs = await home.serverTimeUs + (isSoon ? Int64(choice.which[0] % 3_000_000) : 86_400_000_000)
        if choice.which[1] % 3 == 0 { request.conversation = choice.pick(await residents[0].writable, by: 2) ?? "" }
        await create(request, id, attempts: 4)
    }

    func create(_ request: Parley_V1_CreateReminderRequest, _ id: UUIDv7, attempts: Int) async {
        var isUnknown = false
        let soon = await home.serverTimeUs + 60_000_000
        for attempt in 1...attempts {
            let (_, outcome) = await recorder.call(name, "remind \(id) (\(attempt))") { () throws(ParleyError) in
                try await home.createReminder(request)
            }
            let ended = Outcome(outcome) { _ in true }
            isUnknown = isUnknown || ended.isUnknown
            let known: Outcome<Bool> =
                if case .refused = ended, isUnknown { .unknown("refused after an unknown outcome") } else { ended }
            let fact = ReminderFact(
                id: id.description, user: user, title: request.title, creation: known,
                isCompleted: known.reply == nil ? nil : false, isDue: request.dueAtUs < soon)
            recorder.reminder(fact)
            if case .success(let reply) = outcome {
                reminders[id.description] = (id, fact)
                await residents[0].received(fromReply: reply.reminder)
                return
            }
            await residents[0].syncEntities()
            guard case .failure(let error) = outcome, error.isRetriable, !Task.isCancelled else { return }
            try? await Task.sleep(for: .milliseconds(300 * attempt))
        }
    }

    private func completeReminder(_ choice: Choice) async {
        guard let key = choice.pick(reminders.keys.sorted()), let (id, before) = reminders[key] else { return }
        let isCompleted = choice.which[1] % 2 == 0
        let (_, outcome) = await recorder.call(name, "complete \(id) \(isCompleted)") { () throws(ParleyError) in
            try await home.completeReminder(id, completed: isCompleted)
        }
        var fact = before
        switch outcome {
        case .success(let reply):
            if fact.isCompleted != nil { fact.isCompleted = isCompleted }
            await residents[0].received(fromReply: reply.reminder)
        case .failure(let error):
            await residents[0].syncEntities()
            // The change may take effect at any time from now on.
            if !error.isDefinite { fact.isCompleted = nil }
        }
        reminders[key] = (id, fact)
        recorder.reminder(fact)
    }
}
