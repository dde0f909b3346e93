import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("Commands for messages", .timeLimit(.minutes(10)))
struct MessageCommandTests {
    /// A signed-in person with the `parley` command.
    private struct Person {
        let program: Program
        let username: String
        let url: String

        init(_ name: String, at url: String) async throws {
            (program, self.url) = (try Program(), url)
            username = name + String(UInt64.random(in: 0...(.max)), radix: 36)
            let made = try await program.run(
                ["register", username, "--url", url], environment: ["PARLEY_PASSWORD": Device.password])
            #expect(made.status == 0, "\(made.errors)")
        }

        func run(_ arguments: [String]) async throws -> Ended {
            try await program.run(arguments + ["--url", url], environment: ["PARLEY_PASSWORD": Device.password])
        }

        /// Runs the command and expects success.
        @discardableResult
        func done(_ arguments: [String]) async throws -> Ended {
            let outcome = try await run(arguments)
            #expect(outcome.status == 0, "\(arguments): \(outcome.output)\(outcome.errors)")
            return outcome
        }

        func object(_ arguments: [String]) async throws -> [String: String] {
            let outcome = try await done(arguments + ["--json"])
            return try #require(outcome.objects.first, "\(arguments): \(outcome.output)")
        }
    }

    private static func pair() async throws -> (dana: Person, erin: Person) {
        let cluster = try await TestCluster.shared
        let dana = try await Person("dana", at: cluster.url())
        return (dana, try await Person("erin", at: cluster.url(1)))
    }

