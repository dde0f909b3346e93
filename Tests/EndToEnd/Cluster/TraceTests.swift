import Foundation
import ParleyClient
import TestSupport
import Testing

extension OperatedClusters {
    @Test(
        "D1 a send is one trace, the service's span below the gateway's; errors are marked, and no content is in it"
    )
    func traces() async throws {
        let folder = try TestFolder()
        let path = "\(folder.path)/traces"
        let cluster = try await TestCluster(
            .init(
                gateways: 2,
                settings: ["*": ["PARLEY_TRACE_FILE": path], "gateway-2": ["PARLEY_TRACE_SAMPLE": "0"]]))
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await bob.client.send("not traced", to: talk)
        _ = try await alice.client.send("a secret of ours", to: talk)
        _ = try await refusal { () async throws(ParleyError) in
            try await alice.client.edit(77, of: talk, text: "another secret")
        }
        let file = try await alice.client.upload(Array("secret bytes".utf8), to: talk, name: "a.txt")
        _ = try await alice.client.send(file, to: talk)
        let link = try await alice.client.createCalendarLink()
        let server = cluster.endpoints.http[0]
        let calendar = try #require(try await onThread { try RawHTTP.send("GET", link, to: server) })
        #expect(calendar.status == 200)

        var spans: [WrittenSpan] = []
        func pair(_ method: String, _ request: String) -> (front: WrittenSpan, back: WrittenSpan)? {
            let both = spans.filter { $0.name == method && $0.attributes["parley.request"]?.hasPrefix(request) == true }
            guard let front = both.first(where: { $0.service == "parley-gateway" }),
                let back = both.first(where: { $0.parent == front.span })
            else { return nil }
            return (front, back)
        }
        let session = await alice.client.welcome.session
        try await eventually("all spans are written") {
            spans = try WrittenSpan.all(of: path)
            return pair("messaging.SendMessage", session) != nil && pair("messaging.EditMessage", session) != nil
                && pair("conversations.StartDirect", session) != nil && pair("http.Exchange", "http.") != nil
                && spans.contains { $0.name == "http.Exchange" && $0.service == "parley-entities" }
        }
        for (method, service, code) in [
            ("messaging.SendMessage", "parley-messaging", "ok"),
            ("messaging.EditMessage", "parley-messaging", "message_not_found"),
            ("conversations.StartDirect", "parley-conversations", "ok"),
        ] {
            let (front, back) = try #require(pair(method, session))
            #expect(front.parent == nil && front.kind == 2 && back.kind == 2, "\(method)")
            #expect(front.trace == back.trace && back.service == service, "\(method)")
            for span in [front, back] {
                #expect(span.attributes["parley.code"] == code && span.attributes["rpc.method"] == method)
                #expect(span.status == (code == "ok" ? nil : 2), "\(method)")
                #expect(span.attributes["parley.request"] == front.attributes["parley.request"])
                #expect(span.startedAt <= span.endedAt)
            }
            #expect(spans.filter { $0.trace == front.trace && $0.parent == nil }.count == 1, "\(method)")
        }
        let started = try #require(pair("conversations.StartDirect", session))
        #expect(spans.contains { $0.name == "transaction" && $0.parent == started.back.span })

        // Requests of the gateway with sample 0 leave no span, neither the gateway's nor a service's.
        let other = await bob.client.welcome.session
        #expect(!spans.contains { $0.attributes["parley.request"]?.hasPrefix(other) == true })
        let token = await alice.client.credentials?.accessToken ?? ""
        await cluster.end()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for secret in ["secret", "not traced", Device.password, token, alice.username, secret(of: link)] {
            #expect(!text.contains(secret))
        }
        folder.remove()
    }

    @Test("D1 a trace file that cannot be written or a wrong sample ends the start with 64 and an explanation")
    func wrongTraceSettings() async throws {
        let (program, folder) = (try Program("parley-presence"), try TestFolder())
        let environment = [
            "PARLEY_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "PARLEY_LINK_SECURITY": "plain",
            "PARLEY_LISTEN_REQUESTS": "ipc://\(folder.path)/r", "PARLEY_LISTEN_UPDATES": "ipc://\(folder.path)/u",
        ]
        let path = "\(folder.path)/none/traces"
        for (arguments, says) in [
            (
                ["--trace-file", path],
                "parley-presence: trace.file: cannot write \(path) (No such file or directory)\n"
            ),
            (["--trace-file", folder.path], "(Is a directory)"),
            (["--trace-sample", "2"], "trace.sample: \"2\" (flag) is not valid; give a number from 0 to 1"),
        ] {
            let outcome = try await program.run(arguments, environment: environment)
            #expect(outcome.status == 64 && outcome.errors.contains(says), "\(outcome)")
        }
        program.remove()
        folder.remove()
    }
}

/// Returns the part of a calendar's link that only its person may know.
func secret(of link: String) -> String {
    String(link.split(separator: "/").last?.prefix { $0 != "." } ?? "")
}

/// A span of a trace file.
private struct WrittenSpan {
    var service, name, trace, span: String
    var parent: String?
    var kind: Int
    var startedAt, endedAt: UInt64
    var attributes: [String: String]
    var status: Int?

    static func all(of path: String) throws -> [WrittenSpan] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        guard let end = text.lastIndex(of: "\n") else { return [] }
        return try text[..<end].split(separator: "\n").flatMap { line -> [WrittenSpan] in
            let request = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return (request?["resourceSpans"] as? [[String: Any]] ?? []).flatMap { resource in
                let own = attributes(of: resource["resource"] as? [String: Any] ?? [:])
                return (resource["scopeSpans"] as? [[String: Any]] ?? []).flatMap { scope in
                    (scope["spans"] as? [[String: Any]] ?? []).map { Self($0, of: own["service.name"] ?? "") }
                }
            }
        }
    }

    private init(_ object: [String: Any], of service: String) {
        func text(_ key: String) -> String { object[key] as? String ?? "" }
        (self.service, name, trace, span) = (service, text("name"), text("traceId"), text("spanId"))
        parent = object["parentSpanId"] as? String
        kind = object["kind"] as? Int ?? 0
        (startedAt, endedAt) = (UInt64(text("startTimeUnixNano")) ?? 0, UInt64(text("endTimeUnixNano")) ?? 0)
        attributes = Self.attributes(of: object)
        status = (object["status"] as? [String: Any])?["code"] as? Int
    }

    private static func attributes(of object: [String: Any]) -> [String: String] {
        let pairs = (object["attributes"] as? [[String: Any]] ?? []).map { attribute in
            ("\(attribute["key"] ?? "")", "\((attribute["value"] as? [String: Any])?.values.first ?? "")")
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}
