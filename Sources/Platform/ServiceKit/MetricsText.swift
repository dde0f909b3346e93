/// Formats figures in Prometheus' text format 0.0.4. Pure.
enum MetricsText {
    /// Describes each figure. One without a description is shown all the same; `Tests/HouseTests` checks that none is
    /// missing.
    static let help: [String: String] = [
        "parley_batch_commit_seconds": "Time taken to commit a batch.",
        "parley_batch_items": "Number of items committed together.",
        "parley_batch_queue_items": "Items waiting or being committed, by lane.",
        "parley_build_info": "1, with the version as label.",
        "parley_database_outstanding": "Statements sent to the database and not yet answered.",
        "parley_database_waiting": "Requests waiting for a connection of the pool.",
        "parley_followed_entries_behind": "Journal entries of another service not yet followed.",
        "parley_followed_entries_left_out_total": "Journal entries left out: the process died of each three times.",
        "parley_gateway_bytes_total": "Bytes read from and written to clients.",
        "parley_gateway_certificate_expires_seconds": "When the certificate for clients expires, in s since 1970.",
        "parley_gateway_closes_total": "Sessions closed, by WebSocket close code.",
        "parley_gateway_connections_refused_total": "Connections ended at once, since their address opens too many.",
        "parley_gateway_loop_late_seconds": "How late an event loop checked its sessions.",
        "parley_gateway_http_requests_total": "HTTP requests whose head was read, of any kind.",
        "parley_gateway_pauses_total": "Connections not read for a while, since they sent too many frames or requests.",
        "parley_gateway_queue_bytes": "Bytes waiting to be written to slow sessions.",
        "parley_gateway_replay_seconds": "Time from noticing missed Updates until they were delivered.",
        "parley_gateway_request_seconds": "Time from a client's request to its service's answer or a refusal.",
        "parley_gateway_requests_total": "Requests from clients, by service and outcome.",
        "parley_gateway_resyncs_total": "Sessions closed to connect again and sync, by reason.",
        "parley_gateway_sessions": "Open sessions.",
        "parley_gateway_updates_dropped_total": "Ephemeral Updates not delivered because a session was slow.",
        "parley_gateway_updates_merged_total": "Updates for slow sessions that were replaced by a later one.",
        "parley_gateway_updates_missed_total": "Updates that did not arrive from a service.",
        "parley_gateway_updates_replayed_total": "Missed Updates that were fetched and delivered.",
        "parley_gateway_updates_total": "Updates from services, and those delivered to sessions.",
        "parley_loop_busy_ratio": "Share of the last 5 s in which the loop was busy.",
        "parley_loop_longest_turn_seconds": "Longest turn of the loop in the last 5 s: the longest delay it may cause.",
        "parley_metrics_overflow_total": "Recorded values of figures with too many labels to be kept apart.",
        "parley_suggestion_messages_left_out_total": "Messages that were not read, as their sender's share is used up.",
        "parley_model_fallbacks_total": "Messages that the rules read instead of the model, by reason.",
        "parley_model_messages_waiting": "Messages that wait for the model.",
        "parley_model_requests_total": "Requests to the model, by result.",
        "parley_presence_changes_waiting": "People of whose coming or going watchers were told in the last round.",
        "parley_push_in_front": "People who have the app in front of them.",
        "parley_push_people": "People with devices to which pushes are sent.",
        "parley_push_problems_total": "Times that a push service stopped taking pushes, by transport and code.",
        "parley_push_waiting": "Pushes that wait to be sent, at most 100000.",
        "parley_pushes_not_told_total": "Pushes that were not sent as nobody is to be told, by reason.",
        "parley_pushes_total": "Pushes handed to push services, by transport and result.",
        "parley_request_seconds": "Time taken by requests, by method.",
        "parley_requests_in_flight": "Requests not yet answered.",
        "parley_requests_total": "Requests answered, by method and code.",
        "parley_search_messages_noted_total": "Messages whose words were indexed for search.",
        "parley_trace_spans_dropped_total": "Spans that were not written because the disk was full or too slow.",
        "parley_trace_spans_written_total": "Spans written to the trace file.",
        "parley_work_pool_queue": "Pieces of work waiting for a thread of the pool.",
        "process_cpu_seconds_total": "CPU time of the process in user and system mode, in seconds.",
        "process_max_fds": "Maximum number of open file descriptors.",
        "process_open_fds": "Number of open file descriptors.",
        "process_resident_memory_bytes": "Memory of the process in RAM, in bytes.",
        "process_start_time_seconds": "When the process started, in seconds since 1970.",
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

    /// Formats a number, without a fraction if it is whole.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
    }
}
