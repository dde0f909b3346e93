import Foundation
import Testing

/// Replays the corpus and the cases of `Tests/Fuzz/run` without libFuzzer.
@Suite("Input from strangers", .serialized)
struct ReplayTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    private static func inputs(_ kind: String, _ target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let directory = folder.appending(path: "\(kind)/\(target.name)")
        guard FileManager.default.fileExists(atPath: directory.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
            .map { ("\(kind)/\(target.name)/\($0.lastPathComponent)", [UInt8](try Data(contentsOf: $0))) }
    }

    @Test("every decoder handles every kept input", arguments: FuzzTarget.all.map(\.name))
    func kept(name: String) throws {
        let target = try #require(FuzzTarget[name])
        let inputs = try Self.inputs("corpus", target) + Self.inputs("cases", target)
        #expect(!inputs.isEmpty, "\(name) has no corpus; make it with Tests/Fuzz/run --seeds")
        for input in inputs {
            #expect(throws: Never.self, "\(input.name)") { try target.run(input.bytes) }
        }
    }

    @Test("every decoder handles its seeds, whole and cut short", arguments: FuzzTarget.all.map(\.name))
    func cut(name: String) throws {
        let target = try #require(FuzzTarget[name])
        for seed in target.seeds() {
            for count in stride(from: 0, through: seed.count, by: max(1, seed.count / 16)) {
                #expect(throws: Never.self, "\(name), \(count) bytes of \(seed)") {
                    try target.run(Array(seed.prefix(count)))
                }
            }
        }
    }

    @Test("every folder of inputs belongs to a decoder")
    func folders() throws {
        for kind in ["corpus", "cases"] {
            for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.appending(path: kind).path)
            where !name.hasPrefix(".") && name != "README.md" {
                #expect(FuzzTarget[name] != nil, "\(kind)/\(name)")
            }
        }
    }
}
