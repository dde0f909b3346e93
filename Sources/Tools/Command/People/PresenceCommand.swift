import ArgumentParser
import ParleyClient

struct PresenceCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "presence",
        abstract: "Show who is online.",
        discussion: """
            People with whom you share no conversation appear offline.

            Example:
              parley presence alice bob
            """)

    @Argument(help: ArgumentHelp("Usernames.", valueName: "user")) var users: [String]
    @OptionGroup var connection: ConnectionOptions

    struct PresenceJSON: Encodable {
        var user: String
        var username: String
        var status: String
        var lastSeenAt: String?
    }

    func run(as me: Person) async throws {
        var people: [Parley_V1_User] = []
        for name in users { people.append(try await me.user(named: name)) }
        let states = try await me.client.getPresence(people.map(\.id))
        let style = Style()
        for (person, state) in zip(people, states) {
            let status =
                switch state.status {
                case .online: "online"
                case .away: "away"
                default: "offline"
                }
            let seen = state.lastSeenUs > 0 ? state.lastSeenUs : nil
            if me.isJSON {
                Output.json(
                    PresenceJSON(
                        user: person.id, username: person.username, status: status, lastSeenAt: seen.map(Times.iso)))
            } else {
                let mark = state.status == .online ? style.green("● online") : style.dim("○ \(status)")
                Output.line(
                    "\(PlainText.padded(person.username, 20)) \(mark)\(seen.map { ", seen \(Times.ago($0))" } ?? "")")
            }
        }
    }
}
