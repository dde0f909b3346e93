import ArgumentParser
import Foundation
import ParleyClient

struct MessageStateJSON: Encodable {
    var conversation: String
    var seq: Int64
    var starred: Bool
    var hidden: Bool

    init(_ states: Parley_V1_MessageState) {
        (conversation, seq) = (states.conversation, states.seq)
        (starred, hidden) = (states.starred, states.hidden)
    }
}

extension PersonCommand {
    /// Prints the new states of messages.
    func show(_ states: [Parley_V1_MessageState], as me: Person, _ words: (Int64) -> String) {
        for one in states {
            if me.isJSON { Output.json(MessageStateJSON(one)) } else { Output.line(words(one.seq)) }
        }
    }
}

struct HideCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "hide",
        abstract: "Delete messages for you alone.",
        discussion: """
            Deletes them permanently, on all your devices. To delete messages for everyone, use "parley delete".

            Example:
              parley hide alice 17 18
            """)

    @OptionGroup var messages: MessagesArguments
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let conversation = try await me.conversation(named: messages.conversation, starting: false)
        let states = try await me.client.hide(messages.seqs, of: conversation)
        show(states, as: me) { "Deleted message \($0) for you." }
    }
}

struct StarCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "star",
        abstract: "Star messages, for you alone.",
        discussion: """
            Example:
              parley star alice 17
              parley starred
            """)

    @OptionGroup var messages: MessagesArguments
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let conversation = try await me.conversation(named: messages.conversation, starting: false)
        let states = try await me.client.star(messages.seqs, of: conversation)
        show(states, as: me) { "Starred message \($0)." }
    }
}

struct UnstarCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "unstar",
        abstract: "Remove stars from messages.",
        discussion: """
            Example:
              parley unstar alice 17
            """)

    @OptionGroup var messages: MessagesArguments
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let conversation = try await me.conversation(named: messages.conversation, starting: false)
        let states = try await me.client.star(messages.seqs, of: conversation, starred: false)
        show(states, as: me) { "Removed the star from message \($0)." }
    }
}

struct StarredCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "starred",
        abstract: "List the messages you starred, newest first.",
        discussion: """
            Example:
              parley starred --limit 10
            """)

    @Option(help: ArgumentHelp("Show at most this many messages.", valueName: "count")) var limit = 50
    @OptionGroup var connection: ConnectionOptions

    func validate() throws { try MentionsAndStars.check(limit) }

    func run(as me: Person) async throws {
        try await MentionsAndStars.show(.starred, limit: limit, as: me, nothing: "No starred messages.")
    }
}

struct MentionsCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "mentions",
        abstract: "List the messages that mention you, newest first.",
        discussion: """
            Examples:
              parley mentions
              parley mentions --stars
            """)

    @Flag(help: "Include the messages you starred.") var stars = false
    @Option(help: ArgumentHelp("Show at most this many messages.", valueName: "count")) var limit = 50
    @OptionGroup var connection: ConnectionOptions

    func validate() throws { try MentionsAndStars.check(limit) }

    func run(as me: Person) async throws {
        try await MentionsAndStars.show(
            stars ? .mentionsAndStars : .mentions, limit: limit, as: me, nothing: "Nobody mentions you.")
    }
}

private enum MentionsAndStars {
    static func check(_ limit: Int) throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit must be 1 to 100000.") }
    }

    static func show(_ kind: Parley_V1_MentionsAndStarsKind, limit: Int, as me: Person, nothing: String) async throws {
        var page = Parley_V1_ListMentionsAndStarsReply()
        var left = limit
        repeat {
            page = try await me.client.mentionsAndStars(kind, cursor: page.cursor, limit: UInt32(min(left, 200)))
            for message in page.messages {
                await MessageLine.print(message, for: me, showsTitle: true, isNumbered: true, style: Style())
            }
            left -= page.messages.count
        } while page.more && left > 0
        if left == limit, !me.isJSON { Output.note(nothing) }
    }
}

