import Foundation
import Testing

@Suite("proto/generate")
struct GeneratorTests {
    @Test("The generated code matches the current contract")
    func digests() throws {
        let (output, status) = try run("/bin/bash", ["proto/generate", "--check"])
        #expect(status == 0, "\(output)")
    }

    @Test("A contract that was changed without generating the code again is detected")
    func changedContract() throws {
        try withTemporaryFolder { folder in
            for path in [
                "proto", "Sources/C/CSchema", "Sources/Platform/Schema/Generated",
                "Sources/Clients/ParleyClient/Generated", "Sources/Clients/ParleyKit/Generated",
                "Sources/Clients/Web/protocol/generated",
                "Sources/Platform/ServiceKit/SQL", "Tests/SchemaTests/Generated",
            ] {
                let copy = folder.appending(path: path)
                try FileManager.default.createDirectory(
                    at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
                try FileManager.default.copyItem(at: root.appending(path: path), to: copy)
            }
            #expect(try run("/bin/bash", ["proto/generate", "--check"], in: folder).status == 0)
            let proto = folder.appending(path: "proto/parley/v1/common.proto")
            try (String(contentsOf: proto, encoding: .utf8) + "message New {}\n")
                .write(to: proto, atomically: true, encoding: .utf8)
            let (output, status) = try run("/bin/bash", ["proto/generate", "--check"], in: folder)
            #expect(status == 1)
            #expect(output.contains("Common.swift is not of this contract"))
        }
    }

    @Test(
        "A contract that breaks the rules is refused with the file, line, message and field",
        arguments: [
            ("message A { string text = 1; }", "bad.proto:3: A.text: has no limit; say \"max N bytes\""),
            ("message A { bytes id = 1;  // sixteen\n }", "bad.proto:3: A.id: has no limit"),
            ("message A { repeated int64 n = 1; }", "bad.proto:3: A.n: has no limit; say \"max N items\""),
            ("message A { repeated int64 n = 1;  // max 3 bytes\n }", "A.n: has no limit; say \"max N items\""),
            ("message A { repeated string s = 1;  // max 3 items\n }", "A.s: has no limit; say \"max N items of"),
            ("message A { string s = 1;  // max 3 items\n }", "A.s: has no limit; say \"max N bytes\""),
            ("message A { A a = 1; }", "bad.proto:3: A.a: recursive message type (A → A)"),
            ("message A { B b = 1; }\nmessage B { C c = 1; }\nmessage C { A a = 1; }", "type (A → B → C → A)"),
            ("message A { optional int64 n = 1; }", "bad.proto:3: A.n: protobuf-c knows no proto3 optional"),
            ("message A { map<int64, int64> m = 1; }", "bad.proto:3: A: maps are not used here"),
            ("message A { message B {} }", "bad.proto:3: A: types inside messages are not used here"),
            ("message A { sint64 n = 1; }", "bad.proto:3: A.n: fields of type sint64 are not used here"),
            ("enum E { NONE = 0; }", "bad.proto:3: E: the first value must be E_UNSPECIFIED = 0"),
        ])
    func refusals(proto: String, words: String) throws {
        let (output, status) = try generate(proto)
        #expect(status == 1)
        #expect(output.contains(words), "\(output)")
    }

    @Test(
        "A state whose comment does not say how it reaches clients is refused",
        arguments: [
            ("// Update of stream \"s/u/ME\".\nmessage A {}", "bad.proto:8: A: its comment must end with 'Update of"),
            (
                "// Updates of stream \"s/u/ME\", one, after a gap from s.Sync.\nmessage A {}",
                "8: A: its comment must end"
            ),
            ("// Update of stream \"s/me\", one, after a gap from s.Sync.\nmessage A {}", "8: A: its comment must end"),
            (
                "\(Self.line("key b"))\nmessage A { int64 position = 1; }",
                "bad.proto:8: A: its key b is none of its fields"
            ),
            (
                "\(Self.line("key b.c"))\nmessage A { B b = 1; int64 position = 2; }\nmessage B {}",
                "8: A: its key b.c is none"
            ),
            (
                "\(Self.line("key b"))\nmessage A { bool b = 1; int64 position = 2; }",
                "8: A: its key b is neither a string"
            ),
            (
                "\(Self.line("key b c d"))\nmessage A { int64 b = 1; int64 c = 2; int64 d = 3; int64 position = 4; }",
                "bad.proto:8: A: has 3 key fields, and clients hold states by at most two"
            ),
            ("\(Self.line("one", from: "s.M"))\nmessage A { int64 position = 1; }", "bad.proto:8: A: there is no s.M"),
            ("\(Self.line("one", stream: "t"))\nmessage A { int64 position = 1; }", "8: A: there is no service t"),
            ("\(Self.line("one"))\nmessage A {}", "bad.proto:8: A: has no position; say \"without positions\""),
            (
                "\(Self.line("one"))\nmessage A { int64 position = 1; }",
                "bad.proto:6: A: is not in Reply, the reply to s.Sync"
            ),
        ])
    func states(proto: String, words: String) throws {
        let (output, status) = try generate(
            """
            service S {
            // Self. Returns what changed. Refusals: none.
            rpc Sync(Reply) returns (Reply); }
            message Reply {}
            \(proto)
            """)
        #expect(status == 1)
        #expect(output.contains(words), "\(output)")
    }

    @Test("A state of which a Sync only says that it changed, or whose whole it returns, is in its reply")
    func changed() throws {
        let (output, status) = try generate(
            """
            service S {
              // Self. Returns what changed. Refusals: none.
              rpc Sync(Reply) returns (Reply);
            }
            message Reply { bool blocks_changed = 1; Entry entry = 2; }
            message Entry { Whole whole = 1; }
            \(Self.line("one"))
            message Block { int64 position = 1; }
            \(Self.line("one"))
            message Whole { int64 position = 1; }
            \(Self.line("key position of Whole"))
            message Part { int64 position = 1; }
            """)
        #expect(status == 0, "\(output)")
    }

    @Test("A kind of a journal whose message is no state is refused, and so is a state without a kind")
    func kinds() throws {
        let link = "enum StuffKind { STUFF_KIND_UNSPECIFIED = 0; STUFF_KIND_A = 1; STUFF_KIND_HIDDEN = 2; }"
        let (output, status) = try generate(
            """
            service Stuff {
              // Self. Returns what changed. Refusals: none.
              rpc Sync(Reply) returns (Reply);
            }
            message Reply { B b = 1; }
            message A { int64 position = 1; }
            \(Self.line("one", stream: "stuff", from: "stuff.Sync"))
            message B { int64 position = 1; }
            """, link: link)
        #expect(status == 1)
        #expect(
            output.contains("bad.proto:8: A: is STUFF_KIND_A, so its comment must end with 'Update of stream"),
            "\(output)")
        #expect(output.contains("bad.proto:10: B: link.proto has no STUFF_KIND_B"), "\(output)")
    }

