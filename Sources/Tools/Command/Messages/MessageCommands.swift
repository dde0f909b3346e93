import ArgumentParser
import ParleyClient

/// One message, named by its conversation and its number in it.
struct MessageArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp("A username, a group's name, or a conversation's id.", valueName: "person or conversation"))
    var conversation: String
    @Argument(help: ArgumentHelp("The message's number, from history --numbers.", valueName: "seq")) var seq: Int64

    func validate() throws {
        guard seq > 0 else { throw ValidationError("The message's number must be at least 1.") }
    }
}

/// Several messages of one conversation.
struct MessagesArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp("A username, a group's name, or a conversation's id.", valueName: "person or conversation"))
    var conversation: String
    @Argument(help: ArgumentHelp("The messages' numbers, from history --numbers.", valueName: "seq")) var seqs: [Int64]

    func validate() throws {
        guard !seqs.isEmpty, seqs.allSatisfy({ $0 > 0 }) else {
            throw ValidationError("Give the messages' numbers. Each must be at least 1.")
        }
        guard seqs.count <= 100 else { throw ValidationError("Give at most 100 messages.") }
    }
}

struct EditCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit one of your messages.",
        discussion: """
            You can edit a message for one day by default. "parley revisions" shows a message's earlier texts.

            Example:
              parley edit alice 17 "At eight, not at seven"
            """)

    @OptionGroup var message: MessageArguments
    @Argument(help: "The new text, or \"-\" for standard input. Several words are joined with spaces.")
    var text: [String]
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard !text.isEmpty else { throw ValidationError("Give the new text.") }
    }

    func run(as me: Person) async throws {
        let text = try text == ["-"] ? SendCommand.standardInput() : text.joined(separator: " ")
        let conversation = try await me.conversation(named: message.conversation, starting: false)
        let edited = try await me.client.edit(
            message.seq, of: conversation, text: text, mentions: try await me.mentions(in: text))
        await MessageLine.print(edited, for: me, showsTitle: false, isNumbered: true, style: Style())
    }
}

struct DeleteCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete messages for everyone.",
        discussion: """
            You can delete your own messages. The owner and admins of a group can delete any message in it. To delete \
            messages for you alone, use "parley hide".

            Example:
              parley delete alice 17 18
            """)

    @OptionGroup var messages: MessagesArguments
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let conversation = try await me.conversation(named: messages.conversation, starting: false)
        for seq in messages.seqs {
            let left = try await me.client.delete(seq, of: conversation)
            if me.isJSON {
                await MessageLine.print(left, for: me, showsTitle: false, style: Style())
            } else {
                Output.line("Deleted message \(seq) for everyone.")
            }
        }
    }
}

struct ReactCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "react",
        abstract: "Add or remove a reaction to a message, or list who reacted.",
        discussion: """
            Examples:
              parley react alice 17 👍
              parley react alice 17 👍 --remove
              parley react alice 17
            """)

    @OptionGroup var message: MessageArguments
    @Argument(help: "One emoji. Without it, list who reacted.") var emoji: String?
    @Flag(help: "Remove the reaction.") var remove = false
    @OptionGroup var connection: ConnectionOptions

    struct CountsJSON: Encodable {
        var conversation: String
        var seq: Int64
        var position: Int64
        var reactions: [MessageJSON.ReactionJSON]
    }

    struct UserReactionJSON: Encodable {
        var user: String
        var username: String
        var emoji: String
        var at: String
    }

    func validate() throws {
        if remove, emoji == nil { throw ValidationError("Give the emoji to remove.") }
    }

    func run(as me: Person) async throws {
        let conversation = try await me.conversation(named: message.conversation, starting: false)
        guard let emoji else { return try await list(conversation, as: me) }
        let reply = try await me.client.react(emoji, to: message.seq, of: conversation, remove: remove)
        if me.isJSON {
            return Output.json(
                CountsJSON(
                    conversation: conversation, seq: message.seq, position: reply.position,
                    reactions: reply.counts.map(MessageJSON.ReactionJSON.init)))
        }
        let counts = reply.counts.map { "\(PlainText.shown($0.emoji)) \($0.count)" }.joined(separator: "  ")
        Output.line(counts.isEmpty ? "No reactions to message \(message.seq)." : counts)
    }

    private func list(_ conversation: String, as me: Person) async throws {
        var page = Parley_V1_ListReactionsReply()
        var count = 0
        repeat {
            page = try await me.client.reactions(to: message.seq, in: conversation, cursor: page.cursor, limit: 200)
            let names = await me.names.usernames(of: page.reactions.map(\.user))
            for reaction in page.reactions {
                let name = names[reaction.user] ?? reaction.user
                if me.isJSON {
                    Output.json(
                        UserReactionJSON(
                            user: reaction.user, username: name, emoji: reaction.emoji, at: Times.iso(reaction.atUs)))
                } else {
                    Output.line("\(PlainText.shown(reaction.emoji))  \(name)  \(Times.short(reaction.atUs))")
                }
            }
            count += page.reactions.count
        } while page.more
        if count == 0, !me.isJSON { Output.note("Nobody has reacted.") }
    }
}

