import Foundation
import Torture

// A round: devices act, and faults happen to them and to the cluster.
extension SoakRun {
    /// Lets all devices act for a while. Each goes on by itself, and ends what it has begun.
    func act(for duration: Duration) async throws {
        let end = ContinuousClock.now + duration
        await withTaskGroup(of: Void.self) { group in
            for device in devices {
                group.addTask {
                    while .now < end, !Task.isCancelled, self.record.findings.isEmpty { await self.step(device) }
                }
            }
            group.addTask { await self.breakCluster(until: end) }
        }
        try Task.checkCancellation()
    }

    // MARK: The cluster

    private func breakCluster(until end: ContinuousClock.Instant) async {
        // A generator for each round, from the figures, which differ.
        var random = SeededRandom(seed: configuration.seed, part: "cluster \(record.figures.gatewayKills)")
        while .now < end, !Task.isCancelled {
            let wait = min(.milliseconds(random.number(3000...9000)), end - .now)
            try? await Task.sleep(for: wait)
            guard .now < end else { return }
            switch random.below(4) {
            case 0, 1:
                record.note { $0.figures.gatewayKills += 1 }
                await kill("gateway-\(random.number(1...2))")
            case 2:
                record.note { $0.figures.restarts += 1 }
                await kill(
                    random.pick(["messaging-1", "conversations-1", "entities-1", "presence-1"]) ?? "messaging-1")
            default:
                let name = random.pick(["messaging-1", "conversations-1"]) ?? "messaging-1"
                record.note { $0.figures.restarts += 1 }
                record.log("\(name) is stopped")
                try? await cluster.stop(name)
                try? await Task.sleep(for: .milliseconds(random.number(100...2000)))
                try? await cluster.start(name)
                record.log("\(name) is started")
            }
        }
    }

    // MARK: A device

    private func step(_ device: SoakDevice) async {
        if !(await device.isRunning) { await restart(device) }
        guard await isSignedIn(device) else {
            try? await Task.sleep(for: .milliseconds(500))
            return
        }
        switch await device.draw({ $0.below(1000) }) {
        case ..<700: await actSome(device, 1)
        case ..<770: await killInAction(device)
        case ..<800:
            await device.kill()
            record.note { $0.figures.kills += 1 }
            await restart(device)
        case ..<840: await cutOff(device)
        case ..<870: await freeze(device)
        case ..<890: await roam(device)
        case ..<930: await goToBackground(device)
        case ..<960: await storm(device)
        case ..<970: await signOutAndIn(device)
        case ..<976: await signOutByAnother(device)
        default:
            // Of most devices the person stays.
            guard device.number >= switcher else { return await actSome(device, 2) }
            await signOutAndIn(device)
        }
    }

    /// Starts the app, perhaps without a network and with a wrong clock, and lets it work so.
    private func restart(_ device: SoakDevice) async {
        let isAway = await device.draw { $0.chance(300) }
        // The server takes ids of the last 30 days and of the next one.
        let skew = await device.draw { $0.pick([0, 0, 0, -40 * 86_400, -3600, 3600, 3 * 86_400]) } ?? 0
        if isAway { await cut(device, true) }
        await device.start(skew: skew)
        await reconcile(device)
        guard isAway else { return }
        await actSome(device, await device.draw { $0.number(1...5) })
        await cut(device, false)
    }

    private func cut(_ device: SoakDevice, _ isCut: Bool) async {
        await device.note(isCut ? "its link is cut" : "its link is back")
        if isCut { record.note { $0.figures.cuts += 1 } }
        try? await device.link.cut(isCut).get()
    }

    private func cutOff(_ device: SoakDevice) async {
        await cut(device, true)
        await actSome(device, await device.draw { $0.number(1...6) })
        await cut(device, false)
        if await device.draw({ $0.chance(500) }) { _ = await device.tell(.init(.networkChanged)) }
    }

    /// The link is dead for a while: bytes vanish, and nobody is told.
    private func freeze(_ device: SoakDevice) async {
        record.note { $0.figures.freezes += 1 }
        await device.note("its link is dead")
        try? await device.link.vanish(true).get()
        await actSome(device, await device.draw { $0.number(2...8) })
        try? await Task.sleep(for: .milliseconds(await device.draw { $0.number(0...4000) }))
        try? await device.link.vanish(false).get()
        await device.note("new connections live")
        if await device.draw({ $0.chance(300) }) { _ = await device.tell(.init(.networkChanged)) }
    }

