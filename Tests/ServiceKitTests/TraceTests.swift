import Foundation
import Reactor
import Schema
import Synchronization
import TestSupport
import Testing
import Tracing
import Wire

@testable import ServiceKit

/// A span read from a trace file.
private struct Span: Equatable {
    var name, trace, span: String
    var parent: String?
    var attributes: [String: String]
    var status: Int?

    static func all(of path: String) throws -> [Span] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try text.split(separator: "\n").flatMap { line -> [Span] in
            let request = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let resources = request?["resourceSpans"] as? [[String: Any]] ?? []
            let scopes = resources.flatMap { $0["scopeSpans"] as? [[String: Any]] ?? [] }
            return scopes.flatMap { $0["spans"] as? [[String: Any]] ?? [] }.map { object in
                let attributes = (object["attributes"] as? [[String: Any]] ?? []).map { attribute in
                    let value = (attribute["value"] as? [String: Any])?.values.first
                    return ("\(attribute["key"] ?? "")", "\(value ?? "")")
                }
                return Span(
                    name: "\(object["name"] ?? "")", trace: "\(object["traceId"] ?? "")",
                    span: "\(object["spanId"] ?? "")", parent: object["parentSpanId"] as? String,
                    attributes: Dictionary(uniqueKeysWithValues: attributes),
                    status: (object["status"] as? [String: Any])?["code"] as? Int)
            }
        }
    }
}

@Suite("Traces of requests", .timeLimit(.minutes(4)))
@ReactorActor
struct TraceTests {
    private let folder = Folder()
    private var path: String { "\(folder.path)/traces" }
    private let metrics = MetricsRegistry()

    private func file(_ path: String? = nil, spansHeldMax: Int = 8192) throws -> TraceFile {
        try TraceFile(
            path ?? self.path, TraceText(service: "parley-test", instance: "test-1", version: "1"),
            spansHeldMax: spansHeldMax, metrics: metrics)
    }

    private func count(_ outcome: String) -> Double {
        metrics.snapshot.first { $0.name == "parley_trace_spans_\(outcome)_total" }?.value ?? 0
    }

    @Test("D1 a traceparent is read as it was written, and no other text is accepted")
    func traceparent() {
        let text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let parent = TraceParent(text)
        #expect(parent?.text == text)
        #expect(parent?.isSampled == true && parent?.spanText == "b7ad6b7169203331")
        #expect(TraceParent(text.dropLast(2) + "00")?.isSampled == false)
        let child = parent?.child
        #expect(child?.traceText == parent?.traceText && child?.span != parent?.span && child?.isSampled == true)
        for wrong in [
            "", "00", "01" + text.dropFirst(2), text.uppercased(), text + "-", String(text.dropLast()),
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            text.replacingOccurrences(of: "-", with: "_"), text.replacingOccurrences(of: "a", with: "g"),
        ] {
            #expect(TraceParent(wrong) == nil, "\(wrong)")
        }
    }

