import NIOCore
import ParleyClient

// Conversations, members, devices and accounts.
extension Person {
    func startDirect(_ choice: Choice) async {
        guard let other = choice.pick(world.people) else { return }
        await start(with: other, by: residents[choice.which[1] % 2].client)
        // It is a message request until the other person starts it too, and nobody writes in requests here.
        await other.start(with: self, by: other.residents[choice.which[2] % 2].client)
    }

    func startDirectBothAtOnce(_ choice: Choice) async {
        guard let other = choice.pick(world.people) else { return }
        async let mine = start(with: other, by: home)
        async let theirs = other.start(with: self, by: other.away)
        if let mine = await mine, let theirs = await theirs, mine != theirs {
            recorder.trouble("\(name) and \(other.name) have two conversations: \(mine) and \(theirs)")
        }
    }

    @discardableResult
    func start(with other: Person, by client: ParleyClient) async -> String? {
        let users = Array(Set([user, other.user])).sorted()
        let (span, outcome) = await recorder.call(name, "start with \(other.name)") { () throws(ParleyError) in
            try await client.startDirect(with: other.user)
        }
        switch outcome {
        case .success(let reply):
            // A message request is not shown to the recipient yet, so the memberships are uncertain.
            let isAccepted = reply.conversation.conversationStatus == .accepted
            recorder.conversation(reply.conversation.id, users, span, isCertain: isAccepted)
            return reply.conversation.id
        case .failure(let error):
            let id = users.count == 1 ? "\(user)_\(user)" : users.joined(separator: "_")
            if !error.isDefinite { recorder.conversation(id, users, span, isCertain: false) }
            return nil
        }
    }

    func createGroup(_ choice: Choice) async {
        let people = world.people
        guard !people.isEmpty else { return }
        let others = (0..<(1 + choice.which[0] % 7)).map { people[(choice.which[1] + $0 * 3) % people.count].user }
        await createGroup(of: Array(Set(others).subtracting([user])).sorted(), named: "group of \(name)")
    }

    /// Creates a group, with up to eight attempts until the outcome is known. Whoever does not know this person is
    /// invited, and becomes a member by accepting.
    @discardableResult
    func createGroup(of others: [String], named title: String) async -> String? {
        let id = await home.newID()
        for attempt in 1...8 {
            let (span, outcome) = await recorder.call(name, "group \(id) of \(others.count + 1)") {
                () throws(ParleyError) in try await home.createGroup(name: title, users: others, id: id)
            }
            switch outcome {
            case .success(let reply):
                let members = Set(others + [user]).subtracting(reply.invited)
                recorder.conversation(reply.conversation.id, members.sorted(), span, isCertain: true)
                world.add(.init(id: reply.conversation.id, owner: user, members: members))
                return reply.conversation.id
            case .failure(let error):
                if !error.isDefinite { recorder.conversation(id.description, others + [user], span, isCertain: false) }
                guard error.isRetriable, !Task.isCancelled else { return nil }
            }
            try? await Task.sleep(for: .milliseconds(200 * attempt))
        }
        return nil
    }

    // MARK: Members

    func addMember(_ choice: Choice) async {
        guard let group = choice.pick(world.groups(of: user)),
            let newcomer = choice.pick(world.people.filter { !group.members.contains($0.user) }, by: 1)
        else { return }
        // Set before the call, so that nobody treats the new member as a stranger from here on.
        world.change(group.id) { $0.members.insert(newcomer.user) }
        let (span, outcome) = await recorder.call(name, "add \(newcomer.user) to \(group.id)") {
            () throws(ParleyError) in try await home.addMembers([newcomer.user], to: group.id)
        }
        if case .success(let reply) = outcome, reply.invited.contains(newcomer.user) {
            world.change(group.id) { $0.members.remove(newcomer.user) }
            return
        }
        note(group.id, newcomer.user, joins: true, span, outcome.map { _ in () })
    }

    /// Accepts an invitation into a group, or declines it.
    func answer(invitation group: String, _ choice: Choice, by client: ParleyClient) async {
        guard choice.which[2] % 6 != 0 else {
            _ = await recorder.call(name, "decline \(group)") { () throws(ParleyError) in
                try await client.declineRequest(group)
            }
            return
        }
        await accept(invitation: group, by: client)
    }

    func accept(invitation group: String, by client: ParleyClient) async {
        // As in `addMember`.
        world.change(group) { $0.members.insert(user) }
        let (span, outcome) = await recorder.call(name, "accept \(group)") { () throws(ParleyError) in
            try await client.acceptRequest(group)
        }
        note(group, user, joins: true, span, outcome.map { _ in () })
        if case .failure(let error) = outcome, error.isDefinite { world.change(group) { $0.members.remove(user) } }
    }

    /// Withdraws an invitation into a group of their own.
    func withdrawInvitation(_ choice: Choice) async {
        guard let group = choice.pick(world.groups(of: user)),
            let person = choice.pick(world.people.filter { !group.members.contains($0.user) }, by: 1)
        else { return }
        _ = await recorder.call(name, "withdraw the invitation of \(person.user)") { () throws(ParleyError) in
            try await home.withdrawInvitation(of: person.user, into: group.id)
        }
    }

    func removeMember(_ choice: Choice) async {
        guard let group = choice.pick(world.groups(of: user)),
            let member = choice.pick(group.members.subtracting([user]).sorted(), by: 1)
        else { return }
        let (span, outcome) = await recorder.call(name, "remove \(member) from \(group.id)") {
            () throws(ParleyError) in try await home.removeMember(member, from: group.id)
        }
        note(group.id, member, joins: false, span, outcome.map { _ in () })
    }

