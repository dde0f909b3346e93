import Foundation
import Testing

@testable import ParleyKit

/// What the double does for each function about conversations.
extension DoubleAPITests {
    static let conversations: [Call] = [
        Call("Conversation.load()") { scene async throws in
            await scene.chat.load()
            #expect(scene.chat.isLoaded)
        },
        Call("Conversation.loadOlder(_:)") { scene async throws in
            #expect(!scene.chat.hasOlder)
            try await scene.chat.loadOlder()
        },
        Call("Conversation.load(around:_:)") { scene async throws in try await scene.chat.load(around: 1) },
        Call("Conversation.fill(_:_:)") { scene async throws in try await scene.chat.fill(.init(first: 1, last: 1)) },
        Call("Conversation.unloadOlder()") { scene async throws in
            let count = scene.chat.messages.count
            try await scene.chat.unloadOlder()
            #expect(scene.chat.messages.count == count)
        },
        Call("Conversation.pin(_:)") { scene async throws in
            try await scene.chat.pin()
            try await scene.settled("pinned") { scene.chat.isPinned }
        },
        Call("Conversation.mute(until:)") { scene async throws in
            try await scene.chat.mute(until: .now + 3600)
            try await scene.settled("muted") { scene.chat.isMuted }
        },
        Call("Conversation.unmute()") { scene async throws in
            try await scene.chat.unmute()
            try await scene.settled("not muted") { !scene.chat.isMuted }
        },
        Call("Conversation.archive(_:)") { scene async throws in
            try await scene.group.archive()
            try await scene.settled("archived") { scene.group.isArchived }
            await scene.parley.archived.loadMore()
            #expect(scene.parley.archived.conversations.map(\.id) == [scene.group.id])
        },
        Call("ConversationList.loadMore()") { scene async throws in
            await scene.parley.inbox.loadMore()
            #expect(scene.parley.inbox.conversations.map(\.id) == [scene.chat.id])
        },
        Call("Conversation.setDraft(_:)") { scene async throws in
            scene.chat.setDraft("I was go")
            #expect(scene.chat.draft == "I was go")
        },
        Call("Conversation.composing()") { scene async throws in
            scene.chat.composing()
            #expect(scene.double.composing == [scene.chat.id])
        },
        Call("Conversation.stopComposing()") { scene async throws in
            scene.chat.stopComposing()
            #expect(scene.double.composing.isEmpty)
        },
        Call("Conversation.setRetention(_:)") { scene async throws in
            try await scene.chat.setRetention(.seconds(3600))
            try await scene.settled("set") { scene.chat.retention == .seconds(3600) }
        },
        Call("ConversationID.direct(_:_:)") { scene async throws in
            #expect(ConversationID.direct(ada.id, me.id) == scene.chat.id)
        },
        Call("Parley.conversation(_:)") { scene async throws in
            #expect(scene.parley.conversation(scene.chat.id) === scene.chat)
        },
        Call("Parley.conversation(with:)") { scene async throws in
            #expect(scene.parley.conversation(with: ada.id) === scene.chat)
        },
        Call("Parley.startConversation(with:)") { scene async throws in
            let new = try await scene.parley.startConversation(with: bob)
            try await scene.settled("started") { new.section == .inbox && new.syncStatus == .synced }
        },
        Call("Parley.createGroup(_:with:)") { scene async throws in
            let new = try await scene.parley.createGroup("New", with: [ada])
            try await scene.settled("made") { new.memberCount == 2 && new.syncStatus == .synced }
            #expect(!new.hasOlder)
        },
        Call("Conversation.rename(_:)") { scene async throws in
            try await scene.group.rename("Team")
            try await scene.settled("renamed") { scene.group.name == "Team" && scene.group.syncStatus == .synced }
        },
        Call("Conversation.setGroupPhoto(_:)") { scene async throws in
            try await scene.group.setGroupPhoto(URL(string: "https://example.com/team.png"))
            try await scene.settled("set") { scene.group.photo?.lastPathComponent == "team.png" }
        },
        Call("Conversation.add(_:)") { scene async throws in
            let carol = User(id: UserID(rawValue: "carol"), username: "carol", displayName: "Carol")
            scene.double.addAccount(carol)
            try await scene.group.add([carol.id])
            try await scene.settled("added") { scene.group.members.contains { $0.id == carol.id } }
        },
        Call("Conversation.allMembers()") { scene async throws in
            #expect(Set(try await scene.group.allMembers().map(\.user.username)) == ["me", "ada", "bob", "carol"])
        },
        Call("Conversation.user(_:)") { scene async throws in
            #expect(scene.group.user(bob.id) == bob)
            let dave = User(id: UserID(rawValue: "dave"), username: "dave", displayName: "Dave")
            scene.double.addAccount(dave)
            try await eventually("it is read") { scene.group.user(dave.id) == dave }
        },
        Call("Conversation.invitations()") { scene async throws in #expect(try await scene.group.invitations().isEmpty)
        },
        Call("Parley.findConversation(with:)") { scene async throws in
            #expect(try await scene.parley.findConversation(with: [ada.id]) === scene.chat)
            #expect(try await scene.parley.findConversation(with: [UserID(rawValue: "x")]) == nil)
        },
        Call("Conversation.setAdmin(_:_:)") { scene async throws in
            try await scene.group.setAdmin(true, bob.id)
            try await scene.settled("admin") { scene.group.members.first { $0.id == bob.id }?.role == .admin }
        },
        Call("Conversation.remove(_:)") { scene async throws in
            try await scene.group.remove(ada.id)
            try await scene.settled("removed") { !scene.group.members.contains { $0.id == ada.id } }
        },
        Call("Conversation.withdrawInvitation(of:)") { scene async throws in
            try await scene.group.withdrawInvitation(of: ada.id)
            try await scene.settled("sent") { scene.group.syncStatus == .synced }
        },
        Call("Conversation.transferOwnership(to:)") { scene async throws in
            try await scene.group.transferOwnership(to: bob.id)
            try await scene.settled("done") { scene.group.members.first { $0.id == bob.id }?.role == .owner }
        },
        Call("Conversation.leave()") { scene async throws in
            try await scene.group.leave()
            try await scene.settled("left") { scene.group.section == .left && scene.group.hasLeft }
        },
        Call("Conversation.accept()") { scene async throws in
            let request = await scene.double.addInvitation(into: "Club", from: bob)
            #expect(request.request == .received(from: bob.id))
            try await request.accept()
            try await scene.settled("accepted") { request.section == .inbox && request.memberCount == 3 }
        },
        Call("Parley.markRequestsRead(_:)") { scene async throws in
            let request = await scene.double.addInvitation(into: "Band", from: bob)
            try await eventually("it is counted") { scene.parley.requestCount == .init(total: 1, unread: 1) }
            try await scene.parley.markRequestsRead(scene.parley.requests.conversations)
            try await eventually("it is read") { scene.parley.requestCount == .init(total: 1, unread: 0) }
            #expect(request.isRequestRead)
            try await request.decline()
        },
        Call("Conversation.clear()") { scene async throws in
            try await scene.chat.clear()
            #expect(scene.chat.messages.isEmpty)
        },
        Call("Conversation.decline()") { scene async throws in
            let eve = User(id: UserID(rawValue: "eve"), username: "eve", displayName: "Eve")
            let request = await scene.double.addRequest(from: eve)
            try await request.decline()
            try await scene.settled("gone") { scene.parley.requests.conversations.isEmpty }
        },
        Call("Conversation.withdraw()") { scene async throws in
            let asked = await scene.double.addConversation(with: scene.double.people[UserID(rawValue: "carol")]!)
            try await asked.withdraw()
            try await scene.settled("gone") { asked.section == nil }
        },
    ]
}