    @Test("D1 a line has the format that the OpenTelemetry Collector reads, whatever its texts contain")
    func line() {
        let own = TraceParent(trace: (1, 2), span: 3, isSampled: true)
        var attributes: SpanAttributes = ["text": "a \"quoted\"\nline", "number": 7, "flag": true]
        attributes["half"] = 0.5
        let span = FinishedSpan(
            own: own, parent: 4, name: "messaging.SendMessage", kind: .server, startedAt: 5, endedAt: 6,
            attributes: attributes, status: .init(code: .error, message: "not_member"),
            errors: [.init(type: "Odd", at: 6)])
        let line = TraceText(service: "parley-messaging", instance: "m-1", version: "1").line([span])
        #expect(
            String(decoding: line, as: UTF8.self) == """
                {"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"parley-messaging"}},\
                {"key":"service.instance.id","value":{"stringValue":"m-1"}},\
                {"key":"service.version","value":{"stringValue":"1"}}]},\
                "scopeSpans":[{"scope":{"name":"parley","version":"1"},"spans":[\
                {"traceId":"00000000000000010000000000000002","spanId":"0000000000000003","parentSpanId":"0000000000000004",\
                "name":"messaging.SendMessage","kind":2,"startTimeUnixNano":"5","endTimeUnixNano":"6","attributes":[\
                {"key":"flag","value":{"boolValue":true}},{"key":"half","value":{"doubleValue":0.5}},\
                {"key":"number","value":{"intValue":"7"}},{"key":"text","value":{"stringValue":"a \\"quoted\\"\\nline"}}],\
                "events":[{"timeUnixNano":"6","name":"exception","attributes":[\
                {"key":"exception.type","value":{"stringValue":"Odd"}}]}],\
                "status":{"code":2,"message":"not_member"}}]}]}]}

                """)
    }

    @Test("D1 sampled traces are written whole, others not at all, and the flags mark them")
    func sampling() async throws {
        for (share, expected) in [(1.0, 400...400), (0.5, 120...280), (0, 0...0)] {
            let path = "\(folder.path)/\(share)"
            let file = try file(path)
            let tracer = RequestTracer(FileTracer(file, share: share))
            for number in 1...400 {
                let first = tracer.begin("test.First", id: "\(number)")
                let second = tracer.resume(first.traceparent, "test.Second", id: "\(number)")
                #expect(
                    TraceParent(first.traceparent)?.isSampled
                        == TraceParent(try #require(second).traceparent)?.isSampled)
                second?.end("ok")
                first.end("ok")
            }
            await file.close()
            let spans = try Span.all(of: path)
            let (firsts, seconds) = (
                spans.filter { $0.name == "test.First" }, spans.filter { $0.name == "test.Second" }
            )
            #expect(expected.contains(firsts.count), "\(share): \(firsts.count)")
            #expect(Set(firsts.map(\.trace)) == Set(seconds.map(\.trace)) && firsts.count == seconds.count)
            #expect(Set(seconds.map(\.parent)) == Set(firsts.map { Optional($0.span) }))
        }
        #expect(count("dropped") == 0)
    }

    @Test("D1 a service continues the gateway's trace, with the code or refusal, and its parts as children")
    func routes() async throws {
        let file = try file()
        let tracer = RequestTracer(FileTracer(file, share: 0))
        var routes = Routes(log: quiet, sealer: .unused, tracer: tracer)
        routes.on(Method<HealthRequest, HealthReply>(name: "test.Do", access: .anyone)) { _, call in
            tracer.part("transaction")?.end("ok")
            if call.caller.account == 7 { throw Refusal.notFound }
            return HealthReply()
        }
        let endpoint = "ipc://\(folder.path)/requests"
        let server = RequestServer(endpoint: endpoint, log: quiet)
        _ = try server.start { [routes] envelope, body, responder in routes.dispatch(envelope, body, responder) }
        let client = RequestClient(service: "test", endpoints: [endpoint], instance: "here", log: quiet)
        try client.start()
        try await eventually { client.isAvailable }
        let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0"
        for (account, traceparent) in [(0, parent + "1"), (7, parent + "1"), (0, parent + "0"), (0, "")] {
            let envelope = Envelope(
                method: "test.Do", account: Int64(account), trace: "s.\(account)", traceparent: traceparent)
            await withCheckedContinuation { continuation in
                client.send(envelope, key: "", body: [], deadline: .seconds(5)) { _ in continuation.resume() }
            }
        }
        client.close()
        server.close()
        await file.close()
        let spans = try Span.all(of: path)
        let answered = spans.filter { $0.name == "test.Do" }
        #expect(answered.map(\.parent) == ["b7ad6b7169203331", "b7ad6b7169203331"])
        #expect(answered.map { $0.attributes["parley.code"] } == ["ok", "not_found"])
        #expect(answered.map(\.status) == [nil, 2])
        #expect(answered.map { $0.attributes["parley.request"] } == ["s.0", "s.7"])
        let parts = spans.filter { $0.name == "transaction" }
        #expect(parts.map(\.parent) == answered.map(\.span))
        #expect(Set(spans.map(\.trace)) == ["0af7651916cd43dd8448eb211c80319c"])
    }

    @Test("D1 spans that come too fast or cannot be written are dropped and counted; no request waits")
    func dropping() async throws {
        func end(_ count: Int, in file: TraceFile) {
            let tracer = RequestTracer(FileTracer(file, share: 1))
            for number in 0..<count { tracer.begin("test.Do", id: "\(number)").end("ok") }
        }
        let short = try file(spansHeldMax: 10)
        end(100, in: short)
        await short.close()
        #expect(try Span.all(of: path).count == 10)
        #expect(count("written") == 10 && count("dropped") == 90)
        let full = try file("/dev/full")
        end(5, in: full)
        await full.close()
        #expect(count("written") == 10 && count("dropped") == 95)
    }

    @Test("D1 a file that is moved away is replaced by a new one; a path that cannot be written to is an error")
    func paths() async throws {
        let file = try file()
        let tracer = RequestTracer(FileTracer(file, share: 1))
        tracer.begin("test.Before", id: "1").end("ok")
        try await eventually { count("written") == 1 }
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        tracer.begin("test.After", id: "2").end("ok")
        try await eventually { count("written") == 2 }
        await file.close()
        #expect(try Span.all(of: path + ".1").map(\.name) == ["test.Before"])
        #expect(try Span.all(of: path).map(\.name) == ["test.After"])
        let error = #expect(throws: TraceFile.Unwritable.self) { try self.file("\(folder.path)/none/traces") }
        #expect("\(try #require(error))" == "cannot write \(folder.path)/none/traces (No such file or directory)")
    }

    @Test("D1 a process without a tracer has no request tracer")
    func none() {
        #expect(RequestTracer.current == nil)
    }
}
