import ParleyClient

/// Somebody who is away during the whole run and has two phones: each must tell of everything that is written to them.
struct Absent: Sendable {
    let user: String
    let username: String

    /// Registers the person with both phones, starts conversations with people, and closes the app.
    static func register(
        number: Int, seed: UInt64, entrance: Entrance, people: [Person], recorder: Recorder
    ) async throws(ParleyError) -> Absent {
        let username = "absent\(number)x\(String(seed, radix: 36))"
        let (phone, tablet) = (
            entrance.client(number, retriesFor: .seconds(120)), entrance.client(number + 1, retriesFor: .seconds(120))
        )
        for client in [phone, tablet] {
            await client.setActivity(isInForeground: false)
            try await client.connect()
        }
        try await phone.register(username: username, password: Person.password)
        try await tablet.signIn(username: username, password: Person.password)
        let user = await phone.user
        recorder.note { _ = $0.accounts.insert(user) }
        for (index, client) in [phone, tablet].enumerated() {
            try await client.registerPush(.fcm, token: PushFact.token(of: user, index), app: "")
        }
        for person in people {
            // Their own request makes it an accepted conversation.
            let began = recorder.now
            let id = try await person.home.startDirect(with: user).conversation.id
            _ = try await phone.startDirect(with: person.user)
            recorder.conversation(id, [user, person.user].sorted(), Span(began, recorder.now), isCertain: true)
            recorder.note { _ = $0.absent.updateValue(user, forKey: id) }
        }
        for client in [phone, tablet] { await client.close() }
        return Absent(user: user, username: username)
    }
}

extension Person {
    /// Registers both devices for pushes.
    nonisolated func registerPushes() async throws(ParleyError) {
        for (index, resident) in residents.enumerated() {
            let (client, token) = (resident.client, PushFact.token(of: user, index))
            try await Self.repeating { () throws(ParleyError) in
                try await client.registerPush(.fcm, token: token, app: "")
            }
        }
    }

    /// Writes to those who are away, for the last time.
    func writeToAbsent() async {
        let own = recorder.facts.absent.keys.filter { $0.split(separator: "_").contains { $0 == user } }.sorted()
        for conversation in own {
            texts += 1
            await send("to be told \(name) (\(texts))", to: conversation, id: await home.newID(), attempts: 10)
        }
    }
}
