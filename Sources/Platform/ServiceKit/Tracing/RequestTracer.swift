import Tracing

/// Reports a process's requests to the tracer of swift-distributed-tracing that was bootstrapped before the process
/// started. Without one there is no `RequestTracer`, and a request costs one nil check.
public struct RequestTracer: Sendable {
    private let tracer: any Tracer

    /// nil without a tracer. Determined once.
    public static let current: RequestTracer? = {
        let tracer = InstrumentationSystem.tracer
        return tracer is NoOpTracer ? nil : RequestTracer(tracer)
    }()

    init(_ tracer: any Tracer) { self.tracer = tracer }

    /// Begins the trace of a request from outside, unless the tracer leaves it out.
    /// - Parameter id: the request's id in the logs.
    public func begin(_ method: String, id: String) -> RequestSpan {
        span(method, id: id, in: .topLevel, .server)
    }

    /// Continues a trace in the service that answers the request.
    /// - Parameter parent: the `traceparent` from the gateway.
    /// - Returns: nil if `parent` is empty.
    func resume(_ parent: String, _ method: String, id: String) -> RequestSpan? {
        guard !parent.isEmpty else { return nil }
        var context = InstrumentationContext.topLevel
        tracer.extract(parent, into: &context, using: TraceCarrier())
        return span(method, id: id, in: context, .server)
    }

    /// Begins a part of the current span; nil if nothing is being traced.
    func part(_ name: String) -> RequestSpan? {
        guard let context = InstrumentationContext.current else { return nil }
        return RequestSpan(tracer.startSpan(name, context: context, ofKind: .internal), tracer)
    }

    private func span(
        _ method: String, id: String, in context: InstrumentationContext, _ kind: SpanKind
    ) -> RequestSpan {
        let span = tracer.startSpan(method, context: context, ofKind: kind)
        if span.isRecording {
            span.attributes["rpc.system"] = "parley"
            span.attributes["rpc.method"] = method
            span.attributes["parley.request"] = id
        }
        return RequestSpan(span, tracer)
    }
}

/// A traced request, or a part of one. It names the request and its outcome, but nothing that users wrote.
public final class RequestSpan: Sendable {
    private let span: any Span
    private let tracer: any Tracer

    fileprivate init(_ span: any Span, _ tracer: any Tracer) { (self.span, self.tracer) = (span, tracer) }

    /// The value of `Envelope.traceparent`, which passes the trace on to a service.
    public var traceparent: String {
        var carrier = ""
        tracer.inject(span.context, into: &carrier, using: TraceCarrier())
        return carrier
    }

    /// Runs `body` with this span as the parent of the spans it begins.
    func whileCurrent<T>(_ body: () throws -> T) rethrows -> T {
        try InstrumentationContext.withValue(span.context, operation: body)
    }

    /// Ends the span. Call it once.
    /// - Parameter code: "ok", or the code of the refusal.
    public func end(_ code: String) {
        if span.isRecording {
            span.attributes["parley.code"] = code
            if code != "ok" { span.setStatus(SpanStatus(code: .error, message: code)) }
        }
        span.end()
    }
}
