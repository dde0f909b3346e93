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
                "Sources/Clients/ParleyClient/Generated", "Sources/Platform/ServiceKit/SQL",
                "Tests/SchemaTests/Generated",
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
        "A contract that breaks the rules is refused with the file, message and field",
        arguments: [
            ("message A { string text = 1; }", "bad.proto: A.text: has no limit; say \"max N bytes\""),
            ("message A { bytes id = 1;  // sixteen\n }", "bad.proto: A.id: has no limit"),
            ("message A { repeated int64 n = 1; }", "bad.proto: A.n: has no limit; say \"max N items\""),
            ("message A { repeated int64 n = 1;  // max 3 bytes\n }", "A.n: has no limit; say \"max N items\""),
            ("message A { repeated string s = 1;  // max 3 items\n }", "A.s: has no limit; say \"max N items of"),
            ("message A { string s = 1;  // max 3 items\n }", "A.s: has no limit; say \"max N bytes\""),
            ("message A { A a = 1; }", "bad.proto: A.a: recursive message type (A → A)"),
            ("message A { B b = 1; }\nmessage B { C c = 1; }\nmessage C { A a = 1; }", "type (A → B → C → A)"),
            ("message A { optional int64 n = 1; }", "bad.proto: A.n: protobuf-c knows no proto3 optional"),
            ("message A { map<int64, int64> m = 1; }", "bad.proto: A: maps are not used here"),
            ("message A { message B {} }", "bad.proto: A: types inside messages are not used here"),
            ("message A { sint64 n = 1; }", "bad.proto: A.n: fields of type sint64 are not used here"),
            ("enum E { NONE = 0; }", "bad.proto: E: the first value must be E_UNSPECIFIED = 0"),
            ("// Update of stream \"s/u/ME\".\nmessage A {}", "bad.proto: A: its comment must end with"),
            (
                "// Update of stream \"s/u/ME\", key b, after a gap from s.M.\nmessage A { int64 position = 1; }",
                "bad.proto: A: its key b is none of its fields"
            ),
            (
                "// Update of stream \"s/u/ME\", one, after a gap from s.M.\nmessage A { int64 position = 1; }",
                "bad.proto: A: there is no s.M"
            ),
            (
                "service S {\n// Self. X.\nrpc M(A) returns (A);\n}\n"
                    + "// Update of stream \"s/u/ME\", one, after a gap from s.M.\nmessage A {}",
                "bad.proto: A: has no position; say \"without positions\""
            ),
        ])
    func refusals(proto: String, words: String) throws {
        let (output, status) = try generate(proto)
        #expect(status == 1)
        #expect(output.contains(words), "\(output)")
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

    /// Runs our plugin over one file.
    private func generate(_ proto: String) throws -> (output: String, status: Int32) {
        try withTemporaryFolder { folder in
            try "syntax = \"proto3\";\npackage parley.v1;\n\(proto)\n"
                .write(to: folder.appending(path: "bad.proto"), atomically: true, encoding: .utf8)
            let plugin = root.appending(path: "proto/protoc-gen-parley").path
            return try run(
                "/usr/bin/protoc",
                ["-I", ".", "--plugin=protoc-gen-parley=\(plugin)", "--parley_out=schema:.", "bad.proto"], in: folder)
        }
    }
}
