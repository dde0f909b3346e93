import Foundation
import Testing

@Suite("proto/compatibility")
struct CompatibilityTests {
    @Test("The contract only adds to its earlier versions")
    func earlier() throws {
        let (output, status) = try run("/usr/bin/python3", ["-B", "proto/compatibility"])
        #expect(status == 0, "\(output)")
    }

    @Test(
        "Something that is gone or changed is named",
        arguments: [
            ("int64 read_seq = 3;", "int64 read_seq = 99;", "field Receipt.read_seq with number 3"),
            ("int64 read_seq = 3;", "int32 read_seq = 3;", "now it has number 3, type TYPE_INT32"),
            ("int64 read_seq = 3;", "repeated int64 read_seq = 3;", "repeated: True"),
            ("int64 read_seq = 3;", "", "had the field Receipt.read_seq; now it is gone"),
            ("int64 read_seq = 3;", "reserved 3;", "had the field Receipt.read_seq; now it is gone"),
            ("int64 read_seq = 3;", "reserved \"read_seq\";", "had the field Receipt.read_seq; now it is gone"),
            ("int64 read_seq = 3;", "int64 read = 3;", "had the field Receipt.read_seq; now it is gone"),
            ("returns (InboxStateReply)", "returns (MessageReply)", "method Messaging.UpdateInboxState with"),
            ("rpc GetHistory(", "rpc ReadHistory(", "had the method Messaging.GetHistory; now it is gone"),
            ("  SYSTEM = 6;", "  SYSTEM = 60;", "value MessageKind.SYSTEM with number 6"),
        ])
    func changed(old: String, new: String, line: String) throws {
        let (output, status) = try compared(old, new)
        #expect(status == 1 && output.contains(line), "\(output)")
    }

    @Test("A removed field whose number and name are reserved is no difference, nor is a new one")
    func allowed() throws {
        for new in ["reserved 3; reserved \"read_seq\";", "int64 read_seq = 3; int64 more = 99;"] {
            let (output, status) = try compared("int64 read_seq = 3;", new)
            #expect(status == 0, "\(output)")
        }
    }

    /// Compares the contract in which `new` is in the place of the first `old` of messaging.proto.
    private func compared(_ old: String, _ new: String) throws -> (output: String, status: Int32) {
        try withTemporaryFolder { folder in
            try FileManager.default.copyItem(
                at: root.appending(path: "proto/parley"), to: folder.appending(path: "parley"))
            let file = folder.appending(path: "parley/v1/messaging.proto")
            let text = try String(contentsOf: file, encoding: .utf8)
            let place = try #require(text.range(of: old))
            try text.replacingCharacters(in: place, with: new).write(to: file, atomically: true, encoding: .utf8)
            return try run("/usr/bin/python3", ["-B", "proto/compatibility", "--contract", folder.path])
        }
    }

    @Test("A version that was released, or that does not exist, cannot be kept")
    func kept() throws {
        let (output, status) = try run("/usr/bin/python3", ["-B", "proto/compatibility", "--keep", "0.0.1"])
        #expect(status == 1 && output.contains("CHANGELOG.md has no version 0.0.1 (not released yet)"), "\(output)")
    }
}
