import Foundation
import TestSupport
import Testing

@testable import Import

@Suite("T3 what comes of exports of another Parley")
struct ParleyExportTests {
    private static let second: Int64 = 1_000_000
    private static let began: Int64 = 1_700_000_000_000_000

    private func user(_ id: String) -> String {
        #"{"id":"\#(id)","username":"\#(id).1","displayName":"\#(id.capitalized)","createdAtUs":"1600000000000000"}"#
    }

    private func member(_ id: String, joined seconds: Int64 = 0, _ role: String = "MEMBER") -> String {
        let at = Self.began + seconds * Self.second
        return #"{"user":\#(user(id)),"role":"\#(role)","joinedAtUs":"\#(at)"}"#
    }

    private func group(_ members: [String], _ more: String = "") -> String {
        #"{"id":"0123456789abcdef0123456789abcdef","kind":"GROUP","name":"Team","conversationStatus":"ACCEPTED","#
            + #""createdAtUs":"\#(Self.began)","createdBy":"gone","members":[\#(members.joined(separator: ","))]\#(more)}"#
    }

    private func said(_ seq: Int, _ sender: String, _ text: String, _ more: String = "", in talk: String? = nil)
        -> String
    {
        let at = Self.began + Int64(seq) * Self.second
        let id = Data([UInt8](repeating: UInt8(seq), count: 16)).base64EncodedString()
        let conversation = talk ?? "0123456789abcdef0123456789abcdef"
        return #"{"conversation":"\#(conversation)","seq":"\#(seq)","id":"\#(id)","sender":"\#(sender)","kind":"TEXT","#
            + #""text":"\#(text)","sentAtUs":"\#(at)","position":"9"\#(more)}"#
    }

