import Glibc
import Logging
import Reactor
import Schema
import TestSupport

@testable import Wire

/// A folder for sockets, removed with this value.
final class Folder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/parley-wire-XXXXXX\0".utf8CString)
        path = template.withUnsafeMutableBufferPointer { buffer in
            guard let made = mkdtemp(buffer.baseAddress!) else { fatalError("mkdtemp") }
            return String(cString: made)
        }
    }

    func endpoint(_ name: String) -> String { "ipc://\(path)/\(name)" }

    deinit {
        for name in ["a", "b"] { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}

let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// Waits until `condition` holds.
@ReactorActor
func until(file: String = #fileID, line: Int = #line, _ condition: () -> Bool) async throws {
    try await eventually("the condition of \(file):\(line)") { condition() }
}

/// A queue of elements in order of arrival.
@ReactorActor
final class Inbox<Element: Sendable> {
    private(set) var elements: [Element] = []

    nonisolated init() {}

    func put(_ element: Element) { elements.append(element) }

    func next(file: String = #fileID, line: Int = #line) async throws -> Element {
        try await eventually("the element that \(file):\(line) waits for") { !elements.isEmpty }
        return elements.removeFirst()
    }
}

/// Makes a frame of these records.
func frame(_ records: (header: [UInt8], body: [UInt8])...) -> [UInt8] {
    var builder = RecordFrame.Builder()
    for record in records { builder.append(header: record.header, body: record.body) }
    return builder.bytes
}

extension RequestServer {
    /// Starts a server that sends each body back.
    static func echo(_ endpoint: String, prefix: [UInt8] = []) throws -> (server: RequestServer, endpoint: String) {
        let server = RequestServer(endpoint: endpoint, log: quiet)
        let bound = try server.start { _, body, responder in responder.reply(prefix + body) }
        return (server, bound)
    }
}

extension RequestClient {
    static func started(_ endpoints: String..., inFlightMax: Int = WireLimits.inFlightMax) async throws -> RequestClient
    {
        let client = RequestClient(
            service: "test", endpoints: endpoints, instance: "here", inFlightMax: inFlightMax, log: quiet)
        try client.start()
        try await until { client.liveEndpoints.count == Set(endpoints).count }
        return client
    }

    func ask(
        _ body: [UInt8] = [], method: String = "test.Ask", key: String = "", deadline: Duration = .seconds(10)
    ) async -> Result<[UInt8], Refusal> {
        await withCheckedContinuation { continuation in
            send(Envelope(method: method), key: key, body: body, deadline: deadline) {
                continuation.resume(returning: $0)
            }
        }
    }
}

extension RequestClient {
    func ask(_ body: [UInt8] = [], of endpoint: String) async -> Result<[UInt8], Refusal> {
        await withCheckedContinuation { continuation in
            send(Envelope(method: "test.Ask"), to: endpoint, body: body, deadline: .seconds(10)) {
                continuation.resume(returning: $0)
            }
        }
    }
}

extension Result where Failure == Refusal {
    var code: Refusal.Code? {
        guard case .failure(let refusal) = self else { return nil }
        return refusal.code
    }
}
