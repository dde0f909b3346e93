import ArgumentParser
import ParleyClient

struct SeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Create sample people and their messages.",
        discussion: """
            Creates Alice, Bob and Charlie, two direct chats, and a group with mentions. Repeating it changes nothing. \
            Their password is generated the first time and kept in FOLDER/sample-password. PARLEY_PASSWORD or \
            --password-file sets another.

            Example:
              parley seed --url ws://127.0.0.1:8080
            """)

    @Option(help: ArgumentHelp("The folder of their password and sign-ins, as for \"parley up\".", valueName: "folder"))
    var folder = ".parley"
    @OptionGroup var password: PasswordOptions
    @OptionGroup var server: ServerOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let given = try password.given()
        let people = try await SamplePeople(
            url: server.resolvedURL, link: server.trust.link, folder: folder, password: given
        ).signIn { Output.note($0) }
        let result = try await SampleData.write(by: people)
        for person in people { await person.client.close() }
        if json { return Output.json(result) }
        if result.newMessages + result.newConversations == 0 {
            Output.line("The sample people and their \(result.messages) messages already exist.")
        } else {
            Output.line(
                "Created \(result.newConversations) conversations with \(result.newMessages) messages."
            )
        }
        let secret = try given == nil ? "password \(SamplePeople.password(in: folder))" : "the password you gave"
        Output.line("To sign in as one of them: \(ParleyCommand.invocation) login alice --profile alice, \(secret)")
    }
}