    /// Leaves a group. Owners never leave, so that each group keeps a member who can read it from the beginning.
    func leaveGroup(_ choice: Choice) async {
        let groups = await residents[0].writable.filter { group in
            !group.contains("_") && !world.groups(of: user).contains { $0.id == group }
        }
        guard let group = choice.pick(groups) else { return }
        let (span, outcome) = await recorder.call(name, "leave \(group)") { () throws(ParleyError) in
            try await home.leaveGroup(group)
        }
        note(group, user, joins: false, span, outcome.map { _ in () })
        // A message begun from here on must be refused, even if another process has not noticed the change yet.
        guard case .success = outcome, choice.which[3] % 2 == 0 else { return }
        _ = await sendOnce(text(choice), to: group, id: await home.newID(), by: away)
    }

    private func note(
        _ group: String, _ member: String, joins: Bool, _ span: Span, _ outcome: Result<Void, ParleyError>
    ) {
        switch outcome {
        case .success: recorder.membership(group, member, joins: joins, span, isCertain: true, by: user)
        case .failure(let error) where error.isDefinite: return
        case .failure: recorder.membership(group, member, joins: joins, span, isCertain: false, by: user)
        }
        if !joins { world.change(group) { $0.members.remove(member) } }
    }

    // MARK: Devices

    func signInOtherDevice(_ choice: Choice) async {
        // A person can have ten devices. Two are permanent, and another one signs in at the end.
        guard possibleDevices < 7 else { return }
        let client = entrance.client(choice.which[0])
        do {
            try await client.connect()
        } catch {
            return
        }
        possibleDevices += 1
        let (_, outcome) = await recorder.call(name, "sign another device in") { () throws(ParleyError) in
            try await client.signIn(username: username, password: Self.password)
        }
        if case .success = outcome { return others.append(client) }
        await client.close()
    }

    func endDevice(_ choice: Choice) async {
        guard let client = choice.pick(others), let credentials = await client.credentials else { return }
        others.removeAll { $0 === client }
        let device = credentials.device
        let (_, outcome) = await recorder.call(name, "sign device \(device) out") { () throws(ParleyError) in
            if choice.which[1] % 2 == 0 {
                try await client.signOut()
            } else {
                try await home.revokeDevice(device)
            }
        }
        guard case .success = outcome else { return await client.close() }
        possibleDevices -= 1
        signedOutDevices.append((client, device, credentials))
    }

    /// Records whether the signed-out devices lost their sessions and tokens. Called after the load.
    func checkSignedOutDevices() async {
        for (client, device, credentials) in signedOutDevices {
            var isClosed = false
            for _ in 0..<50 where !isClosed {
                switch await client.state {
                case .stopped: isClosed = true
                // A client that signs out and then loses its link reconnects without a user.
                case .ready(let welcome): isClosed = welcome.user.isEmpty
                case .idle, .connecting: break
                }
                if !isClosed { try? await Task.sleep(for: .milliseconds(100)) }
            }
            let refusals = [
                await refusal(of: credentials),
                await refusal(ofRefresh: credentials),
            ]
            recorder.note {
                $0.devices.append(
                    DeviceFact(
                        device: device, isClosed: isClosed,
                        refusal: refusals.contains(nil) ? nil : refusals.compactMap(\.self).joined(separator: ", ")))
            }
            await client.close()
        }
    }

    private func refusal(of credentials: Credentials) async -> String? {
        let client = entrance.client(number)
        defer { Task { await client.close() } }
        do throws(ParleyError) {
            try await client.connect(token: credentials.accessToken)
            return nil
        } catch {
            return error.code
        }
    }

    private func refusal(ofRefresh credentials: Credentials) async -> String? {
        let client = entrance.client(number)
        defer { Task { await client.close() } }
        do throws(ParleyError) {
            try await client.connect()
            _ = try await client.call(
                ConversationsMethods.refreshTokens, key: user, .with { $0.refreshToken = credentials.refreshToken })
            return nil
        } catch {
            return error.code
        }
    }

    func registerNewcomer(_ choice: Choice) async {
        guard newcomers.count < 2 else { return }
        let client = entrance.client(choice.which[0])
        defer { Task { await client.close() } }
        do {
            try await client.connect()
        } catch {
            return
        }
        let newcomer = "n\(number)x\(newcomers.count)x\(username)"
        let (_, outcome) = await recorder.call(name, "register \(newcomer)") { () throws(ParleyError) in
            try await client.register(username: newcomer, password: Self.password)
        }
        guard case .success(let signedIn) = outcome else { return }
        newcomers.append((signedIn.user.id, newcomer))
        recorder.note { _ = $0.accounts.insert(signedIn.user.id) }
    }
}

// The end of a run: final messages, new devices, closing.
extension Person {
    /// Sends a last message to up to 12 conversations and creates a last reminder. If their Updates are lost, no
    /// later Update reveals the gap.
    func sendFinalMessages() async {
        for conversation in await residents[0].writable.prefix(12) {
            texts += 1
            await send("last words of \(name) (\(texts))", to: conversation, id: await home.newID(), attempts: 10)
        }
        texts += 1
        var request = Parley_V1_CreateReminderRequest()
        let id = await home.newID()
        request.id = .init(id.bytes)
        (request.title, request.dueAtUs) = ("last reminder \(texts) of \(name)", 4_102_444_800_000_000)
        await create(request, id, attempts: 10)
    }

    /// Signs in new devices for this person and the accounts they registered, and reads everything.
    func readAnew(through gateway: Int) async {
        for (user, username) in [(user, username)] + newcomers {
            await Newcomer(user: user, username: username, entrance: entrance, recorder: recorder)
                .read(through: gateway)
        }
    }

    func leave() async {
        for resident in residents { await resident.stop() }
        for client in others { await client.close() }
        for device in signedOutDevices { await device.client.close() }
    }
}
