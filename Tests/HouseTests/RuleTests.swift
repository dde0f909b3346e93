import Foundation
import TestSupport
import Testing

/// The rules of proto/REFERENCE.md and the vectors in proto/vectors.
@Suite("Vectors and the rules of the page")
struct RuleTests {
    private struct File: Decodable { var vectors: [Vector] }

    private struct Vector: Decodable {
        var id: String
        var rules: [String]
    }

    private static let files = [
        "updates", "sync", "conversations", "messages", "states", "receipts", "unread", "typing",
    ]

    @Test("each rule with an id has a vector, each vector names only rules of the page, and its id is its own")
    func rules() throws {
        let page = try text(of: "proto/REFERENCE.md")
        let ids = page.matches(of: /\*\*\[([a-z-]+)\]\*\*/).map { String($0.1) }
        #expect(Set(ids).count == ids.count && ids.count >= 30, "\(ids)")
        var vectors: [Vector] = []
        for name in Self.files {
            let json = Data(try text(of: "proto/vectors/\(name).json").utf8)
            #expect(json.count < 200_000, "\(name)")
            vectors += try JSONDecoder().decode(File.self, from: json).vectors
        }
        #expect(Set(vectors.map(\.id)).count == vectors.count)
        let named = Set(vectors.flatMap(\.rules))
        #expect(Set(ids).subtracting(named) == [], "no vector has these rules")
        #expect(named.subtracting(ids) == [], "the page has no such rules")
        let folder = MigratedDatabase.root.appending(path: "proto/vectors").path
        let found = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(found) == Set(Self.files.map { $0 + ".json" } + ["README.md"]))
    }
}
