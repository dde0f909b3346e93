import ParleyClient

// What people say of themselves, what they do in their sessions, and typing.
extension Person {
    /// Says what the person does on one of their devices. Others see it only where they are members.
    func setActivity(_ choice: Choice) async {
        let conversation = choice.pick(await residents[0].writable, by: 1)
        await residents[choice.which[0] % 2].client.setActivity(
            isInForeground: choice.which[2] % 3 != 0, conversation: choice.which[3] % 2 == 0 ? conversation : nil)
    }

    func setPresence(_ choice: Choice) async {
        await say(choice.which[0] % 3, hiding: choice.which[1] % 6, by: residents[choice.which[2] % 2].client)
    }

    private static let availabilities: [(Parley_V1_Availability, String)] = [
        (.automatic, ValueFact.no), (.saysAway, ValueFact.away), (.saysDoNotDisturb, ValueFact.busy),
    ]
    /// Few hide, so that most see each other.
    private static let hidings: [(Parley_V1_Hiding, String)] = [
        (.fromNobody, ValueFact.no), (.fromNobody, ValueFact.no), (.fromNobody, ValueFact.no),
        (.fromNobody, ValueFact.no), (.fromAll, ValueFact.fromAll), (.fromAllButAccepted, ValueFact.fromOthers),
    ]

    private func say(_ availability: Int, hiding: Int, by client: ParleyClient) async {
        let (availability, hiding) = (Self.availabilities[availability], Self.hidings[hiding])
        let (span, outcome) = await recorder.call(name, "say \(availability.1), hide \(hiding.1)") {
            () throws(ParleyError) in try await client.setPresence(availability.0, hiding: hiding.0)
        }
        recorder.write(
            .init(.availability, of: user),
            .init(by: user, availability.1, span, Outcome(outcome) { ValueFact.value(of: $0.availability) }))
        recorder.write(
            .init(.hiding, of: user),
            .init(by: user, hiding.1, span, Outcome(outcome) { ValueFact.value(of: $0.hiding) }))
    }

    func type(_ choice: Choice) async {
        guard let conversation = choice.pick(await residents[0].writable) else { return }
        let client = residents[choice.which[1] % 2].client
        for isTyping in choice.which[2] % 2 == 0 ? [true] : [true, false] {
            _ = await recorder.call(name, "type \(isTyping) in \(conversation)") { () throws(ParleyError) in
                try await client.setTyping(isTyping, in: conversation)
            }
        }
    }

    /// Watches everybody with both devices.
    func watchEverybody() async {
        for resident in residents {
            for attempt in 1...10 {
                if await resident.watch(world.people.map(\.user)) { break }
                if attempt == 10 { recorder.trouble("\(resident.name) cannot watch anybody") }
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    /// Says something for the last time. Nothing but Updates tells it to the others.
    func sayFinally() async {
        // Otherwise whoever says nothing is away, if their devices were last in the background.
        for resident in residents { await resident.client.setActivity(isInForeground: true, conversation: nil) }
        await say((number + 1) % 3, hiding: number % 6, by: home)
    }

    /// Reads what the server keeps of what the person said.
    func readOwnPresence() async {
        do throws(ParleyError) {
            let own = try await away.getOwnPresence()
            recorder.note { [user] in
                $0.fresh[user]?.availability = ValueFact.value(of: own.availability)
                $0.fresh[user]?.hiding = ValueFact.value(of: own.hiding)
            }
        } catch {
            recorder.trouble("\(name) could not read what they say of themselves: \(error)")
        }
    }

    /// Types for a while in some conversations, one after the other.
    func typeFinally() async {
        for conversation in await residents[0].writable.prefix(3) {
            var isHeard = false
            for _ in 0..<2 {
                let (_, outcome) = await recorder.call(name, "type at last in \(conversation)") {
                    () throws(ParleyError) in try await home.setTyping(true, in: conversation)
                }
                if case .success = outcome { isHeard = true }
                try? await Task.sleep(for: .seconds(1))
            }
            if isHeard { recorder.note { $0.finalTyping.append(FinalTypingFact(user, in: conversation)) } }
        }
    }
}

extension ValueFact {
    static func value(of availability: Parley_V1_Availability) -> String {
        switch availability {
        case .automatic: no
        case .saysAway: away
        case .saysDoNotDisturb: busy
        case .unspecified, .UNRECOGNIZED: "\(availability)"
        }
    }

    static func value(of hiding: Parley_V1_Hiding) -> String {
        switch hiding {
        case .fromNobody: no
        case .fromAll: fromAll
        case .fromAllButAccepted: fromOthers
        case .unspecified, .UNRECOGNIZED: "\(hiding)"
        }
    }

    static func value(of status: Parley_V1_PresenceStatus) -> String {
        switch status {
        case .online: no
        case .away: away
        case .doNotDisturb: busy
        case .offline: offline
        case .unspecified, .UNRECOGNIZED: "\(status)"
        }
    }
}
