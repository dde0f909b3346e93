import Foundation
import Testing

@testable import Schema

@Suite("Parley and Python's protobuf are compatible")
struct ConformanceTests {
    @Test("A message from Python comes back equal")
    func pythonToSwift() throws {
        func answer<Message: Sampled>(_ type: Message.Type, _ folder: URL) throws {
            let sent = split(try Data(contentsOf: folder.appending(path: "python/\(Message.messageName)")))
            let answers = try sent.map { try Message.decode($0).encode() }
            try join(answers).write(to: folder.appending(path: "answer/\(Message.messageName)"))
        }
        try withTemporaryFolder { folder in
            try conformance("make", folder, "7", "60")
            try makeFolder(folder, "answer")
            for type in everyMessage { try answer(type, folder) }
            try conformance("compare", folder)
        }
    }

    @Test("A message from Swift comes back equal")
    func swiftToPython() throws {
        func send<Message: Sampled>(_ type: Message.Type, _ folder: URL) throws {
            let messages = samples(Message.self)
            try join(messages.map { $0.encode() }).write(to: folder.appending(path: "swift/\(Message.messageName)"))
        }
        func compare<Message: Sampled>(_ type: Message.Type, _ folder: URL) throws {
            let repeated = split(try Data(contentsOf: folder.appending(path: "repeated/\(Message.messageName)")))
            #expect(try repeated.map { try Message.decode($0) } == samples(Message.self))
        }
        try withTemporaryFolder { folder in
            try makeFolder(folder, "swift")
            for type in everyMessage { try send(type, folder) }
            try conformance("repeat", folder)
            for type in everyMessage { try compare(type, folder) }
        }
    }

    private func samples<Message: Sampled>(_ type: Message.Type) -> [Message] {
        var sampler = Sampler(seed: 3)
        return (0..<60).map { _ in Message.sample(&sampler) }
    }

    private func conformance(_ command: String, _ folder: URL, _ more: String...) throws {
        let script = root.appending(path: "proto/conformance").path
        let (output, status) = try run("/usr/bin/python3", [script, command, folder.path] + more)
        try #require(status == 0, "\(output)")
    }

    private func makeFolder(_ folder: URL, _ name: String) throws {
        try FileManager.default.createDirectory(
            at: folder.appending(path: name), withIntermediateDirectories: true)
    }

    /// Joins messages as in a file: [length, 4 bytes big-endian][message] …
    private func join(_ messages: [[UInt8]]) -> Data {
        var data = Data()
        for message in messages {
            withUnsafeBytes(of: UInt32(message.count).bigEndian) { data.append(contentsOf: $0) }
            data.append(contentsOf: message)
        }
        return data
    }

    private func split(_ data: Data) -> [[UInt8]] {
        var rest = [UInt8](data)[...]
        var messages: [[UInt8]] = []
        while !rest.isEmpty {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            messages.append(Array(rest.dropFirst(4).prefix(length)))
            rest = rest.dropFirst(4 + length)
        }
        return messages
    }
}
