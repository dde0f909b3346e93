import ChatModels
import Foundation
import ParleyKit
import Testing

@MainActor
@Suite("Settings and profile", .timeLimit(.minutes(1)))
struct SettingsTests {
    @Test("a name is kept without a connection, a status is not; availability and hiding are what I chose last")
    func profile() async throws {
        let double = await ParleyDouble(as: me)
        let profile = ProfileModel(double.parley)
        profile.status = "at sea"
        await profile.save()
        #expect(double.parley.ownPresence?.statusText == "at sea" && profile.problem == nil)
        await profile.set(.doNotDisturb)
        await profile.set(.fromAll)
        #expect(profile.availability == .doNotDisturb && profile.hiding == .fromAll)
        double.set(.offline(since: .now))
        profile.displayName = "Myself"
        await profile.save()
        #expect(profile.problem == nil && double.parley.profile?.user.displayName == "Myself")
        profile.status = ""
        await profile.save()
        #expect(profile.problem?.code == .offline)
    }

    @Test("settings list devices and whom I block; signing out asks about what is not sent")
    func settings() async throws {
        let (double, folder) = (await ParleyDouble(as: me), try Folder())
        let parley = double.parley
        let settings = SettingsModel(parley, words: words)
        await settings.load()
        #expect(settings.devices.map(\.detail) == ["This device"] && settings.isLoaded && settings.suggests)
        await settings.setSuggests(false)
        #expect(!settings.suggests)
        try await parley.block(ada)
        #expect(settings.blocked == [ada])
        try await until("it is sent") { parley.unsent.isEmpty }
        await settings.unblock(ada)
        try await until("nobody is blocked") { settings.blocked.isEmpty && parley.unsent.isEmpty }

        double.set(.offline(since: .now))
        #expect(settings.isOffline && settings.exportTitle == "Export everything")
        let chat = ChatModel(await double.addConversation(with: ada), in: parley)
        chat.draft = "Hi"
        await chat.send()
        await settings.signOut()
        #expect(settings.asksToDiscard && settings.unsent == "1 change" && parley.user == me.id)
        await settings.export(into: folder.url)
        #expect(settings.problem?.code == .offline && settings.exportedFile == nil && settings.exported == nil)
        double.set(.online)
        await settings.export(into: folder.url)
        let copy = try Data(contentsOf: try #require(settings.exportedFile))
        #expect(try JSONSerialization.jsonObject(with: copy) is [String: Any] && settings.exported == nil)
        try await until("it is sent") { parley.unsent.isEmpty }
        await settings.signOut()
        #expect(parley.user == nil && !settings.asksToDiscard)
    }
}