    /// Connects through another gateway, as a load balancer may say.
    private func roam(_ device: SoakDevice) async {
        guard let gateway = await device.draw({ $0.pick(self.gateways) }) else { return }
        await device.note("is moved to \(gateway)")
        try? await device.link.setUpstream(gateway).get()
    }

    private func goToBackground(_ device: SoakDevice) async {
        record.note { $0.figures.suspensions += 1 }
        _ = await device.tell(.init(.suspend))
        await actSome(device, await device.draw { $0.number(0...2) })
        try? await Task.sleep(for: .milliseconds(await device.draw { $0.number(0...4000) }))
        if await device.draw({ $0.chance(150) }) {
            await device.kill()
            record.note { $0.figures.kills += 1 }
            return await restart(device)
        }
        _ = await device.tell(.init(.resume))
    }

    /// Background, foreground and networks at once. The last word is the foreground.
    private func storm(_ device: SoakDevice) async {
        record.note { $0.figures.suspensions += 1 }
        for _ in 0..<(await device.draw { $0.number(1...6) }) {
            let calls: [DeviceCommand.Action] = [.suspend, .resume, .networkChanged]
            let action = await device.draw { $0.pick(calls) } ?? .suspend
            _ = await device.send(.init(action))
            if await device.draw({ $0.chance(300) }) {
                try? await Task.sleep(for: .milliseconds(await device.draw { $0.number(0...20) }))
            }
        }
        _ = await device.tell(.init(.resume))
        if await device.draw({ $0.chance(500) }) { _ = await device.tell(.init(.networkChanged)) }
    }

    /// Kills the app while it does something.
    private func killInAction(_ device: SoakDevice) async {
        for _ in 0..<(await device.draw { $0.number(0...2) }) { await actSome(device, 1, pauses: false) }
        record.note { $0.figures.actions += 1 }
        _ = await device.send(await command(for: device))
        try? await Task.sleep(for: .microseconds(await device.draw { $0.number(0...15_000) }))
        await device.kill()
        record.note { $0.figures.kills += 1 }
        await restart(device)
    }

    // MARK: What people do

    private func actSome(_ device: SoakDevice, _ count: Int, pauses: Bool = true) async {
        for _ in 0..<count {
            record.note { $0.figures.actions += 1 }
            let answer = await device.tell(await command(for: device))
            if answer?.refused != nil { record.note { $0.figures.refusals += 1 } }
            if pauses { try? await Task.sleep(for: .milliseconds(await device.draw { $0.number(50...700) })) }
        }
    }

    private static let actions: [(DeviceCommand.Action, Int)] = [
        (.send, 240), (.reply, 60), (.edit, 80), (.delete, 30), (.react, 80), (.star, 40), (.read, 120), (.pin, 30),
        (.mute, 30), (.archive, 25), (.rename, 20), (.draft, 20), (.add, 25), (.remove, 12), (.leave, 8), (.accept, 20),
        (.decline, 8), (.remind, 30), (.complete, 20), (.forget, 15), (.decide, 20), (.event, 15), (.answerEvent, 25),
        (.profile, 10), (.watch, 10),
    ]

    /// Draws what somebody does next.
    private func command(for device: SoakDevice) async -> DeviceCommand {
        let users = residents.map(\.user)
        let unstable = record.promises.unstable.first
        var command = await device.draw { random -> DeviceCommand in
            var number = random.below(Self.actions.map(\.1).reduce(0, +))
            let action = Self.actions.first { entry in
                number -= entry.1
                return number < 0
            }
            var command = DeviceCommand(action?.0 ?? .send)
            (command.pick, command.isForced) = (random.next(), random.chance(500))
            if [.add, .remove, .leave].contains(command.action) {
                (command.chat, command.users) = (unstable, random.pick(users).map { [$0] } ?? [])
            }
            if command.action == .watch { command.users = users }
            return command
        }
        // What is written is told apart by its first word.
        let name = "\(device.number).\(record.figures.actions)"
        command.text =
            switch command.action {
            case .send, .reply: "m\(name) says person \(await device.person?.username ?? "")"
            case .remind, .decide, .event: "e\(name)"
            default: "at \(name)"
            }
        return command
    }
}
