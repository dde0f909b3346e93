import ChatModels
import Foundation
import ParleyKit
import Testing

@MainActor
@Suite("The screens before a conversation", .timeLimit(.minutes(1)))
struct InboxScreenTests {
    @Test("who registers chooses a name, who signs in does not; a sign-in that was ended says why")
    func app() async throws {
        let double = await ParleyDouble.signedOut()
        double.addAccount(ada, password: "right")
        let app = AppModel(double.parley)
        #expect(app.screen == .signIn && !app.signIn.canSubmit)
        (app.signIn.username, app.signIn.password) = ("ada", "wrong")
        await app.signIn.signIn()
        #expect(app.signIn.problem == "Username and password do not belong together.")
        await app.signIn.register()
        #expect(app.signIn.problem == "Somebody else has this username.")
        (app.signIn.username, app.signIn.password) = ("zoe", "pass word")
        #expect(!app.signIn.asksForCode)
        double.refusal = Refusal(.registrationCodeRefused, "Ask whoever runs this server for a code.")
        await app.signIn.register()
        #expect(app.signIn.asksForCode && app.screen == .signIn)
        app.signIn.code = "welcome"
        await app.signIn.register()
        #expect(app.screen == .setUp && app.signIn.problem == nil)

        let setUp = app.profile(isFirst: true)
        #expect(setUp.displayName == "zoe" && setUp.username == "zoe" && setUp.canSave)
        setUp.photo = "http://pictures.example.com/zoe.png"
        #expect(!setUp.isPhotoValid && !setUp.canSave)
        setUp.photo = "https://pictures.example.com/zoe.png"
        setUp.displayName = " Zoe "
        await setUp.save()
        #expect(app.screen == .chats && setUp.problem == nil)
        #expect(double.parley.profile?.user.displayName == "Zoe")

        await double.endSignIn()
        try await until("it is ended") { app.screen == .signIn }
        #expect(app.signIn.ended != nil)
        try await until("it is connected") { double.parley.connection == .online }
        (app.signIn.username, app.signIn.password) = ("ada", "right")
        await app.signIn.signIn()
        #expect(app.screen == .chats && app.signIn.ended == nil)
    }

    @Test("the inbox says of each conversation what it is about, and a swipe changes that")
    func swipes() async throws {
        let double = await ParleyDouble(as: me)
        let inbox = InboxModel(double.parley, words: words)
        #expect(inbox.isEmpty)
        let group = await double.addGroup("Sea Crew", members: [ada, bob])
        let chat = await double.addConversation(with: ada)
        await double.receive("Hi @me", from: bob.id, in: group.id, mentions: [me.id])
        await double.receive(.renamed("Crew", by: ada.id), in: chat.id)
        double.set(.online, of: ada.id)
        await inbox.watch()
        #expect(inbox.rows.map(\.title) == ["Ada", "Sea Crew"])
        #expect(inbox.rows.map(\.preview) == ["Ada named the group “Crew”", "Bob: Hi @me"])
        #expect(inbox.rows.map(\.isOnline) == [true, false] && inbox.rows.map(\.initials) == ["A", "SC"])
        #expect(inbox.rows[1].isMentioned && inbox.rows[1].label.contains("1 unread, mentions you"))
        await double.set(typing: true, by: ada.id, in: chat.id)
        #expect(inbox.rows[0].preview == "Ada is typing …")

        await inbox.pin(inbox.rows[1])
        #expect(inbox.rows.map(\.title) == ["Sea Crew", "Ada"] && inbox.rows[0].isPinned)
        await inbox.mute(inbox.rows[0])
        #expect(inbox.rows[0].isMuted)
        try await until("it is muted") { double.parley.unsent.isEmpty }
        await inbox.mute(inbox.rows[0])
        #expect(!inbox.rows[0].isMuted)
        await inbox.toggleRead(inbox.rows[0])
        #expect(!inbox.rows[0].isUnread)
        await inbox.toggleRead(inbox.rows[0])
        #expect(inbox.rows[0].isUnread)
        await inbox.archive(inbox.rows[1])
        #expect(inbox.rows.map(\.title) == ["Sea Crew"])
        await inbox.loadMoreArchived()
        #expect(inbox.archived.map(\.title) == ["Ada"])
        await inbox.archive(inbox.archived[0])
        #expect(inbox.archived.isEmpty && inbox.rows.count == 2 && inbox.problem == nil)
    }

