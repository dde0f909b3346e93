import Foundation
import Testing

@testable import ParleyKit

/// More examples of comments: what people say of themselves, search and files.
@MainActor
@Suite("Examples of the comments, online", .timeLimit(.minutes(4)))
struct MoreExampleTests {
    private let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")
    private let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")

    @Test("whether somebody is online")
    func presence() async throws {
        let double = await ParleyDouble(as: me)
        let (parley, ada) = (double.parley, ada)
        double.set(.online, of: ada.id)
        // snippet
        let isReachable = parley.presence[ada.id]?.status == .online
        // end
        #expect(isReachable)
    }

    @Test("search, and what it found")
    func search() async throws {
        let double = await ParleyDouble(as: me)
        let parley = double.parley
        let chat = await double.addConversation(with: ada)
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        await double.receive("A large pizza", from: ada.id, in: chat.id)
        // snippet
        let search = parley.search("pizza")
        for found in search.found { show(found.message.text) }
        // end
        while search.isSearching { try await Task.sleep(for: .milliseconds(1)) }
        let found = try #require(search.found.first)
        // snippet
        let words = found.matches.map { String(found.message.text[$0]) }
        // end
        #expect(words == ["pizza"])
    }

    @Test("a file is sent")
    func file() async throws {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        let picture = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).png")
        try Data([0x89, 0x50, 0x4e, 0x47]).write(to: picture)
        defer { try? FileManager.default.removeItem(at: picture) }
        // snippet
        try await chat.send("From yesterday", file: FileToSend(picture))
        // end
        do {
            // snippet
            let message = try await chat.send("From yesterday", file: FileToSend(picture))
            // end
            #expect(message.text == "From yesterday")
        }
    }

    @Test("what the server says of messages and groups")
    func details() async throws {
        let double = await ParleyDouble(as: me)
        let (chat, group) = (await double.addConversation(with: ada), await double.addGroup("Crew", members: [ada]))
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        let message = await double.receive("Hi", from: me.id, in: chat.id)
        await double.read(chat.id, by: ada.id)
        await double.react("👍", to: message, by: ada.id)
        // snippet
        for reader in try await chat.readers(of: message) where reader.readAt != nil {
            show("\(chat.user(reader.user)?.displayName ?? "") has read it")
        }
        // end
        // snippet
        for reaction in try await chat.reactions(to: message) { show("\(reaction.emoji) by \(reaction.user)") }
        // end
        // snippet
        for earlier in try await chat.earlierTexts(of: message) { show("\(earlier.text), until \(earlier.until)") }
        // end
        // snippet
        for invitation in try await group.invitations() { show("\(invitation.user.displayName) is invited") }
        // end
        #expect(shown == ["Ada has read it", "👍 by ada"])
    }

    @Test("what the server says of me")
    func overview() async throws {
        let double = await ParleyDouble(as: me)
        let parley = double.parley
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        await double.addEvent("Dinner", on: "2026-12-01", at: "19:00", by: ada.id)
        try await parley.report(ada.id, for: .spam)
        // snippet
        for date in try await parley.agenda(from: "2026-12-01", to: "2026-12-31") {
            show("\(date.startsAt.formatted()): \(date.title)")
        }
        // end
        #expect(shown.last?.hasSuffix(": Dinner") ?? false)
        // snippet
        let usage = try await parley.usage()
        show("\(usage.fileBytes / 1_000_000) of \(usage.fileBytesMax / 1_000_000) MB")
        // end
        // snippet
        for report in try await parley.reports() { show("\(report.user), \(report.at.formatted())") }
        // end
        #expect(shown.last?.hasPrefix("ada, ") ?? false)
        try await parley.setSuggestions(isOff: true)
        // snippet
        let settings = try await parley.suggestionSettings()
        if settings.isOff { show("Nothing is suggested.") }
        // end
        #expect(shown.last == "Nothing is suggested.")
    }
}

/// Examples of what only a server can answer: they are compiled here, and end-to-end tests do the same.
@MainActor
private func compiled(_ parley: Parley, _ chat: Conversation) async throws {
    func show(_ text: String) {}
    func showSignIn(_ why: String = "") {}
    func showProgress() {}
    func showChats() {}
    // snippet
    switch parley.accountState {
    case .signedOut: showSignIn()
    case .ended(let why): showSignIn(why.message)
    case .signingIn: showProgress()
    case .signedIn: showChats()
    }
    // end
    // snippet
    try await parley.setStatus("at the dentist", until: .now + 3600)
    if let text = parley.ownPresence?.statusText { show(text) }
    // end
    // snippet
    try await parley.setAvailability(.doNotDisturb)
    // end
    // snippet
    try await parley.setHiding(.fromAllButAccepted)
    // end
    // snippet
    let reading = try await parley.modelReading(of: chat.id)
    if reading.isOn { show("A language model reads this conversation.") }
    // end
    guard let event = parley.events.first else { return }
    // snippet
    let coming = try await parley.attendees(of: event.id).filter { $0.answer == .accepted }
    for attendee in coming { show("\(attendee.id), with \(attendee.guests) more") }
    // end
}
