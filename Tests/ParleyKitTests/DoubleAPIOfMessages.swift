import Foundation
import Testing

@testable import ParleyKit

/// What the double does for each function about messages.
extension DoubleAPITests {
    static let messages: [Call] = [
        Call("Conversation.send(_:replyingTo:mentions:)") { scene async throws in
            try await scene.chat.send("Hello")
            try await scene.settled("sent") { scene.chat.messages.last?.status == .sent }
        },
        Call("Conversation.edit(_:to:mentions:)") { scene async throws in
            try await scene.chat.edit(scene.chat.messages[0], to: "Hello!")
            try await scene.settled("edited") { scene.chat.messages[0].text == "Hello!" }
        },
        Call("Conversation.react(_:to:)") { scene async throws in
            try await scene.chat.react("👍", to: scene.chat.messages[0])
            await scene.double.react("👍", to: scene.chat.messages[0], by: ada.id)
            try await scene.settled("both") {
                scene.chat.messages[0].reactions == [.init(emoji: "👍", count: 2, isMine: true)]
            }
        },
        Call("Conversation.removeReaction(_:from:)") { scene async throws in
            try await scene.chat.removeReaction("👍", from: scene.chat.messages[0])
            try await scene.settled("one left") { scene.chat.messages[0].reactions == [.init(emoji: "👍")] }
        },
        Call("Conversation.star(_:_:)") { scene async throws in
            try await scene.chat.star(scene.chat.messages[0])
            try await scene.settled("starred") { scene.chat.messages[0].isStarred }
        },
        Call("Conversation.message(_:)") { scene async throws in
            #expect(scene.chat.message(scene.chat.messages[0].id) == scene.chat.messages[0])
        },
        Call("Conversation.message(numbered:)") { scene async throws in
            #expect(scene.chat.message(numbered: 1) == scene.chat.messages[0])
            #expect(scene.chat.message(numbered: 2) == nil)
        },
        Call("Conversation.send(_:file:replyingTo:mentions:)") { scene async throws in
            let url = scene.folder.url.appendingPathComponent("sea.png")
            try Data(repeating: 7, count: 100).write(to: url)
            try await scene.chat.send("The sea", file: FileToSend(url))
            try await scene.settled("sent") { scene.chat.messages.last?.attachment?.name == "sea.png" }
        },
        Call("Parley.file(of:)") { scene async throws in
            let url = scene.folder.url.appendingPathComponent("note.txt")
            try Data("A note".utf8).write(to: url)
            let message = try await scene.double.receive(FileToSend(url), "Look", from: ada.id, in: scene.chat.id)
            #expect(message.attachment?.sizeBytes == 6)
            #expect(try Data(contentsOf: try await scene.parley.file(of: message)) == Data("A note".utf8))
        },
        Call("Conversation.hide(_:)") { scene async throws in
            let message = await scene.double.receive("Look away", from: ada.id, in: scene.chat.id)
            try await scene.chat.hide(message)
            try await scene.settled("hidden") { scene.chat.message(message.id)?.isHidden ?? true }
        },
        Call("Conversation.markRead(upTo:)") { scene async throws in
            await scene.double.receive("News", from: ada.id, in: scene.chat.id)
            try await scene.chat.markRead()
            try await scene.settled("read") { scene.chat.unread == .init() }
        },
        Call("Conversation.markUnread()") { scene async throws in
            try await scene.chat.markUnread()
            try await scene.settled("marked") { scene.chat.unread.isMarked }
        },
        Call("Conversation.delete(_:)") { scene async throws in
            try await scene.chat.delete(scene.chat.messages[0])
            try await scene.settled("deleted") { scene.chat.messages[0].isDeleted }
        },
        Call("Parley.retry(_:)") { scene async throws in
            scene.double.refusal = Refusal(.rateLimited, "Not now.")
            scene.double.refusal = Refusal(.forbidden, "Not now.")
            try await scene.chat.send("again")
            try await eventually("refused") { scene.parley.unsent.first.map { $0.syncStatus != .pending } ?? false }
            try await scene.parley.retry(scene.parley.unsent[0].id)
            try await scene.settled("sent") { scene.chat.messages.last?.status == .sent }
        },
        Call("Parley.drop(_:)") { scene async throws in
            scene.double.refusal = Refusal(.forbidden, "Not now.")
            try await scene.chat.send("never")
            try await eventually("refused") { scene.parley.unsent.first.map { $0.syncStatus != .pending } ?? false }
            try await scene.parley.drop(scene.parley.unsent[0].id)
            try await scene.settled("dropped") { scene.chat.messages.last?.text != "never" }
        },
        Call("Parley.search(_:in:)") { scene async throws in
            let search = scene.parley.search("again")
            await search.finish()
            #expect(search.found.map(\.message.text) == ["again"] && search.problem == nil)
        },
        Call("MessageSearch.finish()") { scene async throws in
            let search = scene.parley.search("nothing has this", in: scene.chat.id)
            await search.finish()
            #expect(search.found.isEmpty && search.problem == nil)
        },
        Call("MessageSearch.loadMore()") { scene async throws in
            let search = scene.parley.search("again")
            await search.finish()
            await search.loadMore()
            #expect(search.found.count == 1 && search.problem == nil)
        },
        Call("Parley.report(_:for:note:)") { scene async throws in
            try await scene.parley.report(ada.id, for: .spam, note: "a person")
            let message = await scene.double.receive("Buy!", from: ada.id, in: scene.chat.id)
            try await scene.parley.report(message, for: .spam, note: "a message")
            #expect(scene.double.reports.map(\.note) == ["a person", "a message"])
        },
        Call("Parley.reports()") { scene async throws in
            #expect(try await scene.parley.reports().map(\.note) == ["a message", "a person"])
        },
        Call("Conversation.readers(of:)") { scene async throws in
            let message = try #require(scene.chat.messages.last { $0.sender == me.id && $0.seq != nil })
            await scene.double.read(scene.chat.id, by: ada.id)
            let readers = try await scene.chat.readers(of: message)
            #expect(readers.map(\.user) == [ada.id] && readers.allSatisfy { $0.readAt != nil })
        },
        Call("Conversation.reactions(to:)") { scene async throws in
            let message = try #require(scene.chat.messages.last { $0.sender == me.id && !$0.isDeleted })
            await scene.double.react("🎉", to: message, by: ada.id)
            #expect(try await scene.chat.reactions(to: message).map(\.user) == [ada.id])
        },
        Call("Conversation.earlierTexts(of:)") { scene async throws in
            let sent = try await scene.chat.send("frist")
            try await scene.settled("sent") { scene.chat.message(sent.id)?.seq != nil }
            try await scene.chat.edit(sent, to: "first")
            try await scene.settled("edited") { scene.chat.message(sent.id)?.editedAt != nil }
            #expect(try await scene.chat.earlierTexts(of: sent).map(\.text) == ["frist"])
        },
        Call("Conversation.thread(from:)") { scene async throws in
            let first = await scene.double.receive("Who comes?", from: ada.id, in: scene.chat.id)
            try await scene.chat.send("I do", replyingTo: first)
            try await scene.settled("sent") { scene.chat.messages.last?.seq != nil }
            let thread = scene.chat.thread(from: first)
            await thread.load()
            #expect(thread.messages.map(\.text) == ["Who comes?", "I do"] && thread.problem == nil)
        },
        Call("Conversation.forward(_:to:)") { scene async throws in
            let message = await scene.double.receive("Pass it on", from: ada.id, in: scene.chat.id)
            try await scene.chat.forward(message, to: [scene.group.id])
            let copy = try #require(scene.group.messages.last)
            #expect(copy.text == "Pass it on" && copy.forwardedFrom == ada.id && copy.sender == me.id)
        },
        Call("Parley.mentionsAndStars(_:after:limit:)") { scene async throws in
            await scene.double.receive("@me look", from: ada.id, in: scene.chat.id, mentions: [me.id])
            let page = try await scene.parley.mentionsAndStars(.mentions)
            #expect(page.messages.map(\.text) == ["@me look"] && page.next == nil)
        },
        Call("Parley.serverBadge()") { scene async throws in
            #expect(try await scene.parley.serverBadge().mentions == 1)
            try await scene.settled("counted") { scene.parley.badge.mentions == 1 }
        },
        Call("Parley.list(of:)") { scene async throws in
            #expect(scene.parley.list(of: .mentions).kind == .mentions)
        },
        Call("MentionsAndStarsList.load()") { scene async throws in
            let list = scene.parley.list(of: .mentions)
            await list.load()
            #expect(list.messages.map(\.text) == ["@me look"])
        },
        Call("MentionsAndStarsList.loadMore()") { scene async throws in
            let list = scene.parley.list(of: .mentions)
            await list.loadMore()
            #expect(list.messages.count == 1 && !list.hasMore)
        },
        Call("Parley.usage()") { scene async throws in #expect(try await scene.parley.usage().messages == 0) },
    ]
}
