// The figures of a run, for people.
extension TortureRun {
    func figures(_ scene: Scene, _ facts: Facts, _ audit: Audit) async -> [(name: String, value: String)] {
        let checked = audit.checked
        let reliably = scene.recorder.reliablySent
        var figures: [(name: String, value: String)] = [
            ("seed", "\(configuration.seed)"),
            ("people, permanent devices", "\(configuration.clients), \(2 * configuration.clients)"),
            ("actions", "\(scene.recorder.actions)"),
            (
                "messages acknowledged, refused, unknown",
                "\(checked.acknowledged), \(checked.refused), \(checked.unknown)"
            ),
            ("messages compared, once for each member", "\(checked.messagesOfReaders)"),
            ("histories read, conversations created", "\(checked.histories), \(facts.conversations.count)"),
            ("delivered messages found in histories", "\(checked.announced)"),
            ("positions compared", "\(checked.readings)"),
            ("reminders, devices signed out", "\(checked.reminders), \(checked.devices)"),
            (
                "decisions, events, answers to events; found in conversations",
                "\(checked.decisions), \(checked.events), \(checked.answers); "
                    + checked.cards.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            ),
            (
                "edits, deletions, reactions, stars, pins, mutes, blocks, own presence",
                "\(checked.writes) requests; certain at the end: "
                    + ValueFact.Kind.allCases.map { "\($0) \(checked.values[$0, default: 0])" }.joined(separator: ", ")
            ),
            (
                "read marks, accepted requests, downloads",
                "\(checked.readMarks), \(checked.acceptedRequests), \(checked.downloads)"
            ),
            (
                "people shown who are there, who look offline; typing heard, awaited at the end",
                "\(checked.presence), \(checked.closed); \(checked.typing), \(checked.heardTyping)"
            ),
            (
                "pushes that came, that had to; messages to people in the app",
                "\(checked.pushes), \(checked.awaitedPushes); \(checked.inFront)"
            ),
            ("members added, removed, left; system messages", "\(facts.memberships.count); \(checked.notes)"),
            (
                "refusals",
                scene.recorder.refusals.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(
                    separator: ", ")
            ),
            (
                "messages sent until accepted; longest time for one",
                "\(reliably.count); \(seconds(reliably.longest))"
            ),
            ("longest time a person was without service", seconds(scene.recorder.longestOutage)),
            ("recoveries of a person", "\(scene.recorder.recoveries)"),
        ]
        if configuration.isElsewhere {
            figures.append(("conversations read anew by a device", "\(scene.recorder.startsOver)"))
        }
        if let own = scene.own {
            let kinds = facts.faults.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            figures.append(("faults", "\(facts.faults.values.reduce(0, +)): \(kinds)"))
            figures.append(
                (
                    "Updates forwarded, dropped",
                    "\(await own.injector.forwarded), \(await own.injector.dropped)"
                ))
        }
        for process in facts.processes where process.residentKiBMax > 0 {
            let ended = process.kills == .max ? "" : ", killed \(process.kills) times"
            figures.append((process.name, "at most \(process.residentKiBMax / 1024) MiB\(ended)"))
        }
        for line in scene.own?.skipped ?? [] { figures.append(("skipped", line)) }
        return figures
    }

    private func seconds(_ microseconds: Int64) -> String { "\(Double(microseconds / 10_000) / 100) s" }
}
