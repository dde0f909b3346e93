import Foundation
import Testing

@testable import ParleyKit

/// More examples of comments: what people say of themselves, search and files.
@MainActor
@Suite("Examples of the comments, online", .timeLimit(.minutes(1)))
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