    private func export(of person: String, _ sections: [(String, [String])]) -> String {
        let profile =
            #"{"user":\#(user(person)),"email":"\#(person)@example.org","emailConfirmed":true,"position":"1"}"#
        let all = [("profile", [profile])] + sections
        return #"{"parley_export":1,"user":"\#(person)""#
            + all.map { #","\#($0)":[\#($1.joined(separator: ","))]"# }.joined() + "\n}\n"
    }

    private func converted(_ files: [String: String]) throws -> Export.Result {
        try Export(files).converted(places: nil)
    }

    @Test("one export brings the person, whom they talk with, what they may read, and their own state of it")
    func one() throws {
        let direct =
            #"{"id":"ann_bob","kind":"DIRECT","conversationStatus":"PENDING","requesterId":"bob","createdBy":"bob","#
            + #""members":[\#(member("ann")),\#(member("bob"))],"requestReadBy":["ann"]}"#
        let result = try converted([
            "ann.json": export(
                of: "ann",
                [
                    ("devices", [#"{"id":"d"}"#]), ("ownPresence", [#"{"status":"here"}"#]),
                    ("blocks", [#"{"user":\#(user("eve")),"blocked":true}"#]),
                    ("imported", [#"{"path":"rtdb.json:users/ann","json":"{\"fcmToken\":\"x\"}"}"#]),
                    ("conversations", [direct]),
                    (
                        "inbox",
                        [
                            #"{"conversation":"ann_bob","readSeq":"3","pinnedAtUs":"5","mutedUntilUs":"9223372036854775807"}"#
                        ]
                    ),
                    (
                        "messages",
                        [
                            said(
                                1, "bob", "Hi",
                                #","reactions":[{"emoji":"👍","count":"2"}],"own":{"reactions":["👍"],"starred":true}"#,
                                in: "ann_bob"),
                            said(
                                2, "ann", "Ho",
                                #","replyToSeq":"1","editedAtUs":"1700000009000000","revisions":[{"text":"Hoo","untilUs":"1700000009000000"}]"#,
                                in: "ann_bob"),
                            said(3, "", "", #","system":{}"#, in: "ann_bob"),
                            said(
                                4, "bob", "", #","deletedAtUs":"1700000009000000""#,
                                in: "ann_bob"),
                            said(5, "bob", "soon gone", #","expiresAtUs":"1900000000000000""#, in: "ann_bob"),
                            said(6, "bob", "@ann", #","mentions":["ann"]"#, in: "ann_bob"),
                        ]
                    ),
                ])
        ])
        #expect(result.people.map(\.source).sorted() == ["ann", "bob", "eve"])
        let ann = try #require(result.people.first { $0.source == "ann" })
        #expect(ann.id == "ann" && ann.name == "Ann" && ann.email == "ann@example.org" && ann.isEmailConfirmed)
        #expect(ann.wantedUsernames.first == "ann.1" && ann.createdAt == 1_600_000_000_000_000 && ann.blocks == ["eve"])
        #expect(ann.kept.contains { $0.path == "rtdb.json:users/ann" && $0.object == #"{"fcmToken":"x"}"# })
        #expect(ann.kept.contains { $0.object == #"{"status":"here"}"# })
        let bob = try #require(result.people.first { $0.source == "bob" })
        #expect(bob.name == "Bob" && bob.wantedUsernames.first == "bob.1" && bob.email == nil)
        let talk = try #require(result.talks.first)
        #expect(talk.id == "ann_bob" && talk.requester == "bob" && talk.isRequestSeen && !talk.isGroup)
        #expect(result.texts == ["bob: Hi", "ann: Ho", "bob: ", "bob: @ann"])
        #expect(result.messages.map(\.sentAt) == [1, 2, 4, 6].map { Self.began + $0 * Self.second })
        #expect(result.messages[1].replyTo == result.messages[0].uuid && result.messages[1].revisions == ["Hoo"])
        #expect(result.messages[0].reactions == [.init(person: "ann", emoji: "👍", at: result.messages[0].sentAt)])
        #expect(result.messages[0].starredBy == ["ann"] && result.messages[2].deletedAt != nil)
        #expect(result.messages[3].mentions == ["ann"])
        let state = try #require(result.states.first { $0.person == "ann" })
        // Its last message up to the mark that comes in.
        #expect(state.readMessages == [result.messages[1].uuid] && state.isPinned && state.isMuted)
        for why in ["people sign in anew", "nobody wrote it", "it was to disappear", "whose they are"] {
            #expect(result.lines.contains { $0.contains(why) }, "\(why)")
        }
    }

    @Test("exports of several people are one: each message once, with everybody's reactions, stars and marks")
    func several() throws {
        let members = [member("ann", joined: 0, "OWNER"), member("bob"), member("cyd", joined: 3)]
        let like = #","own":{"reactions":["👍"],"starred":true}"#
        let hidden = #","own":{"hidden":true}"#
        let result = try converted([
            "ann.json": export(
                of: "ann",
                [("conversations", [group(members)]), ("messages", [said(1, "ann", "a", like), said(2, "bob", "b")])]),
            // Bob cleared what was before, and deleted a message for himself.
            "bob.json": export(
                of: "bob",
                [
                    ("conversations", [group(members)]),
                    ("messages", [said(2, "bob", "b", like), said(3, "ann", "", hidden), said(4, "cyd", "d")]),
                ]),
            "dan.json": export(of: "dan", [("messages", [])]),
        ])
        #expect(result.texts == ["ann: a", "bob: b", "cyd: d"])
        #expect(result.messages.map { $0.reactions.map(\.person) } == [["ann"], ["bob"], []])
        #expect(result.messages.map(\.starredBy) == [["ann"], ["bob"], []])
        let talk = try #require(result.talks.first)
        #expect(talk.id == "0123456789abcdef0123456789abcdef" && talk.creator == "ann" && talk.members.count == 3)
        let starts = Dictionary(uniqueKeysWithValues: result.states.map { ($0.person, $0.firstMessage) })
        #expect(starts["ann"] == .some(nil), "all of it")
        #expect(starts["bob"] == result.messages[1].uuid, "as in his export")
        #expect(starts["cyd"] == result.messages[2].uuid, "from joining on")
        #expect(result.lines.contains { $0.contains("the same message as") })
    }

    @Test("whoever left a group has it alone; with the export of one who stayed it is theirs no more")
    func left() throws {
        let gone = group([], #","leftAtUs":"1700000002500000","section":"LEFT""#)
        let ann = export(of: "ann", [("conversations", [gone]), ("messages", [said(1, "ann", "a")])])
        let alone = try converted(["ann.json": ann])
        #expect(alone.talks.first?.formerMembers.map(\.person) == ["ann"] && alone.texts == ["ann: a"])
        let bob = export(
            of: "bob",
            [("conversations", [group([member("bob")])]), ("messages", [said(1, "ann", "a"), said(3, "bob", "c")])])
        let both = try converted(["ann.json": ann, "bob.json": bob])
        #expect(both.talks.first?.members.map(\.person) == ["bob"] && both.talks.first?.formerMembers == [])
        #expect(both.lines.contains { $0.contains("ann left it") })
    }

    @Test("files come from the folder beside an export; without one a message has the name")
    func files() throws {
        let media = #","media":{"attachment":"AAECAwQFBgcICQoLDA0ODw==","name":"plan.txt","mimeType":"text/plain"}"#
        let result = try converted([
            "ann.json": export(
                of: "ann",
                [
                    ("conversations", [group([member("ann"), member("bob")])]),
                    (
                        "files",
                        [
                            #"{"conversation":"0123456789abcdef0123456789abcdef","seq":"1","savedAs":"00/plan.txt"}"#,
                            #"{"conversation":"0123456789abcdef0123456789abcdef","seq":"3","savedAs":"../../etc/passwd"}"#,
                        ]
                    ),
                    (
                        "messages",
                        [
                            said(1, "ann", "see", media), said(2, "bob", "", media), said(3, "ann", "x", media),
                        ]
                    ),
                ])
        ])
        #expect(result.texts == ["ann: see\nplan.txt", "bob: plan.txt", "ann: x\nplan.txt"])
        #expect(result.messages[0].file == .init(name: "ann/00/plan.txt", address: "plan.txt", type: "*/*"))
        #expect(result.messages[1].file == nil && result.messages[2].file == nil)
        #expect(result.lines.contains { $0.contains("leads out of the folder") })
        #expect(result.lines.contains { $0.contains("only the export of who sent it") })
    }

    @Test("reminders, decisions and events come in with their messages, an event with the answers of all exports")
    func entities() throws {
        let id = { (byte: UInt8) in Data([UInt8](repeating: byte, count: 16)).base64EncodedString() }
        let when =
            #""when":{"date":"2026-12-01","time":"00:00","timeZone":"UTC","durationMinutes":90},"startsAtUs":"1796083200000000""#
        let event = { (answer: String) in
            #"{"id":"\#(id(9))","creator":"ann","title":"Party","location":"Bar",\#(when),"own":{"status":"ATTENDANCE_STATUS_\#(answer)"}}"#
        }
        let weekly = #"{"id":"\#(id(8))","creator":"ann","title":"Weekly",\#(when),"recurrence":"FREQ=WEEKLY"}"#
        let talk = ("conversations", [group([member("ann"), member("bob")])])
        let result = try converted([
            "ann.json": export(
                of: "ann",
                [
                    talk,
                    (
                        "reminders",
                        [
                            #"{"id":"\#(id(7))","title":"Call","dueAtUs":"1796083200000000","timeZone":"Europe/Zurich","conversation":"0123456789abcdef0123456789abcdef","sourceMessage":"\#(id(1))"}"#
                        ]
                    ),
                    (
                        "decisions",
                        [
                            #"{"id":"\#(id(6))","user":"ann","text":"Blue"}"#,
                            #"{"id":"\#(id(5))","user":"ann","text":"Red","supersededBy":"\#(id(6))"}"#,
                        ]
                    ),
                    ("events", [event("ACCEPTED"), weekly]), ("messages", [said(1, "ann", "a")]),
                ]),
            "bob.json": export(of: "bob", [talk, ("events", [event("DECLINED")])]),
        ])
        let reminder = try #require(result.entities.first { $0.kind == .reminder })
        #expect(reminder.text == "Call" && reminder.timeZone == "Europe/Zurich" && reminder.person == "ann")
        #expect(reminder.message == result.messages[0].uuid && reminder.conversation == result.talks[0].id)
        #expect(result.entities.filter { $0.kind == .decision }.map(\.text) == ["Blue"])
        let party = try #require(result.entities.first { $0.kind == .event })
        // Midnight is a time of day, too.
        #expect(!party.isWholeDay && party.minutes == 90 && party.dueAt == 1_796_083_200_000_000)
        #expect(party.people == [.init(person: "ann", answer: .accepted), .init(person: "bob", answer: .declined)])
        #expect(result.entities.count == 3)
        let ann = try #require(result.people.first { $0.source == "ann" })
        #expect(ann.kept.contains { $0.object.contains("FREQ=WEEKLY") })
    }

    @Test("what is no export, is newer, cut off or of one person twice is refused")
    func refused() throws {
        let good = export(of: "ann", [])
        for (files, code) in [
            (["a.json": "{}"], .notExport), (["a.json": "[1]"], .notExport), ([:], .nothing),
            (["a.json": #"{"profile":[]}"#], .notExport), (["a.json": #"{"parley_export":1}"#], .notExport),
            (["a.json": #"{"parley_export":2,"user":"ann"}"#], .exportVersion),
            (["a.json": #"{"parley_export":1,"user":"../x"}"#], .notExport),
            (["a.json": export(of: "ann", []).replacing(#""user":"ann""#, with: #""user":"bob""#)], .notExport),
            (["a.json": String(good.prefix(60))], .cutOff), (["a.json": good, "b.json": good], .samePerson),
        ] as [([String: String], ImportError.Code)] {
            let error = #expect(throws: ImportError.self, "\(files)") { try converted(files) }
            #expect(error?.code == code, "\(files) \(error?.message ?? "")")
        }
    }
}
