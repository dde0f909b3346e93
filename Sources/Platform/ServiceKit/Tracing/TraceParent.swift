import Tracing

/// The ids of a trace and a span, and whether the trace is written: the `traceparent` of W3C Trace Context
/// (https://www.w3.org/TR/trace-context/), version 00. Pure.
struct TraceParent: Sendable, Equatable {
    /// The two halves of the trace's id; never both zero.
    let trace: (high: UInt64, low: UInt64)
    /// Never zero.
    let span: UInt64
    let isSampled: Bool

    init(trace: (high: UInt64, low: UInt64), span: UInt64, isSampled: Bool) {
        (self.trace, self.span, self.isSampled) = (trace, span, isSampled)
    }

    /// Parses `00-` 32 digits `-` 16 digits `-` 2 digits, in lowercase hexadecimal; nil if `text` has another form.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let dash = UInt8(ascii: "-")
        guard bytes.count == 55, bytes[0] == UInt8(ascii: "0"), bytes[1] == UInt8(ascii: "0"),
            bytes[2] == dash, bytes[35] == dash, bytes[52] == dash,
            let high = Self.number(bytes[3..<19]), let low = Self.number(bytes[19..<35]),
            let span = Self.number(bytes[36..<52]), let flags = Self.number(bytes[53..<55]),
            high | low != 0, span != 0
        else { return nil }
        self.init(trace: (high, low), span: span, isSampled: flags & 1 == 1)
    }

    /// Makes a new trace.
    static func random(isSampled: (UInt64) -> Bool) -> TraceParent {
        let low = UInt64.random(in: 1...(.max))
        return TraceParent(
            trace: (.random(in: 0...(.max)), low), span: .random(in: 1...(.max)), isSampled: isSampled(low))
    }

    /// Another span of the same trace.
    var child: TraceParent { TraceParent(trace: trace, span: .random(in: 1...(.max)), isSampled: isSampled) }

    var text: String { "00-\(traceText)-\(spanText)-\(isSampled ? "01" : "00")" }
    var traceText: String { Self.digits(trace.high) + Self.digits(trace.low) }
    var spanText: String { Self.digits(span) }

    static func == (one: TraceParent, other: TraceParent) -> Bool {
        one.trace == other.trace && one.span == other.span && one.isSampled == other.isSampled
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }

    static func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
}

extension InstrumentationContext {
    private enum Key: InstrumentationContextKey {
        typealias Value = TraceParent
        static var nameOverride: String? { "parley-traceparent" }
    }

    var traceParent: TraceParent? {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }
}

/// Carries a trace from the gateway to a service in one field of ``Envelope``. Tracers that write W3C Trace Context can
/// use it; any other fields they write are left out.
struct TraceCarrier: Injector, Extractor {
    static let key = "traceparent"

    func inject(_ value: String, forKey key: String, into carrier: inout String) {
        // The limit of the envelope's field.
        if key == Self.key, value.utf8.count <= 64 { carrier = value }
    }

    func extract(key: String, from carrier: String) -> String? {
        key == Self.key && !carrier.isEmpty ? carrier : nil
    }
}