struct ThreadCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "thread",
        abstract: "Show a message and all replies to it.",
        discussion: """
            To reply: parley send … --reply-to SEQ

            Example:
              parley thread "Weekend Trip" 17
            """)

    @OptionGroup var message: MessageArguments
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let conversation = try await me.conversation(named: message.conversation, starting: false)
        let around = try await me.client.history(of: conversation, .around(message.seq), limit: 3)
        // Every message of a thread has the seq of the thread's first message.
        let named = around.messages.first { $0.seq == message.seq }?.threadSeq ?? 0
        let first = named == 0 ? message.seq : named
        var page = Parley_V1_GetHistoryReply()
        var last: Int64 = 0
        repeat {
            page = try await me.client.thread(first, of: conversation, after: last, limit: 200)
            for message in page.messages {
                await MessageLine.print(message, for: me, showsTitle: false, isNumbered: true, style: Style())
            }
            last = page.messages.last?.seq ?? last
        } while page.moreAfter && !page.messages.isEmpty
    }
}

struct ForwardCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "forward",
        abstract: "Forward a message to another conversation.",
        discussion: """
            The copy names the original author.

            Example:
              parley forward alice 17 "Weekend Trip"
            """)

    @OptionGroup var message: MessageArguments
    @Argument(help: ArgumentHelp("The recipient of the copy.", valueName: "person or conversation")) var to: String
    @Option(help: ArgumentHelp("The copy's id, so that a repeated command sends it once.", valueName: "32 hex digits"))
    var id: String?
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        if let id, UUIDv7(id) == nil {
            throw ValidationError("--id must be a UUIDv7 of 32 hexadecimal digits.")
        }
    }

    func run(as me: Person) async throws {
        let source = try await me.conversation(named: message.conversation, starting: false)
        let target = try await me.conversation(named: to, starting: true)
        let id = if let given = id.flatMap({ UUIDv7($0) }) { given } else { await me.client.newID() }
        let reply = try await me.client.forward(message.seq, of: source, to: target, id: id)
        if me.isJSON {
            return Output.json(
                SendCommand.SentJSON(
                    conversation: target, id: id.description, seq: reply.seq, sentAt: Times.iso(reply.sentAtUs),
                    sentAtUs: reply.sentAtUs, duplicate: reply.duplicate))
        }
        Output.line("Forwarded to \(PlainText.shown(await me.names.title(target))) (message \(reply.seq))")
    }
}

struct RevisionsCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "revisions",
        abstract: "Show the earlier texts of an edited message.",
        discussion: """
            Shows the oldest first.

            Example:
              parley revisions alice 17
            """)

    @OptionGroup var message: MessageArguments
    @OptionGroup var connection: ConnectionOptions

    struct RevisionJSON: Encodable {
        var seq: Int64
        var text: String
        var until: String
        var untilUs: Int64
    }

    func run(as me: Person) async throws {
        let conversation = try await me.conversation(named: message.conversation, starting: false)
        let revisions = try await me.client.revisions(of: message.seq, in: conversation)
        for revision in revisions {
            if me.isJSON {
                Output.json(
                    RevisionJSON(
                        seq: message.seq, text: revision.text, until: Times.iso(revision.untilUs),
                        untilUs: revision.untilUs))
            } else {
                Output.line("until \(Times.short(revision.untilUs)): \(PlainText.shown(revision.text))")
            }
        }
        if revisions.isEmpty, !me.isJSON { Output.note("The message was never edited.") }
    }
}

extension Person {
    /// Returns the ids of the users that a text names with @. The server ignores users who are not in the conversation.
    func mentions(in text: String) async throws -> [String] {
        var users: [String] = []
        for name in Self.mentioned(in: text).prefix(100) {
            do throws(ParleyError) {
                let user = try await client.findUser(name)
                if user.id != self.user { users.append(user.id) }
            } catch {
                // A word that begins with @ need not be a username.
                guard error.hasCode(.userNotFound, .invalid) else { throw error }
            }
        }
        return users
    }

    /// Returns the words after @, each once: "bob" and "alice" for "@bob, and @alice!", none for "dana@example.org".
    static func mentioned(in text: String) -> [String] {
        var names: [String] = []
        let words = text.split(whereSeparator: { $0.isWhitespace || "()[]{}<>\"'/".contains($0) })
        for word in words where word.hasPrefix("@") {
            let name = word.dropFirst().prefix { $0.isLetter || $0.isNumber || "._-".contains($0) }
            let bare = String(name.reversed().drop { "._-".contains($0) }.reversed())
            if !bare.isEmpty, !names.contains(bare) { names.append(bare) }
        }
        return names
    }
}
