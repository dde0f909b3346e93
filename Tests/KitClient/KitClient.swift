import Foundation
import ParleyKit

/// An app that writes as fast as it can, until it is killed: numbers in one conversation, edits and reactions of what
/// it wrote. Each line of its output is something that an intent returned for.
///
///     kit-client SERVER FOLDER CONVERSATION FIRST
@main
@MainActor
struct KitClient {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, var number = Int(arguments[4]) else {
            throw Refusal(.invalid, "Usage: kit-client SERVER FOLDER CONVERSATION FIRST")
        }
        let parley = await Parley.open(
            arguments[1], options: Parley.Options(folder: URL(fileURLWithPath: arguments[2])))
        let chat = parley.conversation(ConversationID(rawValue: arguments[3]))
        while true {
            let message = try await chat.send("\(number)")
            say("sent \(number)")
            if number % 3 == 0 {
                try await chat.edit(message, to: "\(number) edited")
                say("edited \(number)")
            }
            if number % 5 == 0 {
                try await chat.react("👍", to: message)
                say("reacted \(number)")
            }
            number += 1
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...4)))
        }
    }

    /// Writes a line at once: what was said before a kill was said.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
