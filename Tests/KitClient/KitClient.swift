import Foundation
import ParleyKit

/// An app that writes as fast as it can, until it is killed: numbers in one conversation, edits and reactions of what
/// it wrote. Each line of its output is something that an intent returned for.
///
///     kit-client SERVER FOLDER CONVERSATION FIRST
///
/// With a file it sends that once, says how much of it the server has, and ends when it is sent. It kills itself once
/// the server has so many percent.
///
///     kit-client SERVER FOLDER CONVERSATION FIRST FILE PERCENT
///
/// It also plays the SDK for `parley-lab conformance`, with an app's store in a file:
///
///     kit-client conformance
///
/// And it is a device of `parley-lab soak` (KitDevice.swift):
///
///     kit-client device
@main
@MainActor
struct KitClient {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments == [arguments[0], "conformance"] { return try await KitConformance.run() }
        if arguments == [arguments[0], "device"] { return try await KitDevice.run() }
        guard [5, 7].contains(arguments.count), var number = Int(arguments[4]) else {
            throw Refusal(.invalid, "Usage: kit-client SERVER FOLDER CONVERSATION FIRST [FILE PERCENT]")
        }
        let parley = await Parley.open(
            arguments[1], options: Parley.Options(folder: URL(fileURLWithPath: arguments[2])))
        let chat = parley.conversation(ConversationID(rawValue: arguments[3]))
        if arguments.count == 7 {
            return try await send(arguments[5], number, chat, parley, killedAt: Double(arguments[6]) ?? 100)
        }
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

    private static func send(
        _ path: String, _ number: Int, _ chat: Conversation, _ parley: Parley, killedAt percent: Double
    ) async throws {
        if parley.unsent.isEmpty {
            try await chat.send("\(number)", file: FileToSend(URL(fileURLWithPath: path)))
            say("sent \(number)")
        }
        var last: Double?
        while !parley.unsent.isEmpty {
            let progress = chat.messages.last { $0.seq == nil }?.progress
            if let progress, progress != last, progress > 0 {
                say("progress \(Int(progress * 100))")
                if progress * 100 >= percent, progress < 1 { kill(getpid(), SIGKILL) }
            }
            last = progress
            try await Task.sleep(for: .milliseconds(1))
        }
        say("done")
        await parley.close()
    }

    /// Writes a line at once: what was said before a kill was said.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
