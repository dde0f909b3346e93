import ArgumentParser
import ParleyClient

struct SeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Makes sample people and what they have said.",
        discussion: """
            Alice, Bob and Charlie, two direct chats, a group, mentions. Running it again changes nothing. Their \
            password is made at first and kept in FOLDER/sample-password; PARLEY_PASSWORD or --password-file sets \
            another.

            Example:
              parley seed --url ws://127.0.0.1:8080
            """)

    @Option(help: ArgumentHelp("Where their password and sign-ins are kept: that of parley up.", valueName: "folder"))
    var folder = ".parley"
    @OptionGroup var password: PasswordOptions
    @OptionGroup var server: ServerOptions
    @Flag(help: "Print one JSON object, for programs.") var json = false

    func run() async throws {
        let given = try password.given()
        let people = try await SamplePeople(
            url: server.resolvedURL, link: server.trust.link, folder: folder, password: given
        ).signIn { Output.note($0) }
        let result = try await SampleData.write(by: people)
        for person in people { await person.client.close() }
        if json { return Output.json(result) }
        if result.newMessages + result.newConversations == 0 {
            Output.line("The sample people and their \(result.messages) messages are there already.")
        } else {
            Output.line(
                "Made \(result.newConversations) conversations with \(result.newMessages) messages."
            )
        }
        let word = try given == nil ? "password \(SamplePeople.password(in: folder))" : "the password you gave"
        Output.line("To be one of them: \(ParleyCommand.invocation) login alice --profile alice, \(word)")
    }
}
