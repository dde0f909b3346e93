import ChatModels
import Foundation
import ParleyKit
import Testing

let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")
let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
let bob = User(id: UserID(rawValue: "bob"), username: "bob", displayName: "Bob")

/// English, in Zurich, whatever the machine is set to.
let words: Words = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "Europe/Zurich") ?? .gmt
    calendar.locale = Locale(identifier: "en_GB")
    return Words(locale: Locale(identifier: "en_GB"), calendar: calendar)
}()

/// Waits until something is so.
@MainActor
func until(_ what: String, _ isSo: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while !isSo() {
        try #require(.now < end, "\(what): not within 20 s")
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// A folder for a test's files, which goes with it.
final class Folder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("chat-models-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String, bytes: Int = 1000) throws -> URL {
        let file = url.appendingPathComponent(name)
        try Data(repeating: 7, count: bytes).write(to: file)
        return file
    }
}
