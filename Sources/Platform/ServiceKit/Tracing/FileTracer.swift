import Synchronization
import Tracing

/// A tracer that needs no other program. It decides at the first span of a trace whether the whole trace is written; a
/// ``TraceFile`` writes it.
struct FileTracer: Tracer {
    private let file: TraceFile
    /// Traces are written if the lower half of their id (1 or more) is at most this; nil writes all.
    private let bound: UInt64?

    /// - Parameter share: the share of the traces beginning here that is written, 0 to 1.
    init(_ file: TraceFile, share: Double) {
        self.file = file
        bound = share >= 1 ? nil : UInt64(max(0, share) * 0x1p64)
    }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> FileSpan {
        var context = context()
        let parent = context.traceParent
        let own = parent?.child ?? .random { low in bound.map { low <= $0 } ?? true }
        context.traceParent = own
        return FileSpan(
            operationName, own, parent: parent?.span ?? 0, kind, context, file,
            startedAt: own.isSampled ? instant().nanosecondsSinceEpoch : 0)
    }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let text = extractor.extract(key: TraceCarrier.key, from: carrier) else { return }
        context.traceParent = TraceParent(text)
    }

    func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let parent = context.traceParent else { return }
        injector.inject(parent.text, forKey: TraceCarrier.key, into: &carrier)
    }

    func forceFlush() {}
}

/// A span of a ``FileTracer``. It records nothing if its trace is not written.
final class FileSpan: Span {
    private struct State {
        var name: String
        var attributes: SpanAttributes = [:]
        var status: SpanStatus?
        var errors: [FinishedSpan.Failure] = []
        var hasEnded = false
    }

    /// Further errors are left out.
    private static let errorsMax = 8

    let context: InstrumentationContext
    private let own: TraceParent
    private let parent: UInt64
    private let kind: SpanKind
    private let startedAt: UInt64
    private let file: TraceFile
    private let state: Mutex<State>

    fileprivate init(
        _ name: String, _ own: TraceParent, parent: UInt64, _ kind: SpanKind, _ context: InstrumentationContext,
        _ file: TraceFile, startedAt: UInt64
    ) {
        (self.own, self.parent, self.kind, self.context) = (own, parent, kind, context)
        (self.file, self.startedAt) = (file, startedAt)
        state = Mutex(State(name: name))
    }

    var isRecording: Bool { own.isSampled && !state.withLock { $0.hasEnded } }

    var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { if own.isSampled { state.withLock { $0.attributes = newValue } } }
    }

    func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }

    /// Records only the error's type, since its text may contain what a user wrote.
    func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        guard own.isSampled else { return }
        let failure = FinishedSpan.Failure(type: "\(type(of: error))", at: instant().nanosecondsSinceEpoch)
        state.withLock { if $0.errors.count < Self.errorsMax { $0.errors.append(failure) } }
    }

    /// Events and links are left out, since Parley's code adds none.
    func addEvent(_ event: SpanEvent) {}
    func addLink(_ link: SpanLink) {}

    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        guard own.isSampled else { return }
        let state = state.withLock { state -> State? in
            if state.hasEnded { return nil }
            defer { state.hasEnded = true }
            return state
        }
        guard let state else { return }
        file.add(
            FinishedSpan(
                own: own, parent: parent, name: state.name, kind: kind, startedAt: startedAt,
                endedAt: max(startedAt, instant().nanosecondsSinceEpoch), attributes: state.attributes,
                status: state.status, errors: state.errors))
    }
}

/// A span as it is written.
struct FinishedSpan: Sendable {
    struct Failure: Sendable {
        var type: String
        var at: UInt64
    }

    var own: TraceParent
    /// Zero for the first span of a trace.
    var parent: UInt64
    var name: String
    var kind: SpanKind
    /// Nanoseconds since 1970.
    var startedAt: UInt64
    var endedAt: UInt64
    var attributes: SpanAttributes
    var status: SpanStatus?
    var errors: [Failure]
}
