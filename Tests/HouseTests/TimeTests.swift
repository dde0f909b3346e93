import TestSupport
import Testing

@Suite("No clock in an assertion outside of the group that runs alone")
struct TimeTests {
    private static let tests = Tree.swift.filter { $0.path.hasPrefix("Tests/") }
    private static func isTiming(_ path: String) -> Bool { path.hasSuffix("TimingTests.swift") }

    @Test("an upper bound on a measured time stands only in suites …TimingTests, and allows for a busy machine there")
    func bounds() {
        let shared = Self.tests.reduce(into: Set<Substring>()) { $0.formUnion(MeasuredTimes($1.text).properties) }
        for (path, text) in Self.tests {
            let times = MeasuredTimes(text, shared: shared)
            for found in times.upperBounds {
                Issue.record(
                    "\(path):\(found.line) compares a measured time: \(found.code). Prove it by a count or an order, or use measured(_:) in a suite …TimingTests"
                )
            }
            for found in times.promises where !Self.isTiming(path) {
                Issue.record("\(path):\(found.line) belongs in a suite …TimingTests: \(found.code)")
            }
        }
    }

    @Test("a suite of times has the name of its file, and no other file has one")
    func names() {
        for (path, text) in Self.tests {
            let file = path.split(separator: "/").last?.dropLast(".swift".count) ?? ""
            let suites = text.matches(of: /\bstruct (\w+Tests)\b/).map(\.1)
            if Self.isTiming(path) {
                #expect(suites == [file], "\(path)")
                #expect(!text.contains("\nextension "), "\(path): tests of other suites")
            } else {
                #expect(suites.allSatisfy { !$0.hasSuffix("TimingTests") }, "\(path)")
            }
        }
    }

    @Test("the part of times in Tests/tier runs them, and every other part leaves them out")
    func tier() throws {
        let lines = try text(of: "Tests/tier").split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.contains("times='TimingTests'") })
        let runs = lines.filter { $0.contains("--filter \"$times\"") }
        #expect(runs.count == 1 && runs[0].contains("\"tests of times\""))
    }

    private static let refused = [
        "#expect(ContinuousClock.now - began < .seconds(1))",
        "#expect(.now - began <= limit, \"text\")",
        "#expect(client.isEnded() && .now - began < .seconds(1))",
        "#expect(.seconds(2) > ContinuousClock.now - began)",
        "try #require(clock.now - began < .seconds(3))",
        "#expect(Moment.now.steady - began < 1_500_000)",
        "let took = ContinuousClock.now - began\n#expect(took < .milliseconds(300) * patience + slack)",
        "let took = ContinuousClock.now - began\n#expect(took >= .seconds(3) && took < .seconds(4))",
        "let took = ContinuousClock.now - began\n#expect(.milliseconds(400)...(.seconds(4) * patience) ~= took)",
        "let took = ContinuousClock.now - began\n#expect((.zero ... .seconds(4)).contains(took))",
        "let (took, late) = (ContinuousClock.now - began, await lag.stop())\n#expect(took < .seconds(1) + late * 2)",
        "let took = clock.measure { work() }\n#expect(\n    took\n        < .seconds(1))",
        "times.append(ContinuousClock.now - began)\n#expect(times.sorted()[2] < .seconds(1))",
        "times[what] = ContinuousClock.now - began\nfor (what, time) in times { #expect(time < limit) }",
        "func ping() -> Duration {\n    return .now - began\n}\nlet slowest = max(slowest, ping())\n#expect(slowest < limit)",
        "longest = max(longest, .now - began)\nvar longestWait: Duration { longest }\n#expect(load.longestWait < limit)",
        "let answer = Answer(what: what, took: .now - began)\n#expect(answer.took < limit)",
        "let took = .now - began\n#expect(took < max(.seconds(1), took * 5))",
    ]

    @Test("an upper bound is found, whatever the names and the form", arguments: refused)
    func refuses(code: String) { #expect(MeasuredTimes(code).upperBounds.count == 1) }

    private static let passing = [
        "#expect(ContinuousClock.now - began >= .milliseconds(60))",
        "let took = ContinuousClock.now - began\n#expect(took > .seconds(2))",
        "#expect(.seconds(2) < ContinuousClock.now - began)",
        // A ratio to a control that the same test measured.
        "let (slow, plain) = (clock.measure { a() }, clock.measure { b() })\n#expect(slow < plain * 25)",
        // Virtual time, counts and instants.
        "#expect(machine.wakesAt < start + .seconds(5))",
        "#expect(waits.allSatisfy { $0 <= .milliseconds(800) })",
        "let seconds = (ContinuousClock.now - began) / .seconds(1)\n#expect((1...145).contains(outcomes.count))",
        "let token = Token(issuedAt: WallClock.system.now - .seconds(5))\n#expect(token.count < 300)",
        "let end = ContinuousClock.now + .seconds(3)\nguard .now < end else { return }",
        "print(\"it took \\(ContinuousClock.now - began)\")\n#expect(count < 3)",
    ]

    @Test("a lower bound, a ratio, virtual time and a count pass", arguments: passing)
    func passes(code: String) {
        let times = MeasuredTimes(code)
        #expect(times.upperBounds == [] && times.promises == [])
    }

    @Test(
        "a promise that allows for the machine and a wait shorter than 20 s are promises of time",
        arguments: [
            ("#expect(closing.isWithin(.seconds(2)), \"text\")", 1),
            ("try await eventually(within: .seconds(2), \"it ends\") { isOver }", 1),
            ("try await eventually(within: .milliseconds(300), \"it ends\") { isOver }", 1),
            ("try await eventually(within: .seconds(20), \"it ends\") { isOver }", 0),
            ("try await eventually(\"it ends\") { isOver }", 0),
        ])
    func promises(code: String, count: Int) { #expect(MeasuredTimes(code).promises.count == count) }
}
