import Foundation
import Torture

// A quiet point: everything works again, and all devices show the same.
extension SoakRun {
    /// Ends all faults, waits until everything is sent, and compares.
    /// - Returns: false if something was found.
    func isQuietPointRight(_ number: Int) async throws -> Bool {
        guard record.findings.isEmpty else { return false }
        try Task.checkCancellation()
        record.log("quiet point \(number) begins")
        do {
            try await cluster.waitUntilReady(within: .seconds(120))
        } catch {
            record.found("the cluster does not get ready: \(error)")
            return false
        }
        for device in devices {
            try? await device.link.cut(false).get()
            try? await device.link.vanish(false).get()
            if !(await device.isRunning) { await device.start() }
            _ = await device.tell(.init(.resume))
            await reconcile(device)
        }
        guard await isEverybodyOnline(), await isEverythingSent(), await isProbeThere(number) else { return false }
        return try await isEverythingEqual()
    }

    private func isEverybodyOnline() async -> Bool {
        for device in devices {
            let late = await waits(for: "\(device.name) is online") {
                guard await self.isSignedIn(device), let state = await device.tell(.init(.state))?.state else {
                    return ["nobody is signed in"]
                }
                return state.connection == "online" && state.account == "signedIn" ? [] : ["\(state)"]
            }
            if !late.isEmpty { await found(device, "does not get online: \(late)") }
            await device.expectsSignOut(false)
        }
        return record.findings.isEmpty
    }

    private func isEverythingSent() async -> Bool {
        for device in devices {
            let late = await waits(for: "\(device.name) has sent everything") {
                _ = await device.tell(.init(.drop))
                guard let state = await device.tell(.init(.state))?.state, state.waiting + state.failed > 0 else {
                    return []
                }
                return ["\(state.waiting) wait, \(state.failed) were refused"]
            }
            guard !late.isEmpty else { continue }
            let unsent = await device.tell(.init(.unsent))?.dropped ?? []
            await found(device, "does not send: \(late)\n  \(unsent.map { "\($0.what): \($0.code)" })")
        }
        return record.findings.isEmpty
    }

    /// Everybody writes once, and every device shows it: none says that it is online and is dead.
    private func isProbeThere(_ number: Int) async -> Bool {
        for person in residents {
            guard let device = await firstDevice(of: person) else { continue }
            var probe = DeviceCommand(.send)
            // The first conversation of the inbox: the last one that somebody wrote in, or one that is pinned.
            (probe.text, probe.pick) = ("probe\(number).\(device.number)", 0)
            _ = await device.tell(probe)
        }
        return await isEverythingSent()
    }

    private func firstDevice(of person: SoakPerson) async -> SoakDevice? {
        for device in devices where await device.person?.user == person.user { return device }
        return nil
    }

    // MARK: Comparing

    private func isEverythingEqual() async throws -> Bool {
        var users: [String] = []
        for device in devices { if let user = await device.person?.user, !users.contains(user) { users.append(user) } }
        let signedIn = people.filter { users.contains($0.user) }
        var fresh: [(person: SoakPerson, device: SoakDevice)] = []
        for person in signedIn {
            let device = try await makeDevice()
            await device.start()
            guard await device.signIn(person, attempts: 100) else {
                await found(device, "is new and cannot sign in as \(person.username)")
                return false
            }
            fresh.append((person, device))
        }
        let screens = Screens()
        let different = await waits(for: "all devices show the same") {
            await self.different(fresh, screens, there: Set(users))
        }
        for line in different.prefix(200) { record.log("DIFFERENT \(line)") }
        if !different.isEmpty { await describe(different) }
        let shown = await screens.byUser
        for line in record.promises.broken(shown).prefix(50) { record.found(line) }
        for (user, screen) in shown {
            for line in SoakJudge.faults(screen, unstable: record.promises.unstable).prefix(20) {
                record.found("a fresh device of \(user): \(line)")
            }
        }
        record.note { $0.promises.settle(shown) }
        for (person, device) in fresh { await leave(device, person) }
        for device in devices {
            for person in await device.formerPeople where await device.person?.user != person.user {
                let isOnlyNames = await device.person != nil
                await lookForLeftovers(device, person, isOnlyNames: isOnlyNames)
            }
        }
        return record.findings.isEmpty
    }

