import Testing

@Suite("Metrics have names and descriptions")
struct MetricTests {
    @Test("MetricsText describes every metric that is made, and no others")
    func described() throws {
        let made = Set(
            SourceFile.all.flatMap { file in
                file.lines.joined(separator: "\n").matches(
                    of: /(?:label: |MetricSample\(\s*)"((?:parley|process)_[a-z_]+)"/
                ).map { String($0.1) }
            } + ["parley_metrics_overflow_total"])
        let text = try #require(SourceFile.all.first { $0.path.hasSuffix("ServiceKit/MetricsText.swift") }).lines
            .joined()
        let described = Set(text.matches(of: /"((?:parley|process)_[a-z_]+)": "/).map { String($0.1) })
        #expect(made.count > 20)
        #expect(made == described, "\(made.symmetricDifference(described).sorted())")
    }
}
