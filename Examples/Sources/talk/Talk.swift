import ChatModels
import Foundation
import Observation
import ParleyKit

/// Talks with one person on the terminal. It shows what an app's view models show, and sends each line that is typed.
///
///     swift run talk ws://127.0.0.1:8080 dana "her password" echo-bot
@main
@MainActor
struct Talk {
    private static var printed: [MessageID: Bubble] = [:]

    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 4 else { return print("Usage: talk SERVER USERNAME PASSWORD PERSON") }
        let parley = await Parley.open(arguments[0], options: .inMemory)
        let signIn = SignInModel(parley)
        (signIn.username, signIn.password) = (arguments[1], arguments[2])
        await signIn.signIn()
        if !signIn.isSignedIn { await signIn.register() }
        guard signIn.isSignedIn else { return print(signIn.problem ?? "") }

        let inbox = InboxModel(parley)
        let chat = try await inbox.startChat(with: arguments[3])
        await chat.appear()
        show(chat)
        for await line in lines() {
            chat.draft = line
            await chat.send()
            if let problem = chat.problem { say(problem.message) }
        }
        // Nothing is kept here: what is not sent would be lost.
        while !parley.unsent.isEmpty { try await Task.sleep(for: .milliseconds(50)) }
        for row in inbox.rows { say("In the inbox: \(row.title): \(row.preview)") }
        await parley.close()
    }

    /// Prints what is new or has changed, now and from now on.
    private static func show(_ chat: ChatModel) {
        let bubbles = withObservationTracking {
            chat.bubbles
        } onChange: {
            Task { @MainActor in show(chat) }
        }
        for bubble in bubbles where printed.updateValue(bubble, forKey: bubble.id) != bubble {
            let reactions = bubble.reactions.map { "\($0.emoji)\($0.count) " }.joined()
            say("\(bubble.isMine ? "me" : bubble.author): \(bubble.text) \(reactions)\(bubble.mark)")
        }
    }

    /// Prints a line at once, also into a pipe.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private static func lines() -> AsyncStream<String> {
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let text = readLine() { line.yield(text) }
            line.finish()
        }
        return lines
    }
}
