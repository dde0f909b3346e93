import Testing

@testable import Import

@Suite("Reading JSON of any size")
struct JSONReaderTests {
    private func value(_ text: String) throws -> JSON { try value(Array(text.utf8)) }

    private func value(_ bytes: [UInt8]) throws -> JSON {
        var reader = JSONReader(bytes, name: "rtdb.json")
        let value = try reader.value(from: try reader.next())
        #expect(try reader.next() == .end)
        return value
    }

    private func refusal(_ bytes: [UInt8]) -> ImportError? {
        do {
            _ = try value(bytes)
            return nil
        } catch { return error as? ImportError }
    }

    @Test(
        "values are read as they are written, numbers with all their digits",
        arguments: [
            (#"{"a":[1,-2.5e3,true,null],"b":{}}"#, #"{"a":[1,-2.5e3,true,null],"b":{}}"#),
            ("\u{FEFF}{}", "{}"),
            (#" [ "\u00e4\ud83d\ude00\n\/" , 12345678901234567890 ] "#, "[\"ä😀\\n/\",12345678901234567890]"),
            (
                #""half \ud83d, half \ude00, both wrong \ud83d\ud83d\ude00, NUL \u0000""#,
                #""half �, half �, both wrong �😀, NUL �""#
            ),
        ])
    func values(text: String, shown: String) throws { #expect(try value(text).text == shown) }

    @Test(
        "T3 what Firebase cannot have written is refused with a stable code, the byte and the path",
        arguments: [
            (#"{"users":{"alice":{"name":"Al"#, "import_cut_off", "byte 29, in users/alice/name"),
            (#"{"users":[1,{"a":"#, "import_cut_off", "byte 17, in users/1/a"),
            (#"{"a":1"#, "import_cut_off", "byte 6, in a"),
            ("", "import_cut_off", "is empty"),
            (#"{"a" 1}"#, "import_not_json", "byte 5"),
            (#"{"a":tru}"#, "import_not_json", "no value"),
            ("{} {}", "import_not_json", "after the end"),
            ("{\"a\":\"\u{1}\"}", "import_not_json", "control character"),
            (#"{"a":1.2.3}"#, "import_not_json", "no number"),
            (String(repeating: "[", count: 10_000), "import_too_large", "128 levels"),
            ("{\"\(String(repeating: "k", count: 7_000))\":1}", "import_too_large", "a key"),
        ])
    func refused(text: String, code: String, part: String) throws {
        let error = try #require(refusal(Array(text.utf8)))
        #expect(error.code.rawValue == code && error.message.contains(part), "\(error)")
        #expect(!error.advice.isEmpty)
    }

    @Test("other encodings are refused with the command that turns them into UTF-8")
    func encodings() throws {
        for bytes in [
            [0xFF, 0xFE, 0x7B, 0], [0, 0x7B, 0, 0x7D], Array("{\"a\":\"".utf8) + [0xE4] + Array("\"}".utf8),
        ] {
            let error = try #require(refusal(bytes))
            #expect(error.code == .encoding && error.advice.contains("iconv"))
        }
    }

    @Test("a key of 768 bytes is one, and what replaced a broken character is counted")
    func keys() throws {
        let key = String(repeating: "ä", count: 384)
        #expect(try value("{\"\(key)\":1}")[key] == .number("1"))
        var reader = JSONReader(Array(#"["\ud800","\u0000","fine"]"#.utf8), name: "rtdb.json")
        try reader.skip(from: try reader.next())
        #expect(reader.replaced == 2)
    }

    @Test("of any text cut anywhere the reader says so, and never reads past it")
    func cuts() {
        let text = Array(#"{"a":[1,{"b":"\u00e4x"},true],"c":{"d":null}}"#.utf8)
        for end in 0..<text.count { #expect(refusal(Array(text[..<end]))?.code == .cutOff, "\(end)") }
    }
}

@Suite("Maps of places")
struct PlacesTests {
    @Test("the built-in map finds the places that the pages of Firebase apps show")
    func builtIn() {
        for (path, place) in [
            ("users/a", Place.person), ("userProfiles/a", .person), ("users/a/blockedUsers/b", .block),
            ("users/a/chats/c", .chat), ("users/a/mentionedMessages/m", .mark), ("chats/c/metadata", .conversation),
            ("chats/c/messages/m", .message), ("conversations/c/activeMessages/m", .message),
            ("conversations/c/messages/m", .message), ("conversationMembers/c", .members),
            ("userConversations/a/c", .state),
        ] {
            var node: Places.Node? = Places.builtIn.root
            for part in path.split(separator: "/") { node = node?.child(String(part))?.node }
            #expect(node?.place == place, "\(path)")
        }
    }

    @Test("an app's own map replaces the entries that it has, and a wrong one is refused")
    func own() throws {
        let places = try Places(
            yaml: """
                places:
                  message: ["rooms/{conversation}/log/{message}"]   # as the app calls it
                fields:
                  message:
                    text: [say, meta.words]
                """)
        #expect(places.root.named["rooms"]?.any?.named["log"]?.any?.place == .message)
        #expect(places.root.named["users"]?.any?.place == .person)
        #expect(places.names("text", of: .message) == [["say"], ["meta", "words"]])
        for (yaml, part) in [
            ("places:\n  message: [\"rooms/{room}\"]", "{conversation} and {message}"), ("place:\n  a: b", "has place"),
            ("fields:\n  message:\n    words: [a]", "has words"), ("places:\n\tmessage: a", "Line 2"),
            ("places:\n  room: [\"a/{b}\"]", "has room"),
        ] {
            let error = #expect(throws: ImportError.self) { try Places(yaml: yaml) }
            #expect(error?.code == .map && error?.message.contains(part) ?? false, "\(yaml): \(error as Any)")
        }
    }
}

@Suite("Times")
struct TimeTests {
    @Test(
        "numbers under 10¹¹ are seconds, others milliseconds, and texts and timestamps are what they say",
        arguments: [
            (#"1704067200"#, Int64(1_704_067_200_000_000)), ("1704067200.5", 1_704_067_200_500_000),
            ("1704067200000", 1_704_067_200_000_000), ("\"1704067200000\"", 1_704_067_200_000_000),
            ("1.7040672E12", 1_704_067_200_000_000), ("99999999999", 99_999_999_999_000_000),
            ("100000000000", 100_000_000_000_000), ("\"2024-01-01T00:00:00Z\"", 1_704_067_200_000_000),
            ("\"2024-01-01T01:00:00.25+01:00\"", 1_704_067_200_250_000),
            ("\"2023-12-31T18:30:00.123456789-05:30\"", 1_704_067_200_123_456),
            ("\"2024-01-01T01:00:00+0100\"", 1_704_067_200_000_000),
            ("\"2024-01-01T00:00:00.5\"", 1_704_067_200_500_000), ("\"2024-01-01\"", 1_704_067_200_000_000),
            ("\"2024-01-01T00:00:00.\"", nil), ("\"2024-01-01T00:00:00.Z\"", nil), ("\".\"", nil),
            ("\"+12:00\"", nil), ("\"2024-13-01T00:00:00Z\"", nil),
            (#"{"_seconds":1704067200,"_nanoseconds":1000}"#, 1_704_067_200_000_001),
            (#"{"__datatype__":"timestamp","value":{"_seconds":1,"_nanoseconds":0}}"#, 1_000_000),
            (#"{".sv":"timestamp"}"#, nil), ("\"timestamp\"", nil), ("-5", nil), ("0", nil), ("1e300", nil),
            ("99999999999999999999", nil), (#"{"_seconds":99999999999999999}"#, nil), ("\"\"", nil), ("true", nil),
        ] as [(String, Int64?)])
    func times(text: String, time: Int64?) throws {
        var reader = JSONReader(Array(text.utf8), name: "x")
        #expect(Times.microseconds(try reader.value(from: try reader.next())) == time)
    }

    @Test("a push id has its time")
    func pushIDs() {
        #expect(Times.microseconds(ofPushID: "-JhLeOlGIEjaIOFHR0xd") == 1_423_088_131_153_000)
        #expect(Times.microseconds(ofPushID: "message-1") == nil)
        #expect(Times.microseconds(ofPushID: "--------------------") == nil)
    }
}