    @Test(
        "A request whose comment lacks what an author of a client needs is refused",
        arguments: [
            ("Sends it. Repeatable. Refusals: none.", "bad.proto:5: S.Put: its comment must begin with who may call"),
            ("Self. Repeatable. Refusals: none.", "bad.proto:5: S.Put: its comment must say what it does"),
            (
                "Self. Sends it. Refusals: none.",
                "bad.proto:5: S.Put: its comment must say what comes of sending it again"
            ),
            ("Self. Sends it. Repeatable.", "bad.proto:5: S.Put: its comment must end with \"Refusals: \""),
            ("Self. Sends it. Refusals: invalid. Repeatable.", "5: S.Put: its comment must end with \"Refusals: \""),
        ])
    func requests(comment: String, words: String) throws {
        let (output, status) = try generate("service S {\n// \(comment)\nrpc Put(A) returns (A);\n}\nmessage A {}")
        #expect(status == 1)
        #expect(output.contains(words), "\(output)")
    }

    @Test(
        "A code of a refusal that nobody explains, and one that the contract does not have, is refused",
        arguments: [
            ("BUSY = 1;", "forbidden", "bad.proto:5: REFUSAL_CODE_BUSY: has no comment"),
            ("BUSY = 1;  // Repeat it.", "busy", "bad.proto:5: REFUSAL_CODE_BUSY: its comment must end with one of"),
            ("BUSY = 1;  // Repeat after the wait.", "none, busy", "bad.proto:9: S.Put: \"none\" is no RefusalCode"),
            ("BUSY = 1;  // No.", "busy (or so, it says (here)), bus", "bad.proto:9: S.Put: \"bus\" is no RefusalCode"),
        ])
    func codes(value: String, refusals: String, words: String) throws {
        let (output, status) = try generate(
            """
            enum RefusalCode {
              REFUSAL_CODE_UNSPECIFIED = 0;
            REFUSAL_CODE_\(value)
            }
            service S {
              // Self. Sends it. Repeatable. Refusals: \(refusals).
              rpc Put(A) returns (A);
            }
            message A {}
            """)
        #expect(status == 1)
        #expect(output.contains(words), "\(output)")
    }

    @Test("All that breaks the rules is said at once, in the order of the lines")
    func all() throws {
        let (output, status) = try generate(
            "message A { string text = 1; }\nenum E { NONE = 0; }\nservice S { rpc Put(A) returns (A); }")
        #expect(status == 1)
        let lines = output.split(separator: "\n").compactMap { $0.firstMatch(of: #/^bad.proto:(\d+): /#)?.1 }
        #expect(lines == ["3", "4", "5", "5", "5", "5"], "\(output)")
    }

    @Test("A contract that keeps the rules passes")
    func accepted() throws {
        let (output, status) = try generate(
            """
            enum E { E_UNSPECIFIED = 0; DEFAULT = 1; }
            message B { bytes id = 1;  // exactly 16 bytes. An id.
            }
            message A {
              // max 5 bytes, said before.
              string text = 1;
              repeated string names = 2;  // max 3 items of 4 bytes.
              repeated B bs = 3;  // max 3 items
              oneof which { B left = 4; string right = 5;  // max 9 bytes
              }
              repeated E class = 6;  // max 2 items
              repeated bool flags = 7;  // max 2 items
              repeated bytes blobs = 8;  // max 2 items of 2 bytes
            }
            """)
        #expect(status == 0, "\(output)")
    }

    /// The last sentence of a state's comment.
    private static func line(_ key: String, stream: String = "s", from source: String = "s.Sync") -> String {
        "// Update of stream \"\(stream)/u/ME\", \(key), after a gap from \(source)."
    }

    /// Runs our plugin over one file, and over one with the kinds of journals.
    private func generate(_ proto: String, link: String? = nil) throws -> (output: String, status: Int32) {
        try withTemporaryFolder { folder in
            var files = ["bad.proto": proto]
            files["link.proto"] = link
            for (name, text) in files {
                try "syntax = \"proto3\";\npackage parley.v1;\n\(text)\n"
                    .write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
            }
            let plugin = root.appending(path: "proto/protoc-gen-parley").path
            return try run(
                "/usr/bin/protoc",
                ["-I", ".", "--plugin=protoc-gen-parley=\(plugin)", "--parley_out=schema:."] + files.keys.sorted(),
                in: folder)
        }
    }
}