    /// What fresh devices show, and what all devices showed last.
    private actor Screens {
        private(set) var byUser: [String: Screen] = [:]
        private var last: [Int: (digest: Int, screen: Screen)] = [:]

        func digest(_ device: Int) -> Int? { last[device]?.digest }

        /// Takes an answer to `screen`.
        /// - Returns: what the device shows.
        func take(_ answer: DeviceAnswer, of device: Int) -> Screen? {
            if let screen = answer.screen, let digest = answer.digest { last[device] = (digest, screen) }
            return last[device]?.screen
        }

        func show(_ screen: Screen, of user: String) { byUser[user] = screen }
    }

    private func screen(of device: SoakDevice, _ screens: Screens) async -> (screen: Screen?, problem: String) {
        var command = DeviceCommand(.screen)
        command.known = await screens.digest(device.number)
        guard let answer = await device.tell(command) else { return (nil, "it does not answer") }
        if let refused = answer.refused { return (nil, "it cannot read: \(refused.code), \(refused.message)") }
        guard let state = answer.state, state.connection == "online" else { return (nil, "it is not online") }
        return (await screens.take(answer, of: device.number), "it shows nothing")
    }

    /// Returns all that is different, by device.
    private func different(
        _ fresh: [(person: SoakPerson, device: SoakDevice)], _ screens: Screens, there users: Set<String>
    ) async -> [String] {
        var lines: [String] = []
        for (person, device) in fresh {
            let (screen, problem) = await screen(of: device, screens)
            guard let screen else {
                lines.append("a fresh device of \(person.username): \(problem)")
                continue
            }
            await screens.show(screen, of: person.user)
        }
        let shown = await screens.byUser
        lines += SoakJudge.disagreements(shown, unstable: record.promises.unstable)
        for device in devices {
            guard let person = await device.person, let wanted = shown[person.user] else { continue }
            let (screen, problem) = await screen(of: device, screens)
            record.note { $0.figures.comparisons += 1 }
            guard let screen else {
                lines.append("\(device.name) (\(person.username)): \(problem)")
                continue
            }
            // Strangers do not see who is there.
            let residents = Set(residents.map(\.user))
            let there = residents.contains(person.user) ? users.intersection(residents) : []
            let own =
                SoakJudge.differences(screen, fresh: wanted, unstable: record.promises.unstable)
                + SoakJudge.faults(screen, unstable: record.promises.unstable)
                + SoakJudge.wronglyOffline(screen, there: there)
            lines += own.map { "\(device.name) (\(person.username)): \($0)" }
        }
        return lines
    }

    /// Notes what is different, with what was done to the devices.
    private func describe(_ different: [String]) async {
        let shown = different.prefix(60).joined(separator: "\n    ")
        record.found("\(different.count) differences that stay:\n    \(shown)")
        for device in devices where different.contains(where: { $0.hasPrefix("\(device.name) ") }) {
            await found(device, "shows something else than a fresh device")
        }
    }

    /// A fresh device signs out, and nothing is left in its folder.
    private func leave(_ device: SoakDevice, _ person: SoakPerson) async {
        var command = DeviceCommand(.signOut)
        command.isForced = true
        let answer = await device.tell(command)
        if let refused = answer?.refused { await found(device, "cannot sign out: \(refused.code)") }
        await lookForLeftovers(device, person, isOnlyNames: false)
        await device.end()
        device.link.close()
        if record.findings.isEmpty { try? FileManager.default.removeItem(atPath: device.folder) }
    }
}