    @Test("E3 E4 E5 the commands remind, snooze, forget and decide; tail shows a reminder that fires, and a decision")
    func reminding() async throws {
        let (dana, erin) = try await Self.pair()
        defer { for one in [dana, erin] { one.program.remove() } }
        try await dana.done(["send", erin.username, "which film?"])
        try await dana.done(["remind", "long ago", "--at", "2026-01-02T10:00:00Z"])
        try await eventually("it has fired") {
            try await dana.done(["reminders", "--json"]).objects.first?["fired_at"] != nil
        }
        let tail = try dana.program.start(
            ["tail", "--last", "1", "--url", dana.url], environment: ["PARLEY_PASSWORD": Device.password])
        try await eventually("tail follows") { tail.output.contains("Waiting for messages") }
        try await dana.done(["remind", "buy", "tickets", "--at", "+90m"])
        // A reminder whose time has passed fires at once.
        try await dana.done(["remind", "call", "mum", "--at", "2026-01-02T10:00:00Z"])
        let decided = try await erin.object(["decide", "The", "old", "one", "--in", dana.username])
        #expect(decided["text"] == "The old one" && decided["conversation"]?.isEmpty == false, "\(decided)")
        try await eventually("tail shows both: \(tail.output)") {
            tail.output.contains("Reminder: call mum")
                && tail.output.contains("\(erin.username) shared a decision: The old one")
        }
        #expect(!tail.output.contains("tickets") && !tail.output.contains("long ago"))
        let found = try await dana.done(["decisions", "--in", erin.username, "--find", "old", "--json"]).objects
        #expect(found.map { $0["id"] } == [decided["id"]])
        let history = try await dana.done(["history", erin.username]).output
        #expect(history.contains("\(erin.username) shared a decision: The old one"), "\(history)")

        try await dana.done(["snooze", "call", "--until", "+2h"])
        try await dana.done(["forget", "buy tickets"])
        let left = try await dana.done(["reminders", "--json"]).objects
        #expect(
            left.map { $0["title"] } == ["long ago", "call mum"] && left.map { $0["fired_at"] != nil } == [true, false])
        #expect(try await dana.run(["snooze", "nothing", "--until", "+2h"]).status == 1)
        #expect(try await dana.run(["remind", "x", "--at", "tomorrow-ish"]).status == 64)
        tail.signal(SIGINT)
        _ = try await tail.end()
    }

    @Test("E1 E2 E9 the commands about events: invited in a chat, answered, hosted, listed, exported, cancelled")
    func events() async throws {
        let (dana, erin) = try await Self.pair()
        defer { for one in [dana, erin] { one.program.remove() } }
        try await dana.done(["send", erin.username, "dinner?"])
        let made = try await dana.object([
            "event", "Dinner", "for", "two", "--at", "+3h", "--zone", "Europe/Zurich", "--place", "Trattoria", "--in",
            erin.username,
        ])
        #expect(made["title"] == "Dinner for two" && made["own"] == "yes" && made["time_zone"] == "Europe/Zurich")
        try await dana.done(["event", "Walk", "--on", "2026-11-02", "--repeat", "FREQ=DAILY"])
        try await eventually("erin sees it") {
            try await erin.done(["agenda", "--json"]).objects.map { $0["event"] } == [made["id"]]
        }
        let answered = try await erin.done(["rsvp", "yes", "dinner", "--guests", "1", "--remind", "10"])
        #expect(answered.output == "Answered yes: Dinner for two, 3 coming\n")
        let week = try await dana.done(["agenda"]).output.split(separator: "\n")
        #expect(week.count == 8 && week.contains { $0.contains("Dinner for two  (Trattoria)") })
        #expect(try await dana.done(["agenda", "--days", "3", "--in", erin.username, "--json"]).objects.count == 1)
        let file = try await erin.done(["calendar", "Dinner"]).output
        #expect(file.hasPrefix("BEGIN:VCALENDAR\r\n") && file.contains("SUMMARY:Dinner for two\r\n"))
        #expect(try await erin.object(["calendar", "--link"])["path"]?.hasPrefix("/v1/calendar/") == true)
        #expect(try await erin.done(["calendar", "--end-link"]).output == "The link has ended.\n")
        #expect(
            try await dana.done(["host", "ask", "dinner", "--user", erin.username]).output
                == "Asked \(erin.username) to host Dinner for two\n")
        #expect(try await erin.object(["host", "yes", "dinner"])["host"] == "1")
        #expect(try await erin.done(["host", "no", "dinner"]).output == "You do not host Dinner for two\n")
        #expect(try await erin.run(["host", "yes", "dinner"]).status == 1)
        #expect(try await dana.run(["host", "ask", "dinner"]).status == 64)
        let guests = try await dana.done(["guests", "dinner", "--json"]).objects
        #expect(guests.map { $0["name"] } == [dana.username, erin.username])
        #expect(guests.map { $0["answer"] } == ["yes", "yes"] && guests.map { $0["guests"] } == ["0", "1"])
        #expect(try await erin.done(["guests", "dinner"]).output.contains("\(erin.username) and 1 more"))
        #expect(
            try await dana.done(["invite", "dinner", "--in", erin.username, "--withdraw"]).output
                == "\(erin.username) is no longer invited to Dinner for two\n")
        #expect(
            try await dana.done(["invite", "dinner", "--in", erin.username]).output
                == "Invited \(erin.username) to Dinner for two\n")
        #expect(try await erin.run(["invite", "dinner", "--in", dana.username]).status == 1)
        let day = Date(timeIntervalSinceNow: 30 * 86_400).formatted(.iso8601.year().month().day())
        let later = try await dana.object(["change", "dinner", "--at", "\(day) 20:30", "--minutes", "90"])
        #expect(later["date"] == day && later["time"] == "20:30" && later["duration_minutes"] == "90")
        #expect(later["location"] == "Trattoria" && later["title"] == "Dinner for two")
        let whole = ["dinner", "--on", day, "--days", "2", "--place", "", "--title", "Dinners"]
        let days = try await dana.object(["change"] + whole)
        #expect(days["date"] == day && days["time"] == "" && days["duration_minutes"] == "2880")
        #expect(days["location"] == "" && days["version"] == "3")
        #expect(try await dana.done(["change", "dinners", "--repeat", ""]).output == "Changed: Dinners on \(day)\n")
        #expect(try await erin.run(["change", "dinners", "--minutes", "5"]).status == 1, "it takes whole days")
        for wrong in [[], ["--days", "4000000000"], ["--at", "+1h", "--on", day], ["--zone", "Mars/Olympus"]] {
            #expect(try await dana.run(["change", "dinners"] + wrong).status == 64, "\(wrong)")
        }
        #expect(try await dana.run(["event", "x", "--on", day, "--days", "4000000000"]).status == 64)
        #expect(try await dana.object(["cancel", "dinner"])["cancelled"] == "1")
        #expect(try await dana.done(["cancel", made["id"] ?? "", "--delete"]).output.hasPrefix("Deleted "))
        #expect(try await dana.run(["rsvp", "yes", "nothing"]).status == 1)
        #expect(try await dana.run(["event", "x"]).status == 64)
        #expect(try await dana.run(["event", "x", "--at", "tomorrow-ish"]).status == 64)
    }

    @Test("E8 the command suggestions: what a message suggests is listed, accepted, answered, dismissed and turned off")
    func suggestions() async throws {
        let (dana, erin) = try await Self.pair()
        defer { for one in [dana, erin] { one.program.remove() } }
        try await dana.done(["send", erin.username, "Dinner on Friday at 7pm"])
        try await dana.done(["send", erin.username, "Can you send the docs by tomorrow?"])
        try await eventually("both have theirs") {
            let kinds = try await erin.done(["suggestions", "--json"]).objects.map { $0["kind"] }
            return try await dana.done(["suggestions", "--json"]).objects.count == 1 && kinds == ["reminder", "event"]
        }
        let lines = try await erin.done(["suggestions", "--in", dana.username]).output.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasSuffix("Send the docs") && lines[1].hasSuffix(" 19:00  Dinner"))
        let made = try await erin.done(["suggestions", "--accept", "dinner", "--title", "Supper"])
        #expect(made.output == "Event: Supper, 1 coming\n")
        try await eventually("dana's is an answer now") {
            try await dana.done(["suggestions"]).output.contains("(made by another)")
        }
        #expect(
            try await dana.done(["suggestions", "--accept", "Dinner"]).output == "Answered yes: Supper, 2 coming\n")
        #expect(try await erin.object(["suggestions", "--dismiss", "Send"])["state"] == "dismissed")
        #expect(try await erin.run(["suggestions", "--accept", "Send"]).status == 1)
        #expect(try await erin.run(["suggestions", "--title", "x"]).status == 64)
        #expect(
            try await erin.done(["suggestions", "--off", "--in", dana.username]).output.hasPrefix("Suggestions are off")
        )
        #expect(try await erin.done(["suggestions", "--on"]).output == "Suggestions are on.\n")
        #expect(try await erin.done(["suggestions"]).output.isEmpty)
    }

    @Test("M8 M9 M12 the commands edit, delete, react and reply, and history and tail show it")
    func changing() async throws {
        let (dana, erin) = try await Self.pair()
        defer { for one in [dana, erin] { one.program.remove() } }
        try await dana.done(["send", erin.username, "see you at seven"])
        try await erin.done(["send", dana.username, "fine", "--reply-to", "1"])
        let tail = try dana.program.start(
            ["tail", "--receipts", "--last", "1", "--url", dana.url], environment: ["PARLEY_PASSWORD": Device.password])
        try await eventually("tail follows") { tail.output.contains("Waiting for messages") }

        try await dana.done(["edit", erin.username, "1", "see", "you", "at", "eight"])
        let revisions = try await erin.done(["revisions", dana.username, "1", "--json"]).objects
        #expect(revisions.map { $0["text"] } == ["see you at seven"])
        #expect(try await erin.done(["react", dana.username, "1", "👍"]).output == "👍 1\n")
        #expect(try await dana.object(["react", erin.username, "1"])["username"] == erin.username)
        try await erin.done(["send", dana.username, "a slip"])
        #expect(try await erin.done(["delete", dana.username, "3"]).output == "Deleted message 3 for everyone.\n")
        try await erin.done(["read", dana.username])

        let shown = try await erin.done(["history", dana.username, "--numbers"]).output.split(separator: "\n")
        #expect(shown.count == 3)
        #expect(shown[0].hasPrefix("#1 ") && shown[0].hasSuffix("see you at eight (edited) (1 reply) 👍 1"), "\(shown)")
        #expect(shown[1].hasSuffix("↩ #1 fine") && shown[2].hasSuffix("(deleted)"), "\(shown)")
        let objects = try await dana.done(["history", erin.username, "--json"]).objects
        #expect(objects.map { $0["edited_at"] != nil } == [true, false, false])
        #expect(objects.map { $0["deleted_at"] != nil } == [false, false, true])
        #expect(objects.map { $0["reply_to_seq"] } == [nil, "1", nil])
        for seq in ["1", "2"] {
            let thread = try await dana.done(["thread", erin.username, seq, "--json"]).objects
            #expect(thread.map { $0["seq"] } == ["1", "2"])
        }
        let expected = [
            "edited message 1: see you at eight", "\(erin.username) added 👍 to message 1", "a slip",
            "message 3 of \(erin.username) was deleted", "\(erin.username) has read up to message 3",
        ]
        try await eventually("tail shows everything: \(tail.output)") {
            expected.allSatisfy { tail.output.contains($0) }
        }
        tail.signal(SIGINT)
        _ = try await tail.end()
        #expect(try await erin.done(["react", dana.username, "1", "👍", "--remove"]).output.contains("No reactions"))
        let wrong: [(who: Person, arguments: [String], status: Int32, says: String)] = [
            (erin, ["edit", dana.username, "1", "not mine"], 1, "not_author"),
            (erin, ["delete", dana.username, "1"], 1, "not_author"),
            (erin, ["edit", dana.username, "3", "again"], 1, "message_deleted"),
            (erin, ["react", dana.username, "99", "👍"], 1, "message_not_found"),
            (erin, ["react", dana.username, "1", "word"], 1, "invalid"),
            (erin, ["react", dana.username, "1", "--remove"], 64, "emoji"),
            (erin, ["edit", dana.username, "0", "x"], 64, "at least 1"),
            (erin, ["delete", dana.username], 64, "seq"),
            (erin, ["send", dana.username, "x", "--reply-to", "99"], 1, "message_not_found"),
        ]
        for (who, arguments, status, says) in wrong {
            let outcome = try await who.run(arguments)
            #expect(outcome.status == status && outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
        }
    }

    @Test("M10 M11 M13 the commands list mentions and stars, and forward and hide messages")
    func messageStates() async throws {
        let (dana, erin) = try await Self.pair()
        defer { for one in [dana, erin] { one.program.remove() } }
        let group = "Trip \(dana.username)"
        try await dana.done(["group", group, erin.username])
        try await dana.done(["send", group, "hello @\(erin.username), and @nobody-at-all"])
        let mentions = try await erin.done(["mentions", "--json"]).objects
        #expect(mentions.map { $0["seq"] } == ["1"] && mentions.map { $0["title"] } == [group])
        #expect(try await dana.run(["mentions"]).errors.contains("Nobody mentions you."))

        #expect(try await erin.done(["star", group, "1"]).output == "Starred message 1.\n")
        #expect(try await erin.done(["starred"]).output.hasSuffix("★\n"))
        #expect(try await dana.run(["starred"]).errors.contains("No starred messages."))
        try await erin.done(["unstar", group, "1"])
        #expect(try await erin.run(["starred"]).errors.contains("No starred messages."))

        try await erin.done(["forward", group, "1", dana.username])
        let forwarded = try await dana.done(["history", erin.username]).output
        #expect(forwarded.contains("(forwarded from \(dana.username)) hello @\(erin.username)"), "\(forwarded)")

        #expect(try await erin.done(["hide", group, "1"]).output == "Deleted message 1 for you.\n")
        #expect(try await erin.done(["history", group]).output.contains("(deleted for you)"))
        #expect(try await dana.done(["history", group]).output.contains("hello"))
        let wrong: [(arguments: [String], status: Int32, says: String)] = [
            (["star", group, "99"], 1, "message_not_found"),
            (["forward", group, "1", dana.username], 1, "message_not_found"),
            (["forward", group, "1", dana.username, "--id", "nonsense"], 64, "hexadecimal"),
            (["starred", "--limit", "0"], 64, "1 to 100000"),
            (["hide", "nobody-\(dana.username)", "1"], 1, "There is nobody"),
        ]
        for (arguments, status, says) in wrong {
            let outcome = try await erin.run(arguments)
            #expect(outcome.status == status && outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
        }
    }

    @Test("C8 C11 M5 M6 M7 M16 the commands to read, pin, mute, archive and clear change the inbox and the badge")
    func inboxState() async throws {
        let (dana, erin) = try await Self.pair()
        defer { for one in [dana, erin] { one.program.remove() } }
        for text in ["one", "two"] { try await dana.done(["send", erin.username, text]) }
        try await dana.done(["group", "Other \(erin.username)", erin.username])
        try await dana.done(["send", "Other \(erin.username)", "in the group"])
        try await erin.done(["send", dana.username, "three"])
        let badge = try await erin.object(["badge"])
        #expect(badge == ["badge": "3", "conversations": "2", "mentions": "0"])
        let entry = try await erin.done(["inbox", "--json"]).objects.first { $0["title"] == dana.username }
        #expect(entry?["unread"] == "2" && entry?["read_seq"] == "0" && entry?["last_text"]?.hasSuffix("three") == true)

        try await erin.done(["pin", dana.username])
        #expect(try await erin.done(["inbox"]).output.hasPrefix(dana.username))
        #expect(try await erin.done(["read", dana.username, "--up-to", "1"]).output == "Read up to message 1.\n")
        #expect(try await erin.object(["badge"])["badge"] == "2")
        let receipt = try await dana.object(["receipts", erin.username])
        #expect(receipt["username"] == erin.username && receipt["read_seq"] == "1" && receipt["read_at"] != nil)
        let readers = try await dana.object(["readers", erin.username, "1"])
        #expect(readers["username"] == erin.username && readers["read_at"] != nil)
        #expect(try await dana.object(["readers", erin.username, "2"])["read_at"] == nil)

        try await erin.done(["read", dana.username])
        #expect(try await erin.object(["badge"])["badge"] == "1")
        try await erin.done(["unread", dana.username])
        #expect(try await erin.object(["badge"])["badge"] == "2")
        #expect(try await erin.done(["read", dana.username, "--json"]).objects.first?["marked_unread"] == "0")
        try await erin.done(["mute", "Other \(erin.username)", "--until", "+8h"])
        #expect(try await erin.object(["badge"])["badge"] == "0")
        try await erin.done(["unmute", "Other \(erin.username)"])
        #expect(try await erin.object(["badge"])["badge"] == "1")

        try await erin.done(["unpin", dana.username])
        try await erin.done(["archive", dana.username])
        #expect(!(try await erin.done(["inbox"]).output.contains(dana.username + " ")))
        #expect(try await erin.done(["inbox", "--archived"]).output.contains(dana.username))
        try await erin.done(["unarchive", dana.username])
        #expect(try await erin.run(["inbox", "--archived"]).errors.contains("Nothing is archived."))
        #expect(try await erin.run(["clear", dana.username]).status == 64)
        try await erin.done(["clear", dana.username, "--yes"])
        #expect(try await erin.done(["history", dana.username]).output.isEmpty)
        #expect(try await erin.done(["inbox", "--json"]).objects.count == 1)
        try await dana.done(["send", erin.username, "after"])
        #expect(try await erin.done(["history", dana.username, "--json"]).objects.map { $0["text"] } == ["after"])
        #expect(try await dana.done(["history", erin.username, "--json"]).objects.count == 4)
        let wrong: [(arguments: [String], status: Int32, says: String)] = [
            (["mute", dana.username, "--until", "sometime"], 64, "not a time"),
            (["read", dana.username, "--up-to", "0"], 64, "at least 1"),
            (["pin", "nobody-\(dana.username)"], 1, "There is nobody"),
            (["pin", erin.username], 1, "no conversation with"),
        ]
        for (arguments, status, says) in wrong {
            let outcome = try await erin.run(arguments)
            #expect(outcome.status == status && outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
        }
    }

    @Test("M17 a downloaded file equals the attached one, and an existing file is replaced only with --overwrite")
    func files() async throws {
        let (dana, erin) = try await Self.pair()
        defer { for one in [dana, erin] { one.program.remove() } }
        let folder = try TestFolder()
        defer { folder.remove() }
        let (plan, copy) = ("\(folder.path)/plan.txt", "\(folder.path)/copy.txt")
        let bytes = Data((0..<300_000).map { UInt8(ascii: "a") + UInt8($0 % 26) })
        try bytes.write(to: URL(fileURLWithPath: plan))
        let sent = try await dana.done(["attach", erin.username, plan, "the", "plan"]).output
        #expect(sent.contains("(message 1)"), "\(sent)")
        let shown = try await erin.done(["history", dana.username]).output
        #expect(shown.contains("plan.txt") && shown.contains("the plan"), "\(shown)")

        let saved = try await erin.object(["download", dana.username, "1", "--to", copy])
        #expect(saved == ["path": copy, "name": "plan.txt", "mime_type": saved["mime_type"], "size_bytes": "300000"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == bytes)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: copy))
        let kept = try await erin.run(["download", dana.username, "1", "--to", copy])
        #expect(kept.status == 1 && kept.errors.contains("--overwrite"), "\(kept.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data("mine".utf8))
        try await erin.done(["download", dana.username, "1", "--to", copy, "--overwrite"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == bytes)
        try await erin.done(["send", dana.username, "no file"])
        let wrong: [(arguments: [String], status: Int32, says: String)] = [
            (["download", dana.username, "2", "--to", copy, "--overwrite"], 1, "attachment_not_found"),
            (["download", dana.username, "99"], 1, "message_not_found"),
            (["download", dana.username, "0"], 64, "at least 1"),
            (["download", dana.username, "1", "--to", "\(folder.path)/none/copy.txt"], 1, "file_failed"),
            (["attach", dana.username, "\(folder.path)/nothing.txt"], 1, "nothing.txt"),
            (["attach", dana.username, folder.path], 1, folder.path),
            (["attach", dana.username, plan, "--type", "text/html"], 1, "invalid"),
        ]
        for (arguments, status, says) in wrong {
            let outcome = try await erin.run(arguments)
            #expect(outcome.status == status && outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
        }
    }

    @Test("M15 M18 the commands find messages and set when new ones disappear")
    func searchingAndRetention() async throws {
        let (dana, erin) = try await Self.pair()
        defer { for one in [dana, erin] { one.program.remove() } }
        let word = "zebra\(dana.username.suffix(6))"
        try await dana.done(["send", erin.username, "a \(word) in the garden"])
        try await eventually("the message is found") {
            try await erin.run(["search", word, "--json"]).objects.count == 1
        }
        let line = try await erin.done([
            "search", String(word.prefix(9)), "--in", dana.username, "--from", dana.username,
        ])
        #expect(line.output.contains("#1") && line.output.contains(word), "\(line.output)")
        #expect(try await erin.run(["search", word, "--from", erin.username]).errors.contains("Nothing found."))
        #expect(try await erin.run(["search", word, "--kind", "poem"]).status == 64)

        let set = try await dana.done(["retention", erin.username, "7d"])
        #expect(set.output == "New messages disappear after 7 days.\n")
        try await dana.done(["send", erin.username, "soon gone"])
        let last = try await erin.done(["history", dana.username, "--json"]).objects.last { $0["text"] == "soon gone" }
        #expect(last?["expires_at"] != nil)
        #expect(try await dana.done(["history", erin.username]).output.contains("disappear after 7 days"))
        #expect(try await dana.done(["retention", erin.username, "off"]).output == "New messages do not disappear.\n")
        #expect(try await dana.run(["retention", erin.username, "soon"]).status == 64)
        #expect(try await dana.run(["retention", erin.username, "5s"]).errors.contains("invalid"))
    }
}
