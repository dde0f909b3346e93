import Foundation
import ParleyClient
import SwiftProtobuf

/// A case of proto/vectors, whose README describes the fields.
struct Vector: Sendable {
    struct Request: Sendable {
        var method: String
        var text: String
    }

    enum Action: Sendable {
        case connect
        case disconnect
        case update(Parley_V1_Update)
        case reply(to: String, any State)
        case fail(to: String, code: String, retryAfterMs: Int64)
        /// The JSON of a command for the client.
        case command(name: String, String)
        case wait(Duration)
    }

    struct Step: Sendable {
        var name: String
        var action: Action
        var asks: [Request]
    }

    struct Stream: Sendable {
        var position: Int64
        var epoch: String
        var cursor: String
    }

    let id: String
    let rules: [String]
    let about: String
    let isConnected: Bool
    let nowUs: Int64
    let streams: [String: Stream]
    let states: [any State]
    let steps: [Step]
    let after: String
    /// Why the case cannot be played over a socket; nil: it can.
    let obstacle: String?

    /// Returns all vectors, in the order of the files.
    static func all() throws -> [Vector] {
        try VectorFiles.all.flatMap { try JSON(text: $0)["vectors"].list ?? [] }.map { try Vector($0) }
    }

    init(_ json: JSON) throws {
        id = json["id"].string
        rules = (json["rules"].list ?? []).map(\.string)
        about = json["about"].string
        isConnected = json["connected"].value as? Bool ?? true
        nowUs = json["now_us"].number ?? 1000
        let stored = json["stored"]
        streams = stored["streams"].object.mapValues { fields in
            let fields = JSON(fields)
            return Stream(
                position: fields["position"].number ?? 0, epoch: fields["epoch"].string,
                cursor: fields["cursor"].string)
        }
        states = try (stored["states"].list ?? []).map { try $0.state() }
        steps = try (json["steps"].list ?? []).map { try Step($0) }
        after = String(decoding: json["after"].data, as: UTF8.self)
        let isBehind = stored["streams"].object.values.contains { JSON($0)["behind"].isTrue }
        let knewFewer = stored["streams"].object.values.contains { JSON($0)["kinds"].isPresent }
        let epochs = Set(streams.values.map(\.epoch))
        let waitsForSilence = rules.contains("typing-lost") && steps.contains { $0.name == "wait_ms" }
        let hasCells =
            streams.keys.count { $0.hasPrefix("messaging/u/") } > 1
            || (json["steps"].list ?? []).contains { $0["connect"]["cells"].list?.count ?? 0 > 1 }
        obstacle =
            if stored["held"].isPresent {
                "it begins with a client that has read only part of a conversation"
            } else if isBehind {
                "it begins with a client that was stopped while changes were missing"
            } else if knewFewer {
                "it begins with a client that an earlier version was before"
            } else if epochs.count > 1 {
                "it begins with positions of several epochs"
            } else if waitsForSilence {
                "it waits until typing is over"
            } else if hasCells {
                "it has several cells"
            } else {
                nil
            }
    }
}

extension Vector.Step {
    init(_ json: JSON) throws {
        asks = try (json["asks"].list ?? []).map { ask in
            let method = ask["method"].string
            guard let types = Contract.methods[method] else { throw UnknownKind(kind: method) }
            return .init(method: method, text: Contract.text(method, try ask["request"].message(types.request)))
        }
        name = json.object.keys.first { $0 != "asks" } ?? ""
        let value = json[name]
        switch name {
        case "connect": action = .connect
        case "disconnect": action = .disconnect
        case "update":
            let body = try Contract.kinds[value["kind"].string].map { try value["body"].message($0) }
            action = .update(
                try .with {
                    ($0.stream, $0.kind) = (value["stream"].string, value["kind"].string)
                    ($0.position, $0.class) = (value["position"].number ?? 0, .durable)
                    $0.body = try body?.serializedData() ?? Data()
                })
        case "reply":
            let method = value["to"].string
            guard let types = Contract.methods[method] else { throw UnknownKind(kind: method) }
            action = .reply(to: method, try value["body"].message(types.reply))
        case "fail":
            action = .fail(
                to: value["to"].string, code: value["code"].string, retryAfterMs: value["retry_after_ms"].number ?? 0)
        case "wait_ms": action = .wait(.milliseconds(value.number ?? 0))
        default:
            let command: [String: Any] =
                switch name {
                case "open": ["do": "open", "conversation": value.string]
                case "recount": ["do": "recount", "conversations": value.value ?? []]
                default: value.object.merging(["do": name]) { $1 }
                }
            action = .command(name: name, String(decoding: JSON(command).data, as: UTF8.self))
        }
    }
}
