import ArgumentParser
import Foundation
import ParleyClient

struct SuggestionsCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggestions",
        abstract: "List what messages suggest to you; accept or dismiss it.",
        discussion: """
            Name a suggestion by its title, the beginning of its title, or its id from --json. Accepting makes an event \
            into which the conversation of the message is invited, a reminder or a decision of yours. If another member \
            made the event before, accepting answers it.

            Examples:
              parley suggestions
              parley suggestions --accept Dinner --title "Dinner at Luigi's"
              parley suggestions --dismiss "Send the docs"
              parley suggestions --off --in alice
              parley suggestions --model allow --in alice

            Where the operator has configured a language model, it reads a conversation only if that is allowed: by the \
            owner of a group, or by both people of a direct conversation. --model shows whether it reads, allows or \
            forbids it, and keeps your own messages from it or no longer.
            """)

    @Option(help: ArgumentHelp("Accept this suggestion.", valueName: "title")) var accept: String?
    @Option(help: ArgumentHelp("Dismiss this suggestion.", valueName: "title")) var dismiss: String?
    @Option(help: ArgumentHelp("Another title, with --accept.", valueName: "text")) var title: String?
    @Flag(help: "Share the decision with its conversation, with --accept.") var shared = false
    @Flag(help: "Turn suggestions off, everywhere or with --in in one conversation.") var off = false
    @Flag(help: "Turn suggestions on again.") var on = false
    @Option(help: "A model: show, allow, forbid, keep-out or let-in.") var model: ModelWord?
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("Only those of this person or group.", valueName: "conversation"))
    var conversation: String?
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard [accept != nil, dismiss != nil, off, on, model != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("Give one of --accept, --dismiss, --off, --on and --model.")
        }
        guard conversation != nil || model != .allow && model != .forbid else {
            throw ValidationError("--model \(model?.rawValue ?? "") needs --in, a person or group.")
        }
        guard accept != nil || title == nil && !shared else {
            throw ValidationError("--title and --shared belong to --accept.")
        }
    }

    func run(as me: Person) async throws {
        let talk = if let conversation { try await me.conversation(named: conversation, starting: false) } else { "" }
        if off || on {
            let settings = try await me.client.setSuggestions(off: off, in: talk)
            if me.isJSON { return Output.json(SettingsJSON(settings)) }
            return Output.line("Suggestions are \(off ? "off" : "on")\(conversation.map { " in \($0)" } ?? "").")
        }
        if let model { return try await Self.read(by: model, in: talk, me) }
        let open = try await me.suggestions(of: talk)
        if let accept {
            let id = try Self.find(accept, among: open)
            let accepted = try await me.client.acceptSuggestion(id) { [title, shared] request in
                if let title { request.title = title }
                request.shared = shared
            }
            return Self.show(accepted, me)
        }
        if let dismiss {
            let dismissed = try await me.client.dismissSuggestion(try Self.find(dismiss, among: open)).suggestion
            if me.isJSON { return Output.json(SuggestionJSON(dismissed)) }
            return Output.line("Dismissed.")
        }
        for suggestion in open {
            if me.isJSON {
                Output.json(SuggestionJSON(suggestion))
            } else {
                Output.line(
                    "\(PlainText.padded(suggestion.kindName, 9)) \(PlainText.padded(suggestion.time, 17)) "
                        + PlainText.shown(suggestion.title) + (suggestion.entity.isEmpty ? "" : "  (made by another)"))
            }
        }
        if open.isEmpty, !me.isJSON { Output.note("No suggestions. Messages such as \"Dinner Friday 7pm\" make one.") }
    }

    private static func find(_ name: String, among open: [Parley_V1_Suggestion]) throws -> UUIDv7 {
        let wanted = name.lowercased()
        let found =
            open.first { $0.id.hexDigits == wanted || $0.title.lowercased() == wanted }
            ?? open.first { $0.title.lowercased().hasPrefix(wanted) }
        guard let found, let id = UUIDv7(bytes: found.id) else {
            throw Failure(
                .notFound, "There is no open suggestion \"\(name)\".",
                advice: "\"\(ParleyCommand.invocation) suggestions\" lists them.")
        }
        return id
    }

    private static func show(_ accepted: Parley_V1_AcceptSuggestionReply, _ me: Person) {
        if me.isJSON { return Output.json(SuggestionJSON(accepted.suggestion)) }
        switch accepted.suggestion.kind {
        case .event:
            let event = accepted.event
            let word = event.creator == event.own.user ? "Event" : "Answered \(event.own.status.word)"
            Output.line("\(word): \(PlainText.shown(event.title)), \(event.coming) coming")
        case .reminder:
            let reminder = accepted.reminder
            Output.line("Reminder at \(Times.minute(reminder.dueAtUs)): \(PlainText.shown(reminder.title))")
        default: Output.line("Decision: \(PlainText.shown(accepted.decision.text))")
        }
    }

    private static func read(by model: ModelWord, in talk: String, _ me: Person) async throws {
        let reading =
            switch model {
            case .show: try await me.client.modelReading(of: talk)
            case .allow, .forbid: try await me.client.setModelReading(of: talk, allowed: model == .allow)
            case .keepOut, .letIn: try await me.client.setModelReading(of: talk, keptOut: model == .keepOut)
            }
        if me.isJSON { return Output.json(ModelJSON(reading)) }
        if !talk.isEmpty {
            let why =
                !reading.available
                ? "this server has none" : reading.allowed ? "others have not allowed it" : "it is not allowed"
            Output.line(reading.on ? "A model reads this conversation." : "No model reads this conversation: \(why).")
        }
        let isOut = reading.keptOut || reading.keptOutEverywhere
        Output.line("Your own messages are \(isOut ? "kept from it" : "not kept from it").")
    }

    private struct ModelJSON: Encodable {
        var available: Bool
        var on: Bool
        var allowed: Bool
        var keptOut: Bool
        var keptOutEverywhere: Bool

        init(_ reading: Parley_V1_ModelReading) {
            (available, on, allowed) = (reading.available, reading.on, reading.allowed)
            (keptOut, keptOutEverywhere) = (reading.keptOut, reading.keptOutEverywhere)
        }
    }

    private struct SettingsJSON: Encodable {
        var off: Bool
        var conversations: [String]

        init(_ settings: Parley_V1_SuggestionSettings) {
            (off, conversations) = (settings.off, settings.conversations)
        }
    }

    private struct SuggestionJSON: Encodable {
        var id: String
        var kind: String
        var state: String
        var title: String
        var time: String
        var conversation: String
        var seq: Int64
        var entity: String
        var expiresAt: String

        init(_ suggestion: Parley_V1_Suggestion) {
            (id, kind, title) = (suggestion.id.hexDigits, suggestion.kindName, suggestion.title)
            (time, conversation, seq) = (suggestion.time, suggestion.conversation, suggestion.sourceSeq)
            (entity, expiresAt) = (suggestion.entity.hexDigits, Times.iso(suggestion.expiresAtUs))
            switch suggestion.state {
            case .open: state = "open"
            case .accepted: state = "accepted"
            case .dismissed: state = "dismissed"
            default: state = "withdrawn"
            }
        }
    }
}

/// What to do about reading by a model.
enum ModelWord: String, ExpressibleByArgument {
    case show, allow, forbid
    case keepOut = "keep-out"
    case letIn = "let-in"
}

extension Person {
    /// Returns my open suggestions, the newest first.
    fileprivate func suggestions(of conversation: String) async throws -> [Parley_V1_Suggestion] {
        var (found, cursor) = ([Parley_V1_Suggestion](), "")
        repeat {
            let page = try await client.listSuggestions(conversation: conversation, cursor: cursor, limit: 200)
            found += page.suggestions
            cursor = page.cursor
        } while !cursor.isEmpty
        return found
    }
}

extension Parley_V1_Suggestion {
    fileprivate var kindName: String {
        switch kind {
        case .event: "event"
        case .reminder: "reminder"
        default: "decision"
        }
    }

    /// When it takes place or is due, on the wall; empty for a decision.
    fileprivate var time: String {
        switch kind {
        case .event: when.time.isEmpty ? when.date : "\(when.date) \(when.time)"
        case .reminder: String(dueLocal.prefix(16)).replacingOccurrences(of: "T", with: " ")
        default: ""
        }
    }
}
