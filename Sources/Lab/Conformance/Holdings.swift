import Foundation
import ParleyClient
import SwiftProtobuf

/// A difference between what a case expects and what the client did.
public struct Difference: Sendable, Equatable, Encodable {
    /// Where in the case: "step 3 (update)", "at the end".
    public var place: String
    public var expected: String
    public var seen: String
}

/// What a client holds: the states by kind and key, and what it counts.
struct Holdings {
    struct Count: Equatable, CustomStringConvertible {
        var unread: Int64
        var mentions: Int64
        var ask: Bool

        var description: String { "unread \(unread), mentions \(mentions), ask \(ask)" }
    }

    /// nil: not followed.
    var positions: [String: Int64?] = [:]
    /// Each state on one line. nil: not told.
    var states: [String: String]?
    var unread: [String: Count] = [:]
    var badge: Int64?

    /// - Parameter json: as the vectors' `after`.
    init(_ json: JSON, _ normalise: (any State) -> (any State)? = { $0 }) throws {
        for (stream, position) in json["positions"].object {
            positions.updateValue(position is NSNull ? nil : JSON(position).number, forKey: stream)
        }
        if let list = json["states"].list { states = try Self.texts(list.map { try $0.state() }, normalise) }
        for (conversation, count) in json["unread"].object {
            let count = JSON(count)
            unread[conversation] = Count(
                unread: count["unread"].number ?? 0, mentions: count["mentions"].number ?? 0, ask: count["ask"].isTrue)
        }
        badge = json["badge"].number
    }

    init() {}

    /// Returns states on one line each, by kind and key, without those that are empty.
    static func texts(_ states: [any State], _ normalise: (any State) -> (any State)? = { $0 }) -> [String: String] {
        var texts: [String: String] = [:]
        for state in states {
            guard var state = normalise(state) else { continue }
            if var message = state as? Parley_V1_Message, message.own == Parley_V1_OwnMessageState() {
                message.clearOwn()
                state = message
            }
            let text = Contract.text(state)
            if !text.isEmpty { texts[key(of: state)] = text }
        }
        return texts
    }

    private static func key(of state: any State) -> String {
        switch state {
        case let state as Parley_V1_Message: "Message \(state.conversation) \(state.seq)"
        case let state as Parley_V1_Conversation: "Conversation \(state.id)"
        case let state as Parley_V1_InboxState: "InboxState \(state.conversation)"
        case let state as Parley_V1_Receipt: "Receipt \(state.conversation) \(state.user)"
        case let state as Parley_V1_ReadCount: "ReadCount \(state.conversation) \(state.seq)"
        case let state as Parley_V1_Typing: "Typing \(state.conversation) \(state.user)"
        case let state as Parley_V1_Block: "Block \(state.user.id)"
        case let state as Parley_V1_Reminder: "Reminder \(state.id.hexDigits)"
        case let state as Parley_V1_Decision: "Decision \(state.id.hexDigits)"
        default: type(of: state).protoMessageName.split(separator: ".").last.map(String.init) ?? ""
        }
    }

    /// Returns where `seen` differs.
    func differences(from seen: Holdings, place: String = "at the end") -> [Difference] {
        var found: [Difference] = []
        func compare(_ what: String, _ expected: String?, _ seen: String?, absent: String = "not held") {
            guard expected != seen else { return }
            found.append(
                Difference(
                    place: place, expected: "\(what): \(expected ?? absent)", seen: "\(what): \(seen ?? absent)"))
        }
        for (stream, position) in positions.sorted(by: { $0.key < $1.key }) {
            let held = seen.positions[stream] ?? nil
            compare("position of \(stream)", position.map { "\($0)" }, held.map { "\($0)" })
        }
        if let states {
            let held = seen.states ?? [:]
            for key in Set(states.keys).union(held.keys).sorted() { compare(key, states[key], held[key]) }
        }
        for (conversation, count) in unread.sorted(by: { $0.key < $1.key }) {
            compare("\(conversation)", "\(count)", seen.unread[conversation].map { "\($0)" }, absent: "not told")
        }
        if let badge { compare("badge", "\(badge)", seen.badge.map { "\($0)" }, absent: "not told") }
        return found
    }
}

/// A value of JSON, read with defaults.
struct JSON {
    let value: Any?

    init(_ value: Any?) { self.value = value }

    init(text: String) throws {
        value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }

    subscript(_ name: String) -> JSON { JSON(object[name]) }

    var object: [String: Any] { value as? [String: Any] ?? [:] }
    var list: [JSON]? { (value as? [Any])?.map { JSON($0) } }
    var string: String { value as? String ?? "" }
    var isTrue: Bool { value as? Bool ?? false }
    var isPresent: Bool { value != nil }
    /// 64-bit integers are numbers or, as in the JSON of proto3, texts.
    var number: Int64? { (value as? NSNumber)?.int64Value ?? (value as? String).flatMap { Int64($0) } }

    var data: Data {
        value.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: .fragmentsAllowed) } ?? Data()
    }

    /// Reads the value as a message of the contract.
    func message(_ type: any State.Type) throws -> any State {
        guard isPresent else { return type.init() }
        return try type.init(jsonUTF8Data: data)
    }

    /// Reads `{"kind", "body"}`.
    func state() throws -> any State {
        let kind = self["kind"].string
        guard let type = Contract.kinds[kind] else { throw UnknownKind(kind: kind) }
        return try self["body"].message(type)
    }
}

struct UnknownKind: Error, CustomStringConvertible {
    let kind: String
    var description: String { "\"\(kind)\" is not a kind of state" }
}
