import Foundation

// Who is signed in on a device, and what is left of somebody who was.
extension SoakRun {
    /// Compares who is signed in with what is known, after a start.
    func reconcile(_ device: SoakDevice) async {
        guard let state = await device.tell(.init(.state))?.state else { return }
        let known = await device.person
        if let user = state.user, state.account == "signedIn" {
            guard user != known?.user else { return }
            await device.belongs(to: people.first { $0.user == user })
        } else if let known {
            if !(await device.mayBeSignedOut) {
                await found(device, "lost the sign-in of \(known.username): \(state.account)")
            }
            await left(device, known)
        }
    }

    /// Signs somebody in where nobody is.
    /// - Returns: whether somebody is signed in.
    func isSignedIn(_ device: SoakDevice) async -> Bool {
        // Another device may have signed it out, and an answer may have been lost.
        if await device.person != nil, !(await device.mayBeSignedOut) { return true }
        await reconcile(device)
        if await device.person != nil { return true }
        if device.number == newcomer {
            try? await register(device)
            return await device.person != nil
        }
        let resident: SoakPerson? =
            device.number == switcher
            ? await device.draw { $0.pick(Array(self.residents.prefix(2))) } : residents[device.number / 2]
        guard let resident else { return false }
        return await device.signIn(resident)
    }

    /// Signs a device out; who comes next is up to its next step. Sometimes it is killed meanwhile.
    func signOutAndIn(_ device: SoakDevice) async {
        guard let person = await device.person else { return }
        record.note { $0.figures.switches += 1 }
        await device.expectsSignOut(true)
        var command = DeviceCommand(.signOut)
        var answer = await device.tell(command)
        if answer?.refused?.code == "unsent_work", await device.draw({ $0.chance(500) }) {
            command.isForced = true
            answer = await device.tell(command)
        }
        if answer?.refused?.code == "unsent_work" { return await device.expectsSignOut(false) }
        if let refused = answer?.refused {
            await found(device, "cannot sign out: \(refused.code), \(refused.message)")
        }
        if answer?.state?.user == nil, answer != nil { await left(device, person) }
    }

    /// Another device of the same person signs it out.
    func signOutByAnother(_ device: SoakDevice) async {
        guard device.number < switcher, let person = await device.person else { return }
        let sibling = devices[device.number ^ 1]
        guard await sibling.person == person else { return }
        record.note { $0.figures.switches += 1 }
        await device.expectsSignOut(true)
        var command = DeviceCommand(.signOutOther)
        command.text = device.name
        let answer = await sibling.tell(command)
        await device.note("is signed out by \(sibling.name): \(answer?.refused?.code ?? "done")")
        // It goes on working meanwhile.
        _ = await device.tell(.init(.read))
        if answer != nil, answer?.refused == nil, answer?.isNothing == nil {
            let late = await waits(for: "\(device.name) notices that it was signed out") {
                guard let state = await device.tell(.init(.state))?.state else { return [] }
                return state.user == nil ? [] : ["\(state)"]
            }
            if !late.isEmpty { await found(device, "does not notice that it was signed out: \(late)") }
        }
        await reconcile(device)
    }

    /// A person is gone from a device.
    private func left(_ device: SoakDevice, _ person: SoakPerson) async {
        record.note { $0.promises.forgot(device: device.number) }
        await device.belongs(to: nil)
        await device.note("has nobody signed in any more")
        await lookForLeftovers(device, person, isOnlyNames: true)
    }

    func lookForLeftovers(_ device: SoakDevice, _ person: SoakPerson, isOnlyNames: Bool) async {
        // Nobody is shown as signed in a moment before the files are gone.
        let leftovers = await waits(for: "\(device.name) removes files", patience: .seconds(5)) {
            SoakFolder.leftovers(of: person.user, in: device.folder, isOnlyNames: isOnlyNames)
        }
        if !leftovers.isEmpty {
            await found(device, "keeps files of \(person.username), who signed out: \(leftovers)")
        }
    }

    /// Notes a finding, with what was done to the device.
    func found(_ device: SoakDevice, _ what: String) async {
        let history = await device.history.joined(separator: "\n    ")
        record.found("\(device.name) \(what)\n  What was done to it:\n    \(history)")
    }
}
