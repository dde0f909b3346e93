import ArgumentParser
import Postgres
import Reactor

struct OwnerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "owner",
        abstract: "Make a member the owner of a group whose owner cannot lead it.",
        discussion: """
            The owner before becomes a member. The conversations service does it when it runs. A group whose owner is \
            suspended without end gets another owner by itself: the admin, else the member, who is in it longest.

            Example:
              parley admin owner 0197f2c17a307d438c5e0d8f1a2b3c4d dana --reason "the founder left the club"
            """)

    @Argument(help: "The id of the group.") var group: String
    @OptionGroup var operated: OperatedOptions
    @OptionGroup var database: OperatorOptions

    func run() async throws {
        let (group, operated) = (group, operated)
        let why = "group \(group): \(operated.reason)"
        try await OperatorAction.onDatabase(database) { connection in
            let account = try await OperatorAction.account(operated.user, connection)
            let found = try await connection.first(
                OperatorStore.nameOwner, .text(group), .int64(account), .text(why), .text(OperatorAction.who))
            guard found ?? false else {
                throw Failure(.notFound, "There is no group \(group), or \(operated.user) is no member of it.")
            }
        }
        if database.json {
            return Output.json([
                "conversation": group, "user": operated.user, "action": OperatorAction.nameOwner.name,
            ])
        }
        Output.line("\(PlainText.shown(operated.user)) becomes the owner of \(PlainText.shown(group)).")
    }
}
