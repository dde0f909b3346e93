import Testing

/// The codes of refusals are in the contract (`RefusalCode` in common.proto), from which their constants are generated.
/// Those of the libraries and of the command stand in one file each.
@Suite("Codes of refusals")
struct RefusalTests {
    private static let places: Set = [
        "Clients/ParleyClient/ErrorCodes.swift", "Clients/ParleyKit/Values/Refusal.swift",
        "Tools/Command/FailureCodes.swift",
    ]

    /// Where a text is a code: a parameter or property of that name, and the first of a refusal, problem or failure.
    /// Finds codes. One serves all lines, since a literal is parsed each time it is evaluated.
    private struct Finder {
        let known: Set<String>
        let named = #/(?:\bcode: |\.code [!=]= |\b(?:Refusal|Failure|Closing)\(|\bHTTPProblem\(\d+, )"([a-z_]+)"/#
        let word = /"([a-z]+(?:_[a-z]+)+)"/

        func codes(in line: String) -> [String] {
            guard line.contains("\"") else { return [] }
            let words = line.matches(of: word).map { String($0.1) }
            return line.matches(of: named).map { String($0.1) } + words.filter(known.contains)
        }
    }

    /// The codes of the contract.
    private static func contract() throws -> Set<String> {
        let proto = try text(of: "proto/parley/v1/common.proto")
        return Set(proto.matches(of: /REFUSAL_CODE_([A-Z_]+) = [1-9]/).map { $0.1.lowercased() })
    }

    @Test("a code is written in the contract, or where a library has its own, and nowhere else")
    func constants() throws {
        let known = try Self.contract()
        #expect(known.count > 60)
        let (finder, comment) = (Finder(known: known), /^ *\/\//)
        let rooms = ["Clients/", "Tools/", "Services/", "Platform/Wire/", "Platform/ServiceKit/"]
        var looked = 0
        for file in SourceFile.written where rooms.contains(where: file.path.hasPrefix) {
            guard !Self.places.contains(file.path) else { continue }
            looked += 1
            for (index, line) in file.lines.enumerated() where !line.contains(comment) {
                for code in finder.codes(in: line) {
                    Issue.record("Sources/\(file.path):\(index + 1): name \"\(code)\" by its constant")
                }
            }
        }
        #expect(looked > 200)
    }

    @Test(
        "a text counts where it is a code, or is a word that only codes have",
        arguments: [
            (#"ParleyError(code: "invalid", message: why)"#, ["invalid"]),
            (#"if error.code == "closed" {"#, ["closed"]),
            (#"throw Refusal("forbidden", why)"#, ["forbidden"]), (#"case "not_member": .refused"#, ["not_member"]),
            (#"HTTPProblem(404, "none", why)"#, ["none"]), (#"print(["closed": 1])"#, []),
            (#"let table = "not_here""#, []),
        ])
    func rule(line: String, found: [String]) throws {
        #expect(Finder(known: try Self.contract()).codes(in: line) == found)
    }

    @Test("no two services define a refusal with the same code and sentence: such ones stand in ServiceKit")
    func shared() {
        var services: [String: Set<String>] = [:]
        for file in SourceFile.written where file.path.hasPrefix("Services/") {
            let service = String(file.path.split(separator: "/")[1])
            let text = file.lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
            for found in text.matches(of: /\bRefusal\( ?(\.\w+, "[^"\\]+")/) {
                services[String(found.1), default: []].insert(service)
            }
        }
        #expect(services.count > 30, "the test no longer finds them")
        for (refusal, services) in services where services.count > 1 {
            Issue.record("\(refusal) is defined in \(services.sorted()): move it to SharedRefusals.swift")
        }
    }

    @Test("a library's own code is none of the contract's, which would say something else about repeating")
    func own() throws {
        let known = try Self.contract()
        for path in Self.places {
            let codes = try text(of: "Sources/\(path)").matches(of: /rawValue: "(\w+)"/).map { String($0.1) }
            #expect(codes.count > 5)
            #expect(known.isDisjoint(with: codes), "\(path): \(known.intersection(codes))")
        }
    }
}
