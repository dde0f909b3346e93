import TestSupport
import Testing

@Suite("The benchmarks of the SDK", .timeLimit(.minutes(3)))
struct BenchSDKTests {
    @Test("S10 every benchmark reports a figure, each as one JSON object")
    func names() async throws {
        let program = try Program("parley-lab")
        defer { program.remove() }
        let outcome = try await program.run([
            "bench", "sdk", "--times", "1", "--messages", "1000", "--conversations", "100", "--json",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let figures = outcome.objects
        let perSecond = [
            "baseline.dictionary", "store.append", "delivery.storeUpdate", "delivery.incrementalUpdate",
            "pipeline.privateIngest", "pipeline.publicIngest", "store.append.persisted",
            "outbox.drain",
        ]
        #expect(figures.map { $0["name"] } == perSecond + ["sync.catchup", "coldstart.firstScreen", "memory.resident"])
        for figure in figures {
            let value = figure["per_s"] ?? figure["ms"] ?? figure["mib"]
            #expect(value.flatMap(Double.init) ?? 0 > 0, "\(figure)")
        }
    }
}
