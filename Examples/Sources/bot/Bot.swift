// snippet
import Foundation
import ParleyKit

/// Answers everybody who writes to it, also what it missed while it did not run.
///
///     swift run bot ws://127.0.0.1:8080 echo-bot "its password" .bot
@main
@MainActor
struct Bot {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 4 else { return print("Usage: bot SERVER USERNAME PASSWORD FOLDER") }
        let parley = await Parley.open(arguments[0], options: .init(folder: URL(fileURLWithPath: arguments[3])))
        if parley.user == nil { try await parley.register(username: arguments[1], password: arguments[2]) }
        let changes = parley.changes
        FileHandle.standardOutput.write(Data("Ready.\n".utf8))
        for chat in parley.inbox.conversations + parley.requests.conversations { try await answer(chat, parley) }
        for await change in changes { try await answer(parley.conversation(change.conversation), parley) }
    }

    private static func answer(_ chat: Conversation, _ parley: Parley) async throws {
        if case .received = chat.request { try await chat.accept() }
        guard chat.section == .inbox else { return }
        await chat.load()
        for message in chat.messages where message.seq ?? 0 > chat.readUpTo && message.kind == .text {
            if message.sender != parley.user { try await chat.send("You said: \(message.text)", replyingTo: message) }
            try await chat.markRead(upTo: message)
        }
    }
}
// end
