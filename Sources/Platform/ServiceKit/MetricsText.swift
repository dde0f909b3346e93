/// Figures as Prometheus reads them: its text format 0.0.4. Pure.
enum MetricsText {
    /// What each figure says. One that is not here is shown all the same; `Tests/HouseTests` wants it to be.
    static let help: [String: String] = [
        "parley_batch_commit_seconds": "How long committing a batch took.",
        "parley_batch_items": "How many items were committed together.",
        "parley_batch_queue_items": "Items that wait or are being committed, by lane.",
        "parley_build_info": "1, with the version as label.",
        "parley_database_outstanding": "Statements sent to the database and not answered yet.",
        "parley_database_waiting": "Requests that wait for a connection of the pool.",
        "parley_followed_entries_behind": "Journal entries of another service that are still to be followed.",
        "parley_gateway_bytes_total": "Bytes read from clients and written to them.",
        "parley_gateway_certificate_expires_seconds": "When the certificate shown to clients runs out, since 1970.",
        "parley_gateway_closes_total": "Sessions closed, by WebSocket close code.",
        "parley_gateway_loop_late_seconds": "How late an event loop looked at its sessions.",
        "parley_gateway_queue_bytes": "What waits for slow sessions.",
        "parley_gateway_replay_seconds": "From noticing that Updates were missed until they were told.",
        "parley_gateway_request_seconds": "From a client's request to its service's answer or a refusal.",
        "parley_gateway_requests_total": "Requests of clients, by service and outcome.",
        "parley_gateway_resyncs_total": "Sessions sent back to start over, by reason.",
        "parley_gateway_sessions": "Sessions open now.",
        "parley_gateway_updates_dropped_total": "Updates not delivered to a slow session, which may be dropped.",
        "parley_gateway_updates_merged_total": "Updates of a slow session that a later one replaced.",
        "parley_gateway_updates_missed_total": "Updates that did not arrive from a service.",
        "parley_gateway_updates_replayed_total": "Missed Updates that were fetched and told.",
        "parley_gateway_updates_total": "Updates from services, and those delivered to sessions.",
        "parley_loop_busy_ratio": "Part of the last 5 s in which the loop worked.",
        "parley_loop_longest_turn_seconds": "The longest turn of the loop in the last 5 s: how late it may have been.",
        "parley_metrics_overflow_total": "Figures that had too many labels to be kept apart.",
        "parley_request_seconds": "How long requests took, by method.",
        "parley_requests_in_flight": "Requests not answered yet.",
        "parley_requests_total": "Requests answered, by method and code.",
        "parley_search_messages_noted_total": "Messages whose words were noted for search.",
        "parley_trace_spans_dropped_total": "Spans that were not written: the disk was full, or too slow.",
        "parley_trace_spans_written_total": "Spans written to the file of traces.",
        "parley_work_pool_queue": "Pieces of work that wait for a thread of the pool.",
        "process_cpu_seconds_total": "CPU time of the process, in user and system mode.",
        "process_max_fds": "Descriptors that the process may have open.",
        "process_open_fds": "Descriptors that the process has open.",
        "process_resident_memory_bytes": "Memory of the process that is in RAM.",
        "process_start_time_seconds": "When the process started, since 1970.",
    ]

    static func text(_ samples: [MetricSample]) -> String {
        var text = ""
        var last = ""
        for sample in samples {
            if sample.name != last {
                last = sample.name
                text += "# HELP \(sample.name) \(help[sample.name] ?? "Not described.")\n"
                text += "# TYPE \(sample.name) \(type(sample.kind))\n"
            }
            append(sample, to: &text)
        }
        return text
    }

    private static func type(_ kind: MetricKind) -> String {
        switch kind {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }

    private static func append(_ sample: MetricSample, to text: inout String) {
        let (name, value) = (sample.name, sample.value)
        guard case .histogram(let bounds) = sample.kind else {
            text += "\(name)\(sample.labelText) \(number(value.sum))\n"
            return
        }
        var below = 0.0
        for (bound, count) in zip(bounds, value.buckets) {
            below += count
            let labels = labels(sample.labels + [MetricLabel(name: "le", value: number(bound))])
            text += "\(name)_bucket\(labels) \(number(below))\n"
        }
        text +=
            "\(name)_bucket\(labels(sample.labels + [MetricLabel(name: "le", value: "+Inf")])) "
            + "\(number(value.count))\n"
        text += "\(name)_sum\(sample.labelText) \(number(value.sum))\n"
        text += "\(name)_count\(sample.labelText) \(number(value.count))\n"
    }

    static func labels(_ labels: [MetricLabel]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",") + "}"
    }

    static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    /// Whole numbers without a fraction.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }
}