    @Test("requests are counted until they are seen; accepting opens the conversation, declining removes it")
    func requests() async throws {
        let double = await ParleyDouble(as: me)
        let inbox = InboxModel(double.parley, words: words)
        await double.addRequest(from: ada)
        await double.addInvitation(into: "Club", from: bob)
        #expect(inbox.requestsTitle == "2 requests, 2 new" && inbox.unseenRequests == 2)
        #expect(Set(inbox.requests.map(\.preview)) == ["Wants to write to you", "Invites you into this group"])
        await inbox.sawRequests()
        #expect(inbox.requestsTitle == "2 requests" && inbox.unseenRequests == 0 && inbox.problem == nil)
        let row = try #require(inbox.requests.first { $0.title == "Ada" })
        await inbox.accept(row)
        #expect(inbox.opened == row.id)
        try await until("it is in the inbox") { inbox.rows.map(\.title) == ["Ada"] }
        await inbox.decline(inbox.requests[0])
        try await until("it is gone") { inbox.requests.isEmpty }
    }

    @Test("the search field finds people and messages, and says if only the device was searched")
    func search() async throws {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        await double.receive("A pizza for Adam", from: ada.id, in: chat.id)
        let search = InboxModel(double.parley, words: words).search
        #expect(!search.isActive && search.hits.isEmpty)
        search.text = "ada"
        await search.search(after: .zero)
        #expect(search.people == [ada] && search.hits.map(\.text) == ["A pizza for Adam"])
        #expect(search.hits.map(\.title) == ["Ada"] && search.notice == nil)
        search.text = "nobody has this"
        await search.search(after: .zero)
        #expect(search.people.isEmpty && search.notice == "Nothing was found.")
        double.set(.offline(since: .now))
        search.text = "pizza"
        await search.search(after: .zero)
        #expect(search.hits.count == 1 && search.problem == nil)
        #expect(search.notice == "Offline: only this device was searched.")
        search.text = ""
        await search.search(after: .zero)
        #expect(search.hits.isEmpty && search.notice == nil)
    }

    @Test("a new message finds people as one types, shows the conversation with exactly these, or begins one")
    func newMessage() async throws {
        let double = await ParleyDouble(as: me)
        double.addAccount(bob)
        let chat = await double.addConversation(with: ada)
        await double.receive("Hello!", from: ada.id, in: chat.id)
        let inbox = InboxModel(double.parley, words: words)
        let new = inbox.newMessage()
        #expect(new.offered == [ada] && new.title == "New message" && !new.canSend)
        new.add(ada)
        #expect(new.title == "Ada" && new.preview.compactMap(\.bubble?.text) == ["Hello!"] && new.offered.isEmpty)
        new.search = "bo"
        await new.find(after: .zero)
        #expect(new.offered == [bob])
        new.add(bob)
        try await until("it has looked") { !new.composer.isLooking }
        #expect(new.isNewGroup && new.title == "A new group with Ada and Bob" && new.search.isEmpty)
        (new.text, new.groupName) = ("Who comes?", "Dinner")
        await new.send()
        #expect(new.text.isEmpty && new.problem == nil)
        let opened = try #require(inbox.opened)
        #expect(inbox.chat(opened).title == "Dinner" && inbox.chat(opened).bubbles.map(\.text) == ["Who comes?"])
        new.search = "nobody"
        await new.find(after: .zero)
        #expect(new.notice == "Nobody was found.")
    }
}
