import ArgumentParser
import Foundation
import ParleyClient

struct DecisionJSON: Encodable {
    var id: String
    var user: String
    var text: String
    var conversation: String
    var createdAt: String
    var createdAtUs: Int64
    var shared: Bool
    var supersedes: String
    var supersededBy: String

    init(_ decision: Parley_V1_Decision) {
        (id, user, text) = (decision.id.hexDigits, decision.user, decision.text)
        (conversation, shared) = (decision.conversation, decision.shared)
        (createdAt, createdAtUs) = (Times.iso(decision.createdAtUs), decision.createdAtUs)
        (supersedes, supersededBy) = (decision.supersedes.hexDigits, decision.supersededBy.hexDigits)
    }
}

struct DecideCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "decide",
        abstract: "Record a decision: for yourself, or shared with a conversation.",
        discussion: """
            With --in it is shared: it appears in the conversation, and its members may read it.

            Examples:
              parley decide "Italian restaurant on Friday" --in "Weekend Trip"
              parley decide "No coffee after four"
            """)

    @Argument(help: "What was decided. Several words are joined with spaces.") var text: [String]
    @Option(
        name: .customLong("in"), help: ArgumentHelp("Share it with this person or group.", valueName: "conversation"))
    var conversation: String?
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard !text.isEmpty else { throw ValidationError("Give the text of the decision.") }
    }

    func run(as me: Person) async throws {
        var request = Parley_V1_CreateDecisionRequest()
        request.text = text.joined(separator: " ")
        if let conversation {
            request.conversation = try await me.conversation(named: conversation, starting: false)
            request.shared = true
        }
        let decision = try await me.client.createDecision(request).decision
        if me.isJSON { return Output.json(DecisionJSON(decision)) }
        Output.line("\(conversation == nil ? "Recorded" : "Shared"): \(PlainText.shown(decision.text))")
    }
}

struct DecisionsCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "decisions",
        abstract: "List your decisions, or those shared with a conversation, newest first.",
        discussion: """
            Examples:
              parley decisions --in "Weekend Trip"
              parley decisions --find restaurant
            """)

    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("Those shared with this person or group.", valueName: "conversation"))
    var conversation: String?
    @Option(help: ArgumentHelp("Only those that contain TEXT.", valueName: "text")) var find: String?
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let talk = if let conversation { try await me.conversation(named: conversation, starting: false) } else { "" }
        var cursor = ""
        var count = 0
        repeat {
            let page = try await me.client.listDecisions(
                conversation: talk, shared: !talk.isEmpty, text: find ?? "", cursor: cursor, limit: 100)
            for decision in page.decisions {
                if me.isJSON {
                    Output.json(DecisionJSON(decision))
                } else {
                    let mark = decision.supersededBy.isEmpty ? "" : "(replaced)  "
                    Output.line("\(Times.minute(decision.createdAtUs))  \(mark)\(PlainText.shown(decision.text))")
                }
            }
            count += page.decisions.count
            cursor = page.cursor
        } while !cursor.isEmpty
        if count == 0, !me.isJSON {
            Output.note("No decisions. Record one: \(ParleyCommand.invocation) decide TEXT")
        }
    }
}
