import Foundation
import Testing

/// The page Requests.md says where an app finds each request of the contract.
@MainActor
@Suite("What becomes of each request")
struct RequestTableTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/Clients")

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test("S9 each request is reached by what an app can call or observe, or it says why not")
    func table() throws {
        let methods = try Self.text("ParleyClient/Generated/Methods.swift").matches(of: /"([a-z]+\.[A-Z]\w+)"/)
        let page = try Self.text("ParleyKit/ParleyKit.docc/Requests.md")
        let rows = page.matches(of: /(?m)^\| `([^`]+)` \| (.+) \|$/)
        let (asked, listed) = (Set(methods.map { String($0.1) }), rows.map { String($0.1) })
        #expect(asked.count > 100 && Set(listed) == asked, "\(asked.symmetricDifference(listed).sorted())")
        #expect(Set(listed).count == listed.count)

        let functions = try DoubleAPITests.functions()
        var sources = ""
        for path in ["Parley", "Store/ConversationStore", "Values/ConversationValues", "Store/ConversationShown"] {
            sources += try Self.text("ParleyKit/\(path).swift")
        }
        for row in rows {
            let links = row.2.matches(of: /``(\w+)\/([^`]+)``/)
            #expect(!links.isEmpty || row.2.contains("(") || row.2.hasPrefix("none: "), "\(row.1)")
            for link in links {
                let (type, name) = (link.1, link.2)
                let isThere =
                    name.hasSuffix(")")
                    ? functions.contains("\(type).\(name)")
                    : sources.contains("var \(name):") || sources.contains("var \(name) ")
                        || sources.contains("let \(name) ")
                #expect(isThere, "\(row.1): \(type)/\(name)")
            }
        }
    }
}
