import Foundation
import TestSupport
import Testing

@testable import Import

/// The folder of an export, and what comes of it.
struct Export {
    let folder: TestFolder

    init(_ files: [String: String]) throws {
        folder = try TestFolder()
        for (name, text) in files {
            try text.write(toFile: "\(folder.path)/\(name)", atomically: true, encoding: .utf8)
        }
    }

    struct Result {
        var people: [ImportedPerson] = []
        var talks: [ImportedTalk] = []
        var messages: [ImportedMessage] = []
        var states: [ImportedState] = []
        var entities: [ImportedEntity] = []
        var lines: [String] = []

        var texts: [String] { messages.map { "\($0.sender ?? "-"): \($0.text)" } }
    }

    func converted(places: Places? = .builtIn) throws -> Result {
        let report = Report()
        let conversion = Conversion(folder: folder.path, places: places, report: report, work: "/tmp")
        try conversion.read()
        var result = Result()
        while let person = try conversion.nextPerson() { result.people.append(person) }
        try conversion.arrange()
        while let item = try conversion.nextItem() {
            switch item {
            case .talk(let talk): result.talks.append(talk)
            case .message(let message): result.messages.append(message)
            case .state(let state): result.states.append(state)
            }
        }
        while let entity = try conversion.nextEntity() { result.entities.append(entity) }
        result.lines = report.lines
        folder.remove()
        return result
    }
}

@Suite("T3 what comes of an export")
struct ConversionTests {
    private func rtdb(_ text: String) throws -> Export.Result { try Export(["rtdb.json": text]).converted() }