struct SearchCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search messages by their words.",
        discussion: """
            A message must contain all of the words. The last one may be the beginning of a longer word.

            Examples:
              parley search holiday photos
              parley search dentist --in alice --from alice --after "2026-11-01 00:00"
            """)

    @Argument(help: "The words to search for.") var words: [String]
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("Search only this conversation.", valueName: "person or conversation"))
    var conversation: String?
    @Option(help: ArgumentHelp("Find only messages from this person.", valueName: "user")) var from: String?
    @Option(help: ArgumentHelp("Find only this kind: text, image, video, file or voice.", valueName: "kind"))
    var kind: String?
    @Option(help: ArgumentHelp("Find only messages sent at this time or later.", valueName: "time")) var after: String?
    @Option(help: ArgumentHelp("Find only messages sent before this time.", valueName: "time")) var before: String?
    @OptionGroup var zone: ZoneOption
    @Option(help: ArgumentHelp("Show at most this many messages.", valueName: "count")) var limit = 20
    @OptionGroup var connection: ConnectionOptions

    struct FoundJSON: Encodable {
        var message: MessageJSON
        var snippet: String
        /// Begin and end of each match, as byte offsets in the snippet.
        var highlights: [UInt32]
    }

    private static let kinds: [String: Parley_V1_MessageKind] = [
        "text": .text, "image": .image, "video": .video, "file": .file, "voice": .voice,
    ]

    func validate() throws {
        guard !words.isEmpty else { throw ValidationError("Give the words to search for.") }
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be 1 to 10000.") }
        if let kind, Self.kinds[kind] == nil {
            throw ValidationError("--kind must be one of text, image, video, file, voice.")
        }
        for (name, text) in [("--after", after), ("--before", before)] {
            _ = try zone.time(text, of: name)
        }
    }

    func run(as me: Person) async throws {
        var request = Parley_V1_SearchMessagesRequest()
        request.text = words.joined(separator: " ")
        if let conversation { request.conversation = try await me.conversation(named: conversation, starting: false) }
        if let from { request.sender = try await me.user(named: from).id }
        if let kind { request.kind = Self.kinds[kind] ?? .unspecified }
        request.sentAfterUs = try zone.time(after, of: "--after") ?? 0
        request.sentBeforeUs = try zone.time(before, of: "--before") ?? 0
        var left = limit
        var page = Parley_V1_SearchMessagesReply()
        repeat {
            (request.cursor, request.limit) = (page.cursor, UInt32(min(left, 200)))
            page = try await me.client.search(request)
            for found in page.found { await show(found, as: me) }
            left -= page.found.count
        } while page.more && left > 0
        if left == limit, !me.isJSON { Output.note("Nothing found.") }
    }

    private func show(_ found: Parley_V1_Found, as me: Person) async {
        let sender = await me.names.sender(of: found.message)
        let title = await me.names.title(found.message.conversation)
        if me.isJSON {
            return Output.json(
                FoundJSON(
                    message: MessageJSON(found.message, title: title, sender: sender), snippet: found.snippet,
                    highlights: found.highlights))
        }
        let style = Style()
        let head = style.dim("#\(found.message.seq) \(Times.short(found.message.sentAtUs))")
        let text = Self.highlighted(found.snippet, found.highlights, style)
        Output.line("\(head) \(style.dim("[\(PlainText.shown(title))]")) \(style.person(sender)): \(text)")
    }

    /// Returns the snippet with the matches in bold. Skips ranges that do not fit the snippet.
    static func highlighted(_ snippet: String, _ ends: [UInt32], _ style: Style) -> String {
        let bytes = Array(snippet.utf8)
        let piece = { (from: Int, to: Int) in PlainText.shown(String(decoding: bytes[from..<to], as: UTF8.self)) }
        var text = ""
        var done = 0
        for index in stride(from: 0, to: ends.count - 1, by: 2) {
            let (begin, end) = (Int(ends[index]), Int(ends[index + 1]))
            guard done <= begin, begin <= end, end <= bytes.count else { continue }
            text += piece(done, begin) + style.bold(piece(begin, end))
            done = end
        }
        return text + piece(done, bytes.count)
    }
}
