import ParleyClient

// Message requests and blocks.
extension Person {
    /// Asks another person to write to them, with a first message.
    func request(_ choice: Choice) async {
        guard let other = choice.pick(world.people), other !== self else { return }
        let client = residents[choice.which[1] % 2].client
        guard let conversation = await start(with: other, by: client) else { return }
        _ = await sendOnce(text(choice), to: conversation, id: await home.newID(), by: client)
    }

    /// Accepts a message request, or answers an invitation into a group.
    func acceptRequest(_ choice: Choice) async {
        guard let conversation = choice.pick(await residents[0].requests) else { return }
        let client = residents[choice.which[1] % 2].client
        guard conversation.contains("_") else { return await answer(invitation: conversation, choice, by: client) }
        let (span, outcome) = await recorder.call(name, "accept \(conversation)") { () throws(ParleyError) in
            try await client.acceptRequest(conversation)
        }
        guard case .success(let reply) = outcome else { return }
        guard reply.conversation.conversationStatus == .accepted else {
            return recorder.trouble("\(name) accepted \(conversation), but it is \(reply.conversation.text)")
        }
        let users = conversation.split(separator: "_").map(String.init)
        recorder.conversation(conversation, users, span, isCertain: true)
        recorder.note { $0.acceptedRequests.append(AcceptedRequest(conversation: conversation, users: users)) }
    }

    /// Blocks another person, writes to them in vain, and unblocks them in three of four cases.
    ///
    /// Only people who may write to each other: blocking somebody also declines their request, which drops its
    /// messages.
    func block(_ choice: Choice) async {
        guard let other = choice.pick(await blockable) else { return }
        let conversation = direct(with: other)
        let client = residents[choice.which[1] % 2].client
        await set(other, isBlocked: true, by: client)
        _ = await sendOnce(text(choice), to: conversation, id: await home.newID(), by: client)
        try? await Task.sleep(for: .milliseconds(choice.which[2] % 2000))
        if choice.which[3] % 4 != 0 { await set(other, isBlocked: false, by: client) }
    }

    /// Blocks or unblocks somebody for the last time, so that the end of a short run has certain ones, too.
    func blockFinally() async {
        guard number.isMultiple(of: 2), let other = await blockable.last else { return }
        await set(other, isBlocked: number.isMultiple(of: 8), by: home)
    }

    private var blockable: [Person] {
        get async {
            let writable = Set(await residents[0].writable)
            return world.people.filter { other in
                other !== self && !writesWithoutEnd(with: other) && writable.contains(direct(with: other))
            }
        }
    }

    private nonisolated func direct(with other: Person) -> String {
        [user, other.user].sorted().joined(separator: "_")
    }

    private func set(_ other: Person, isBlocked: Bool, by client: ParleyClient) async {
        let (span, outcome) = await recorder.call(name, "\(isBlocked ? "block" : "unblock") \(other.name)") {
            () throws(ParleyError) in
            if isBlocked { try await client.block(other.user) } else { try await client.unblock(other.user) }
        }
        let value = Self.answer(isBlocked)
        recorder.write(
            .init(.block, of: user, object: other.user),
            .init(by: user, value, span, Outcome(outcome) { value }))
    }

    /// Whether one of the two writes to the other until the load ends and must never be refused.
    private nonisolated func writesWithoutEnd(with other: Person) -> Bool {
        let people = world.people.count
        func writes(_ writer: Int, _ reader: Int) -> Bool { writer % 2 == 1 && (writer + 1) % people == reader }
        return writes(number, other.number) || writes(other.number, number)
    }
}