    @Test("the three forms of Firestore and Realtime Database give the same")
    func forms() throws {
        let tree = """
            {"users":{"ann":{"displayName":"Ann"},"bob":{"displayName":"Bob"}},
             "conversations":{"c1":{"type":"direct","memberIds":["ann","bob"],"messages":
               {"m1":{"senderId":"ann","text":"Hi","timestamp":1704067200000},
                "m2":{"senderId":"bob","text":"Ho","timestamp":1704067201000,"replyToMessageId":"m1"}}}}}
            """
        let collections = """
            {"__collections__":{"users":{"ann":{"displayName":"Ann","__collections__":{}},"bob":{"displayName":"Bob"}},
             "conversations":{"c1":{"type":"direct","memberIds":["ann","bob"],"__collections__":{"messages":
               {"m1":{"senderId":"ann","text":"Hi","timestamp":{"__datatype__":"timestamp","value":{"_seconds":1704067200,"_nanoseconds":0}}},
                "m2":{"senderId":"bob","text":"Ho","timestamp":{"__datatype__":"timestamp","value":{"_seconds":1704067201,"_nanoseconds":0}},"replyToMessageId":"m1"}}}}}}}
            """
        let sub = """
            {"users":{"ann":{"displayName":"Ann"},"bob":{"displayName":"Bob"}},
             "conversations":{"c1":{"type":"direct","memberIds":["ann","bob"],"subCollection":{"conversations/c1/messages":
               {"m1":{"senderId":"ann","text":"Hi","timestamp":{"_seconds":1704067200,"_nanoseconds":0}},
                "m2":{"senderId":"bob","text":"Ho","timestamp":{"_seconds":1704067201,"_nanoseconds":0},"replyToMessageId":"m1"}}}}}}
            """
        func document(_ path: String, _ fields: String) -> String {
            #"{"name":"projects/p/databases/(default)/documents/\#(path)","fields":{\#(fields)}}"#
        }
        let members = #""arrayValue":{"values":[{"stringValue":"ann"},{"stringValue":"bob"}]}"#
        func said(_ who: String, _ text: String, _ second: Int, _ more: String = "") -> String {
            #""senderId":{"stringValue":"\#(who)"},"text":{"stringValue":"\#(text)"},"# + more
                + #""timestamp":{"timestampValue":"2024-01-01T00:00:0\#(second)Z"}"#
        }
        let typed =
            #"{"documents":["#
            + document("users/ann", #""displayName":{"stringValue":"Ann"}"#) + ","
            + document("users/bob", #""displayName":{"stringValue":"Bob"}"#) + "]}\n["
            + document(
                "conversations/c1", #""type":{"stringValue":"direct"},"memberIds":{\#(members)}"#) + "]\n"
            + document("conversations/c1/messages/m1", said("ann", "Hi", 0))
            + document(
                "conversations/c1/messages/m2", said("bob", "Ho", 1, #""replyToMessageId":{"stringValue":"m1"},"#))
        let expected = try rtdb(tree)
        #expect(expected.texts == ["ann: Hi", "bob: Ho"] && expected.talks.map(\.id) == ["ann_bob"])
        #expect(expected.messages[1].replyTo == expected.messages[0].uuid)
        for text in [collections, sub, typed] {
            let result = try Export(["firestore.json": text]).converted()
            #expect(result.people.map(\.name) == ["Ann", "Bob"])
            #expect(result.messages.map(\.uuid) == expected.messages.map(\.uuid))
            #expect(result.messages.map(\.sentAt) == expected.messages.map(\.sentAt))
            #expect(result.messages.map(\.replyTo) == expected.messages.map(\.replyTo))
            #expect(result.talks.map(\.members) == expected.talks.map(\.members))
        }
    }

    @Test("the places of one message are one: an edit wins, the later over the earlier, a deletion over both")
    func places() throws {
        func result(_ active: String, _ archived: String) throws -> ImportedMessage {
            let head = #"{"conversations":{"c1":{"memberIds":["a","b"]"#
            let common = #""senderId":"a","timestamp":1704067200000,"#
            let result = try Export([
                "rtdb.json": head + #","activeMessages":{"m":{\#(common)\#(active)}}}}}"#,
                "firestore.json": head
                    + #","subCollection":{"conversations/c1/messages":{"m":{\#(common)\#(archived)}}}}}}"#,
            ]).converted()
            #expect(result.messages.count == 1)
            return try #require(result.messages.first)
        }
        let edited = try result(#""text":"old""#, #""text":"new","isEdited":true,"editedAt":1704067300000"#)
        #expect(edited.text == "new" && edited.revisions == ["old"] && edited.editedAt == 1_704_067_300_000_000)
        let later = try result(
            #""text":"third","editedAt":1704067400000"#, #""text":"second","isEdited":true,"editedAt":1704067300000"#)
        #expect(later.text == "third" && later.revisions == ["second"])
        let deleted = try result(#""text":"x","editedAt":1704067400000"#, #""text":"x","isDeleted":true"#)
        #expect(deleted.deletedAt != nil && deleted.text.isEmpty && deleted.revisions.isEmpty)
        #expect(try result(#""text":"same""#, #""text":"same""#).editedAt == nil)
    }

    @Test("legacy chats come in, half-migrated ones as one, with the pair's other conversation, in order of time")
    func legacy() throws {
        let result = try rtdb(
            """
            {"users":{"ann":{"displayName":"Ann","chats":{"x1":{"title":"Bob","lastMessage":"b","timestamp":1704067203}}},
                      "bob":{"displayName":"Bob","chats":{"x1":{"title":"Ann","timestamp":1704067203}}}},
             "chats":{"x1":{"metadata":{"participants":{"ann":true,"bob":true},"createdAt":1704067200,"createdBy":"ann"},
                            "messages":{"m1":{"senderId":"ann","text":"one","timestamp":1704067201},
                                        "m3":{"senderId":"bob","text":"three","timestamp":1704067203}}}},
             "conversations":{"ann_bob":{"participantIDs":["ann","bob"],"activeMessages":
                {"m1":{"senderId":"ann","text":"one","timestamp":1704067201000},
                 "m2":{"senderId":"bob","text":"two","timestamp":1704067202000}}}}}
            """)
        #expect(result.talks.count == 1 && result.talks[0].sources == ["ann_bob", "x1"])
        #expect(result.texts == ["ann: one", "bob: two", "bob: three"])
        #expect(result.lines.contains { $0.contains("the same message as") })
        #expect(result.lines.contains { $0.contains("same pair") })
    }

    @Test("no choice of ids makes two conversations one, and one id for two pairs is two conversations (C4)")
    func pairs() throws {
        let two = try Export([
            "rtdb.json":
                #"{"conversations":{"c":{"participantIDs":["a","b"],"messages":{"m":{"senderId":"a","text":"to b"}}}}}"#,
            "firestore.json":
                #"{"conversations":{"c":{"participants":["a","z"],"subCollection":{"messages":{"m":{"senderId":"a","text":"to z"}}}}}}"#,
        ]).converted()
        #expect(Set(two.talks.map(\.id)) == ["a_b", "a_z"] && two.texts == ["a: to b", "a: to z"])
        #expect(two.lines.filter { $0.contains("not merged") }.count == 2)
        let odd = try rtdb(
            #"{"conversations":{"1":{"participantIDs":["a_b","c"]},"2":{"participantIDs":["a","b_c"]},"3":{"type":"direct","memberIds":["a","b","c"]},"4":{"participantIDs":["a","a"]}}}"#
        )
        #expect(odd.talks.filter { !$0.isGroup }.count == 3 && Set(odd.talks.map(\.id)).count == 4)
        #expect(odd.talks.contains { $0.id == "a_a" } && odd.talks.contains { $0.isGroup && $0.members.count == 3 })
    }

    @Test("requests, blocks, archives, reactions in both forms, stars, mentions and marks come along")
    func states() throws {
        let result = try Export([
            "rtdb.json": """
            {"users":{"a":{"blockedUsers":{"z":true},"mentionedMessages":{
                "1":{"messageId":"m1","conversationId":"c","reason":"starred"},
                "2":{"messageId":"m1","conversationId":"c","reason":"mentioned"},
                "3":{"messageId":"gone","conversationId":"c","reason":"starred"}}}},
             "userConversations":{"a":{"c":{"lastReadMessageId":"m1","unreadCount":1,"isPinned":true,"isMuted":"true"}}},
             "presence":{"a":{"status":"online","lastSeen":1704067200000}}}
            """,
            "firestore.json": """
            {"conversations":{"c":{"participants":["a","b"],"conversationStatus":"pending","requesterId":"a",
               "requestReadBy":["b"],"unreadCount":{"a":0,"b":2},"archivedBy":["b"],"subCollection":{"messages":{
               "m1":{"senderId":"b","text":"1","timestamp":"2024-01-01T00:00:00Z","reactions":{"👍":{"a":true},"❤️":["a","b"],"no":["a"]}},
               "m2":{"senderId":"b","text":"2","timestamp":"2024-01-01T00:00:01Z","finalDeliveryStatus":{"delivered":["a"],"read":["a"]}}}}}}}
            """,
        ]).converted()
        let talk = try #require(result.talks.first)
        #expect(talk.requester == "a" && talk.isRequestSeen)
        #expect(result.people.first { $0.source == "a" }?.blocks == ["z"])
        #expect(result.people.first { $0.source == "a" }?.beside.map(\.key) == ["rtdb.json:presence/a"])
        let message = result.messages[0]
        #expect(message.starredBy == ["a"] && message.mentions == ["a"])
        #expect(message.reactions.map { "\($0.person)\($0.emoji)" } == ["a👍", "a❤️", "b❤️"])
        let a = try #require(result.states.first { $0.person == "a" })
        #expect(a.isPinned && a.isMuted && a.unread == 0)
        #expect(
            Set(a.readMessages) == Set(result.messages.map(\.uuid)) && a.deliveredMessage == result.messages[1].uuid)
        let b = try #require(result.states.first { $0.person == "b" })
        #expect(b.isArchived && b.unread == 2 && b.readMessages.isEmpty)
        #expect(result.lines.contains { $0.contains("is not there") && $0.contains("mentionedMessages/3") })
        #expect(result.lines.contains { $0.contains("is no emoji") })
    }

    @Test("what is above a limit is split, cut or left, and replies that go nowhere or forwards are cut")
    func limits() throws {
        let long = String(repeating: "wörd ", count: 6_000)
        let members = (0..<1_010).map { "\"p\($0)\"" }.joined(separator: ",")
        let result = try rtdb(
            """
            {"conversations":{"g":{"type":"group","name":"\(String(repeating: "n", count: 200))","memberIds":[\(members)],"messages":{
              "a":{"senderId":"p0","text":"\(long)","timestamp":1704067200000,"replyToMessageId":"b"},
              "b":{"senderId":"p1","text":"b","timestamp":1704067201000,"replyToMessageId":"a"},
              "c":{"text":"nobody","replyToMessageId":"x"}}}}}
            """)
        let talk = try #require(result.talks.first)
        #expect(talk.members.count == 1_000 && talk.formerMembers.count == 10 && talk.name.count == 128)
        let parts = result.messages.filter { $0.source == "a" }
        #expect(parts.count == 3 && parts.map(\.text).joined() == long)
        #expect(parts[0].replyTo == nil && parts[1].replyTo == parts[0].uuid && parts[2].replyTo == parts[0].uuid)
        #expect(result.messages.first { $0.source == "b" }?.replyTo == parts[0].uuid)
        let last = try #require(result.messages.first { $0.source == "c" })
        #expect(last.sentAt == 1_704_067_201_000_000 && last.replyTo == nil)
        #expect(result.lines.filter { $0.contains("the reply is cut") }.count == 2)
    }

    @Test("lists for objects, numbers as texts, placeholders and nulls are read as what they mean")
    func sloppy() throws {
        let result = try rtdb(
            """
            {"users":[null,{"displayName":"One"},{"displayName":"Two","blockedUsers":["1"]}],
             "conversations":[null,{"participantIDs":{"0":"1","1":"2"},"messages":[
               {"senderId":1,"text":"zero","timestamp":"1704067200000"},null,
               {"senderId":"2","text":"two","timestamp":{".sv":"timestamp"}}]}]}
            """)
        #expect(result.people.map(\.name) == ["One", "Two"] && result.people[1].blocks == ["1"])
        #expect(result.texts == ["1: zero", "2: two"])
        #expect(result.messages[1].sentAt == 1_704_067_200_000_000)
    }

    @Test("accounts bring addresses, ways in, disabled ones and hashes; who is gone keeps a name")
    func accounts() throws {
        let result = try Export([
            "auth.json": """
            {"users":[{"localId":"ann","email":"ann@example.org","emailVerified":true,"displayName":"Ann","disabled":true,
              "passwordHash":"lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
              "salt":"42xEC+ixf3L2lw==","createdAt":"1704067200000",
              "providerUserInfo":[{"providerId":"google.com","rawId":"1234","email":"ann@gmail.com"},{"providerId":"apple.com","rawId":"x"}]},
             {"localId":"bob","passwordHash":"REDACTED"},{"email":"nobody@example.org"}]}
            """,
            "hash-config.json":
                #"{"algorithm":"SCRYPT","base64_signer_key":"jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==","base64_salt_separator":"Bw==","rounds":8,"mem_cost":14}"#,
            "rtdb.json":
                #"{"conversations":{"c":{"participantIDs":["ann","old"],"messages":{"m":{"senderId":"old","senderName":"Old One","text":"x"}}}}}"#,
        ]).converted()
        let ann = try #require(result.people.first { $0.source == "ann" })
        #expect(ann.isDisabled && ann.isEmailConfirmed && ann.createdAt == 1_704_067_200_000_000)
        #expect(
            ann.identities == [.init(issuer: "https://accounts.google.com", subject: "1234", label: "ann@gmail.com")])
        #expect(ann.password?.hasPrefix("$firebase-scrypt$ln=14,r=8$Bw==$") ?? false)
        #expect(PersonRules.usernames(ann).first == "ann")
        #expect(result.people.first { $0.source == "bob" }?.password == nil)
        #expect(result.people.contains { $0.source == "old" })
        #expect(
            result.lines.contains { $0.contains("no localId") }
                && result.lines.contains { $0.contains("REDACTED") == false })
    }

    @Test("hashes by PBKDF2 and bcrypt come in; what is damaged, too costly or of another kind is reported")
    func passwords() throws {
        func outcome(_ config: String?, hash: String, salt: String = "c2FsdA==") throws -> (String?, String) {
            let user = #"{"localId":"ann","displayName":"Ann","passwordHash":"\#(hash)","salt":"\#(salt)"}"#
            var files = ["auth.json": #"{"users":[\#(user)]}"#]
            files["hash-config.json"] = config
            let result = try Export(files).converted()
            return (result.people[0].password, result.lines.joined())
        }
        let pbkdf2 = #"{"algorithm":"PBKDF2_SHA256","rounds":600000}"#
        let hash = "VawEblbjCJ_sFpHCJUS2BflBhSFt3gRl5oudV8INrLw="
        #expect(
            try outcome(pbkdf2, hash: hash).0
                == "$pbkdf2-sha256$i=600000$c2FsdA==$VawEblbjCJ/sFpHCJUS2BflBhSFt3gRl5oudV8INrLw=")
        #expect(
            try outcome(#"{"algorithm":"PBKDF_SHA1","rounds":1}"#, hash: "DGDID5YfDnHzqbUkr2ASBi/gN6Y=").0
                == "$pbkdf2-sha1$i=1$c2FsdA==$DGDID5YfDnHzqbUkr2ASBi/gN6Y=")
        let bcrypt = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
        let coded = Data(bcrypt.utf8).base64EncodedString()
        for config in [nil, "algorithm: BCRYPT", pbkdf2] {
            for hash in [bcrypt, coded, coded.replacing("=", with: "")] {
                #expect(try outcome(config, hash: hash, salt: "").0 == bcrypt)
            }
        }
        for (config, hash, salt, why) in [
            (pbkdf2, hash, "", "the hash of the password is none"),
            (pbkdf2, "not base 64!", "c2FsdA==", "the hash of the password is none"),
            (pbkdf2, "VawEbg==", "c2FsdA==", "the hash of the password is none"),
            (pbkdf2, String(repeating: "VawE", count: 40), "c2FsdA==", "the hash of the password is none"),
            ("algorithm: BCRYPT", hash, "", "the hash of the password is none"),
            ("algorithm: BCRYPT", bcrypt.replacing("$05$", with: "$31$"), "", "takes longer than a sign-in may"),
            ("algorithm: BCRYPT", String(bcrypt.dropLast()), "", "is damaged"),
            ("algorithm: MD5", hash, "", "hashes by MD5 are not checked"),
            (nil, hash, "", "there is no hash-config.json"),
        ] as [(String?, String, String, String)] {
            let (password, lines) = try outcome(config, hash: hash, salt: salt)
            #expect(
                password == nil && lines.contains(why) && lines.contains(": the password is reset by mail"), "\(lines)")
        }
    }

    @Test("Google's own export, an empty folder and a folder that is none are refused with what to do")
    func refused() throws {
        for (files, code) in [
            (["x.overall_export_metadata": ""], ImportError.Code.levelDB), ([:], .nothing),
            (["auth.json": "{\"users\":["], .cutOff),
        ] {
            let export = try Export(files)
            let error = #expect(throws: ImportError.self) { try export.converted() }
            #expect(error?.code == code && error?.advice.isEmpty == false)
            export.folder.remove()
        }
    }

    @Test("names of a bucket never lead out of the folder")
    func names() {
        let url = "https://firebasestorage.googleapis.com/v0/b/app.appspot.com/o/chat%2Fa%20b.jpg?alt=media&token=x"
        #expect(StorageName.name(of: url) == "chat/a b.jpg")
        #expect(StorageName.name(of: "gs://app/chat/a.jpg") == "chat/a.jpg")
        for bad in ["gs://app/../../etc/passwd", "gs://app//etc", "https://example.org/o/a", "gs://app/a/./b"] {
            #expect(StorageName.name(of: bad) == nil, "\(bad)")
        }
    }

    @Test("events, reminders and decisions come with their people and messages; one without a time is left out")
    func entities() throws {
        let result = try rtdb(
            """
            {"conversations":{"c":{"participantIDs":["ann","bob"],"messages":{"m":{"senderId":"ann","text":"Dinner?"}}}},
             "events":{"e":{"title":"Dinner","date":1704412800,"time":"19:30","location":"Rome","creatorUserId":"ann",
                "createdInConversationId":"c","createdAtMessageId":"m","attendees":{"bob":{"status":"declined"}},
                "invitations":{"c":{"invitedUserIds":["ann","bob","eve"]}}},
               "day":{"title":"Trip","date":"2024-01-05","creatorUserId":"bob"},"x":{"title":"When?","creatorUserId":"bob"}},
             "reminders":{"r":{"userId":"ann","title":"Send docs","dueDate":1704412800000,"completed":true,"conversationId":"c"}},
             "decisions":{"d":{"userId":"bob","text":"Italian","timestamp":1704067200000}}}
            """)
        let decision = try #require(result.entities.first)
        #expect(decision.kind == .decision && decision.text == "Italian" && decision.conversation == nil)
        let day = try #require(result.entities.first { $0.text == "Trip" })
        #expect(day.isWholeDay && day.dueAt == 1_704_412_800_000_000)
        let dinner = try #require(result.entities.first { $0.text == "Dinner" })
        #expect(!dinner.isWholeDay && dinner.dueAt == 1_704_483_000_000_000 && dinner.location == "Rome")
        #expect(dinner.people.map(\.answer) == [.accepted, .declined, .pending])
        #expect(dinner.conversation == "ann_bob" && dinner.message == result.messages[0].uuid)
        let reminder = try #require(result.entities.first { $0.kind == .reminder })
        #expect(reminder.isDone && reminder.conversation == "ann_bob" && reminder.dueAt == 1_704_412_800_000_000)
        #expect(result.entities.count == 4 && result.lines.contains { $0.contains("nothing says when it is") })
    }
}
