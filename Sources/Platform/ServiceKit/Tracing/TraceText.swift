import Tracing

/// Formats spans as OTLP's JSON: one ExportTraceServiceRequest per line, as the `otlpjsonfile` receiver of the
/// OpenTelemetry Collector reads them (https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/). Pure.
struct TraceText: Sendable {
    private let begin: String

    /// - Parameter version: the version of the program.
    init(service: String, instance: String, version: String) {
        let resource = [("service.name", service), ("service.instance.id", instance), ("service.version", version)]
        let attributes = resource.map { Self.attribute($0.0, "\"stringValue\":\(Self.quoted($0.1))") }
        begin =
            "{\"resourceSpans\":[{\"resource\":{\"attributes\":[\(attributes.joined(separator: ","))]},"
            + "\"scopeSpans\":[{\"scope\":{\"name\":\"parley\",\"version\":\(Self.quoted(version))},\"spans\":["
    }

    /// Returns the line with its line break.
    func line(_ spans: [FinishedSpan]) -> [UInt8] {
        Array((begin + spans.map(Self.object).joined(separator: ",") + "]}]}]}\n").utf8)
    }

    private static func object(_ span: FinishedSpan) -> String {
        var text = "{\"traceId\":\"\(span.own.traceText)\",\"spanId\":\"\(span.own.spanText)\","
        if span.parent != 0 { text += "\"parentSpanId\":\"\(TraceParent.digits(span.parent))\"," }
        text += "\"name\":\(quoted(span.name)),\"kind\":\(number(of: span.kind)),"
        text += "\"startTimeUnixNano\":\"\(span.startedAt)\",\"endTimeUnixNano\":\"\(span.endedAt)\""
        var attributes: [(String, String)] = []
        span.attributes.forEach { name, value in attributes.append((name, self.value(value))) }
        if !attributes.isEmpty {
            let listed = attributes.sorted { $0.0 < $1.0 }.map { attribute($0.0, $0.1) }
            text += ",\"attributes\":[\(listed.joined(separator: ","))]"
        }
        if !span.errors.isEmpty {
            let events = span.errors.map { error in
                "{\"timeUnixNano\":\"\(error.at)\",\"name\":\"exception\",\"attributes\":["
                    + attribute("exception.type", "\"stringValue\":\(quoted(error.type))") + "]}"
            }
            text += ",\"events\":[\(events.joined(separator: ","))]"
        }
        guard let status = span.status else { return text + "}" }
        text += ",\"status\":{\"code\":\(status.code == .error ? 2 : 1)"
        if let message = status.message { text += ",\"message\":\(quoted(message))" }
        return text + "}}"
    }

    /// The number in opentelemetry.proto.trace.v1.Span.SpanKind.
    private static func number(of kind: SpanKind) -> Int {
        switch kind {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }

    private static func attribute(_ name: String, _ value: String) -> String {
        "{\"key\":\(quoted(name)),\"value\":{\(value)}}"
    }

    /// Whole numbers are text in protobuf's JSON. Lists are written as text.
    private static func value(_ value: SpanAttribute) -> String {
        switch value {
        case .int32(let number): "\"intValue\":\"\(number)\""
        case .int64(let number): "\"intValue\":\"\(number)\""
        case .double(let number) where number.isFinite: "\"doubleValue\":\(number)"
        case .bool(let flag): "\"boolValue\":\(flag)"
        case .string(let text): "\"stringValue\":\(quoted(text))"
        case .stringConvertible(let text): "\"stringValue\":\(quoted("\(text)"))"
        case .stringArray(let list): "\"stringValue\":\(quoted("\(list)"))"
        case .stringConvertibleArray(let list): "\"stringValue\":\(quoted("\(list)"))"
        case .int32Array(let list): "\"stringValue\":\"\(list)\""
        case .int64Array(let list): "\"stringValue\":\"\(list)\""
        case .doubleArray(let list): "\"stringValue\":\"\(list)\""
        case .boolArray(let list): "\"stringValue\":\"\(list)\""
        default: "\"stringValue\":\"\""
        }
    }

    private static func quoted(_ text: String) -> String { "\"\(LineLogHandler.escaped(text))\"" }
}
