import Tracing

/// What a process tells of its requests to the tracer it has: swift-distributed-tracing's, whichever was bootstrapped
/// before it started. Without one there is no `RequestTracer`, and a request costs a look at a nil.
public struct RequestTracer: Sendable {
    private let tracer: any Tracer

    /// nil: nobody traces. Asked for once.
    public static let current: RequestTracer? = {
        let tracer = InstrumentationSystem.tracer
        return tracer is NoOpTracer ? nil : RequestTracer(tracer)
    }()

    init(_ tracer: any Tracer) { self.tracer = tracer }

    /// A request that comes from outside: the beginning of a trace, unless the tracer leaves it out.
    /// - Parameter id: the request's id in the logs.
    public func begin(_ method: String, id: String) -> RequestSpan {
        span(method, id: id, in: .topLevel, .server)
    }

    /// The part of a request that a service answers.
    /// - Parameter parent: what the gateway sent along.
    /// - Returns: nil when that is nothing.
    func go(onWith parent: String, _ method: String, id: String) -> RequestSpan? {
        guard !parent.isEmpty else { return nil }
        var context = InstrumentationContext.topLevel
        tracer.extract(parent, into: &context, using: TraceCarrier())
        return span(method, id: id, in: context, .server)
    }

    /// A part of what is going on; nil when nothing that is traced is.
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

/// One request, or a part of one, that is traced. It names the request and what came of it; nothing that anybody said.
public final class RequestSpan: Sendable {
    private let span: any Span
    private let tracer: any Tracer

    fileprivate init(_ span: any Span, _ tracer: any Tracer) { (self.span, self.tracer) = (span, tracer) }

    /// What tells a service of it: `Envelope.traceparent`.
    public var traceparent: String {
        var carrier = ""
        tracer.inject(span.context, into: &carrier, using: TraceCarrier())
        return carrier
    }

    /// What `body` starts is a part of it.
    func whileCurrent<T>(_ body: () throws -> T) rethrows -> T {
        try InstrumentationContext.withValue(span.context, operation: body)
    }

    /// To be called once.
    /// - Parameter code: "ok", or the refusal's.
    public func end(_ code: String) {
        if span.isRecording {
            span.attributes["parley.code"] = code
            if code != "ok" { span.setStatus(SpanStatus(code: .error, message: code)) }
        }
        span.end()
    }
}
