import Foundation
import ParleyClient
import Testing

@testable import ParleyKit

/// Everything that an app can call works on a double: nothing is refused because there is no server, and what it did is
/// shown.
@MainActor
@Suite("The double, all of the API", .timeLimit(.minutes(2)))
struct DoubleAPITests {
    static let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
    static let bob = User(id: UserID(rawValue: "bob"), username: "bob", displayName: "Bob")
    static let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")

    /// What the calls are about.
    @MainActor
    final class Scene {
        let double: ParleyDouble
        var parley: Parley { double.parley }
        let chat: Conversation
        let group: Conversation
        let folder: Folder
        var event: EventID

        init() async throws {
            double = await ParleyDouble(as: me)
            chat = await double.addConversation(with: ada)
            group = await double.addGroup("Crew", members: [ada, bob])
            folder = try Folder()
            event = await double.addEvent("Dinner", on: "2027-01-01", at: "19:00", by: ada.id)
        }

        func settled(_ what: String, _ isSo: () -> Bool) async throws {
            try await eventually("it is sent") { parley.unsent.isEmpty }
            try await eventually(what, isSo)
        }
    }

    /// A function of the API, by its type, name and labels, and what it does on the double.
    struct Call {
        let signature: String
        let body: @MainActor (Scene) async throws -> Void

        init(_ signature: String, _ body: @escaping @MainActor (Scene) async throws -> Void) {
            (self.signature, self.body) = (signature, body)
        }
    }

    /// What a double is not for, and why; and what has tests of its own on the double.
    private let leftOut = [
        "Parley.open(_:options:)": "it opens a server", "OwnerProof.password(_:)": "a value",
        "OwnerProof.token(_:nonce:)": "a value", "Message.encode(to:)": "a value",
        "MessageID.encode(to:)": "a value", "EntityID.encode(to:)": "a value",
        "StoredParley.open(_:)": "StoredParleyTests", "StoredParley.inbox(limit:)": "StoredParleyTests",
        "StoredParley.conversation(_:)": "StoredParleyTests", "StoredParley.reminders()": "StoredParleyTests",
        "StoredParley.messages(in:limit:)": "StoredParleyTests", "StoredParley.events()": "StoredParleyTests",
        "Composer.add(_:)": "LiveObjectTests", "Composer.remove(_:)": "LiveObjectTests",
        "Composer.send(_:naming:)": "LiveObjectTests", "Parley.compose(to:)": "LiveObjectTests",
        "Parley.card(of:)": "LiveObjectTests",
        "PushToken.apns(_:app:isDevelopment:)": "a value", "PushToken.fcm(_:project:)": "a value",
        "MessageThread.load()": "LiveObjectTests", "Parley.eraseAccount(password:)": "eraseAccount(owner:) does it",
        "Parley.signIn(_:)": "a test of its own, since somebody approves it",
        "NotificationContent.open(_:)": "a value", ".open(_:with:)": "a value, on Apple's systems",
        ".registerForPush(token:key:language:)": "on Apple's systems; registerForPush(token:language:) does it",
    ]

    @Test("S9 each function of the API works on the double")
    func all() async throws {
        let scene = try await Scene()
        let calls = Self.messages + Self.conversations + Self.people + Self.entities + Self.account
        for call in calls {
            do {
                try await call.body(scene)
            } catch {
                Issue.record("\(call.signature): \(error)")
            }
        }
        #expect(scene.parley.conversations.audit().isEmpty)
        let covered = Set(calls.map(\.signature)).union(leftOut.keys)
        let functions = try Self.functions()
        #expect(functions.count > 80 && functions == covered, "\(functions.symmetricDifference(covered).sorted())")
    }

    @Test("S9 a large group, a revoked sign-in and a double in which nobody is signed in")
    func screens() async throws {
        let many = (0..<500).map { User(id: UserID(rawValue: "u\($0)"), username: "u\($0)", displayName: "\($0)") }
        var double = await ParleyDouble(as: Self.me)
        let crowd = await double.addGroup("Crowd", members: many)
        #expect(crowd.memberCount == 501 && crowd.members.count == 16)
        let message = await double.receive("Hi", from: many[400].id, in: crowd.id)
        try await eventually("the author has a name") { message.sender.flatMap(crowd.user)?.displayName == "400" }
        await double.endSignIn()
        if case .ended(let why) = double.parley.accountState {
            #expect(why.code == .revoked)
        } else {
            Issue.record("\(double.parley.accountState)")
        }

        double = await ParleyDouble.signedOut()
        double.addAccount(Self.ada, password: "right")
        #expect(double.parley.accountState == .signedOut && double.parley.connection == .online)
        try await double.parley.signIn(username: "ada", password: "right")
        #expect(double.parley.user == Self.ada.id && double.parley.accountState == .signedIn)
    }

    @Test("S9 another device signs this one in, a forgotten password is replaced, and a guest gets a name")
    func codes() async throws {
        let double = await ParleyDouble.signedOut()
        let link = try await double.parley.beginDeviceLink(deviceName: "Kitchen")
        async let signingIn: Void = double.parley.signIn(link)
        double.approve(link, as: Self.ada)
        try await signingIn
        #expect(double.parley.user == Self.ada.id)

        try await double.parley.requestPasswordReset(email: "ada@example.org")
        let code = try #require(double.mailedCode)
        try await double.parley.resetPassword(email: "ada@example.org", code: code, newPassword: "a new one")
        await #expect(throws: Refusal.self) {
            try await double.parley.resetPassword(email: "ada@example.org", code: code, newPassword: "another one")
        }
        try await double.parley.signOut()
        try await eventually("it is connected") { double.parley.connection == .online }
        try await double.parley.signIn(username: "ada", password: "a new one")
        try await double.parley.signOut()
        try await eventually("it is connected") { double.parley.connection == .online }

        try await double.parley.continueAsGuest()
        #expect(double.parley.profile?.isGuest == true && double.parley.profile?.user.displayName == "Guest 4711")
        await #expect(throws: Refusal.self) {
            try await double.parley.upgrade(username: "ada", password: "pass word")
        }
        try await double.parley.upgrade(username: "zoe", password: "pass word")
        #expect(double.parley.profile?.isGuest == false && double.parley.profile?.user.displayName == "zoe")
    }

    /// Returns the public functions of the SDK, as their type, name and labels.
    static func functions() throws -> Set<String> {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/Clients/ParleyKit")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var found: Set<String> = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift", !file.path.contains("/Double/"),
                !file.lastPathComponent.hasPrefix("Credential")
            else { continue }
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(of: /public (?:static )?func (\w+)\(/) {
                let before = source[..<match.range.lowerBound]
                let type = before.matches(of: /(?m)^(?:public )?(?:final )?(?:extension|class|struct|actor) (\w+)/).last
                let list = labels(of: source[match.range.upperBound...])
                found.insert("\(type?.1 ?? "").\(match.1)(\(list))")
            }
        }
        return found
    }

    /// Returns the labels of a list of parameters, from its first one to what closes it.
    private static func labels(of text: Substring) -> String {
        var (depth, starts, labels) = (0, true, "")
        for (index, character) in zip(text.indices, text) {
            if starts, !character.isWhitespace {
                if character == ")" { return labels }
                labels += text[index...].prefix { $0 != " " && $0 != ":" } + ":"
                starts = false
            }
            switch character {
            case "(", "[": depth += 1
            case ")" where depth == 0: return labels
            case ")", "]": depth -= 1
            case "," where depth == 0: starts = true
            default: break
            }
        }
        return labels
    }
}
