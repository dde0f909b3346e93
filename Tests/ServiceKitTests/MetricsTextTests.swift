import Metrics
import Testing

@testable import ServiceKit

@Suite("Metrics for Prometheus")
struct MetricsTextTests {
    @Test("counters, gauges and histograms follow the format: each name is described once, buckets are cumulative")
    func format() {
        let registry = MetricsRegistry()
        registry.makeCounter(label: "parley_requests_total", dimensions: [("method", "a"), ("code", "ok")])
            .increment(by: 2)
        registry.makeCounter(label: "parley_requests_total", dimensions: [("method", "b\"\\\n"), ("code", "ok")])
            .increment(by: 1)
        registry.makeRecorder(label: "parley_loop_busy_ratio", dimensions: [], aggregate: false).record(0.25)
        let items = registry.makeRecorder(label: "parley_batch_items", dimensions: [("batch", "send")], aggregate: true)
        for size: Int64 in [1, 3, 4, 256, 1000] { items.record(size) }
        let buckets = [(1, 1), (2, 1), (4, 3), (8, 3), (16, 3), (32, 3), (64, 3), (128, 3), (256, 4)]
            .map { #"parley_batch_items_bucket{batch="send",le="\#($0)"} \#($1)"# }
        let expected =
            [
                "# HELP parley_batch_items Number of items committed together.",
                "# TYPE parley_batch_items histogram",
            ] + buckets + [
                #"parley_batch_items_bucket{batch="send",le="+Inf"} 5"#,
                #"parley_batch_items_sum{batch="send"} 1264"#,
                #"parley_batch_items_count{batch="send"} 5"#,
                "# HELP parley_loop_busy_ratio Share of the last 5 s in which the loop was busy.",
                "# TYPE parley_loop_busy_ratio gauge",
                "parley_loop_busy_ratio 0.25",
                "# HELP parley_requests_total Requests answered, by method and code.",
                "# TYPE parley_requests_total counter",
                #"parley_requests_total{method="a",code="ok"} 2"#,
                #"parley_requests_total{method="b\"\\\n",code="ok"} 1"#,
                "",
            ]
        #expect(registry.text() == expected.joined(separator: "\n"))
    }

    @Test("numbers are formatted as by Prometheus")
    func numbers() {
        let rows: [(Double, String)] = [
            (0, "0"), (-3, "-3"), (0.5, "0.5"), (1e20, "1e+20"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
            (.nan, "NaN"), (0.0005, "0.0005"),
        ]
        for (value, text) in rows { #expect(MetricsText.number(value) == text) }
    }

    @Test("the operating system's figures for this process are present")
    func process() {
        let samples = ProcessFigures(startedAt: 5_000_000, version: "1").samples
        let values = Dictionary(uniqueKeysWithValues: samples.map { ($0.name, $0.value.sum) })
        #expect(values["process_start_time_seconds"] == 5)
        #expect(values["process_resident_memory_bytes"] ?? 0 > 1_000_000)
        #expect((3...100_000).contains(values["process_open_fds"] ?? 0))
        #expect(values["process_cpu_seconds_total"] ?? 0 > 0)
        for sample in samples { #expect(MetricsText.help[sample.name] != nil, "\(sample.name)") }
    }
}
