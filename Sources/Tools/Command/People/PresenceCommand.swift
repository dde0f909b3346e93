import ArgumentParser
import ParleyClient

struct PresenceCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "presence",
        abstract: "Show who is online.",
        discussion: """
            People with whom you share no conversation appear offline, and so do people who hide from you, or from \
            whom you hide.

            Examples:
              parley presence alice bob
              parley presence alice bob --watch
            """)

    @Argument(help: ArgumentHelp("Usernames.", valueName: "user")) var users: [String]
    @Flag(help: "Also show changes as they happen. Ctrl-C ends it.") var watch = false
    @OptionGroup var connection: ConnectionOptions

    struct PresenceJSON: Encodable {
        var user: String
        var username: String
        var status: String
        var lastSeenAt: String?
        var text: String?
        var textEndsAt: String?
        var conversation: String?
    }

    func validate() throws {
        guard users.count <= 200 else { throw ValidationError("At most 200 people.") }
    }

    func run(as me: Person) async throws {
        var people: [Parley_V1_User] = []
        for name in users { people.append(try await me.user(named: name)) }
        let usernames = Dictionary(people.map { ($0.id, $0.username) }) { first, _ in first }
        let updates = await me.client.updates
        let states =
            watch
            ? try await me.client.watchPresence(people.map(\.id)) : try await me.client.getPresence(people.map(\.id))
        var shown: [String: Parley_V1_PresenceState] = [:]
        for state in states {
            shown[state.user] = state
            await Self.show(state, usernames[state.user] ?? "", me)
        }
        guard watch else { return }
        for await update in updates {
            // After reconnecting, the client says everything again.
            guard case .presenceState(let state)? = try? update.content(), let username = usernames[state.user],
                shown.updateValue(state, forKey: state.user) != state
            else { continue }
            await Self.show(state, username, me)
        }
    }

    private static func show(_ state: Parley_V1_PresenceState, _ username: String, _ me: Person) async {
        let status =
            switch state.status {
            case .online: "online"
            case .away: "away"
            case .doNotDisturb: "do not disturb"
            default: "offline"
            }
        let seen = state.lastSeenUs > 0 ? state.lastSeenUs : nil
        let text = state.statusText.isEmpty ? nil : state.statusText
        let conversation = state.currentConversation.isEmpty ? nil : state.currentConversation
        guard !me.isJSON else {
            return Output.json(
                PresenceJSON(
                    user: state.user, username: username, status: status, lastSeenAt: seen.map(Times.iso), text: text,
                    textEndsAt: state.statusEndsUs > 0 ? Times.iso(state.statusEndsUs) : nil,
                    conversation: conversation))
        }
        let style = Style()
        var line = "\(PlainText.padded(username, 20)) "
        switch state.status {
        case .online: line += style.green("● online")
        case .away, .doNotDisturb: line += style.yellow("● \(status)")
        default: line += style.dim("○ \(status)")
        }
        if let seen { line += ", seen \(Times.ago(seen))" }
        if let text { line += "  \(PlainText.shown(text))" }
        if let conversation { line += style.dim("  in \(PlainText.shown(await me.names.title(conversation)))") }
        Output.line(line)
    }
}
