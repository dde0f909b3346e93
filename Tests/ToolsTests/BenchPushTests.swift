import TestSupport
import Testing

@Suite("The benchmark of pushes", .timeLimit(.minutes(5)))
struct BenchPushTests {
    @Test("N1 the benchmark of pushes reports every figure as one JSON object; without its server it says what to do")
    func figures() async throws {
        let program = try Program("parley-lab")
        defer { program.remove() }
        let server = MigratedDatabase.root.appending(path: "Tests/Push/sink.py").path
        let outcome = try await program.run([
            "bench", "push", "--devices", "20", "--pushes", "40", "--seconds", "1", "--rounds", "1", "--clients", "2",
            "--push-server", server, "--json",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let figures = try #require(outcome.objects.first, "\(outcome.errors)")
        #expect(figures["devices"] == "20" && figures["pushes"] == "40")
        for name in ["registered_per_s", "pushes_per_s", "memory_before_mib", "memory_after_mib"] {
            #expect(figures[name].flatMap(Double.init) ?? 0 > 0, "\(name) of \(figures)")
        }
        for name in ["cpu_ms_per_push", "on_wire_ms", "sends_with", "sends_without"] {
            #expect(figures[name] != nil, "\(name) of \(figures)")
        }
        let refused = try await program.run(["bench", "push", "--push-server", "/nowhere"])
        #expect(refused.status == 64 && refused.errors.contains("--push-server"), "\(refused.errors)")
    }
}
