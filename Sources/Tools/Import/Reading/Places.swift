/// What stands at a path of an export.
package enum Place: String, CaseIterable, Sendable {
    case person, block, chat, conversation, members, message, state, mark, presence, request, event, reminder, decision
}

/// Where an app keeps its records, and what their fields are called.
package struct Places: Sendable {
    /// A level of paths. A name in braces stands for any key, which becomes that variable.
    final class Node: Sendable {
        let named: [String: Node]
        let any: Node?
        let variable: String
        let place: Place?

        fileprivate init(_ patterns: [(parts: ArraySlice<String>, place: Place)]) {
            place = patterns.first { $0.parts.isEmpty }?.place
            let deeper = patterns.filter { !$0.parts.isEmpty }
            func node(_ first: String) -> Node {
                Node(deeper.filter { $0.parts.first == first }.map { ($0.parts.dropFirst(), $0.place) })
            }
            let firsts = Set(deeper.compactMap(\.parts.first))
            let variables = firsts.filter { $0.hasPrefix("{") }
            named = Dictionary(uniqueKeysWithValues: firsts.subtracting(variables).map { ($0, node($0)) })
            // Whatever they call it, any key is any key.
            let open = deeper.filter { $0.parts.first?.hasPrefix("{") ?? false }
            any = open.isEmpty ? nil : Node(open.map { ($0.parts.dropFirst(), $0.place) })
            variable = variables.min().map { String($0.dropFirst().dropLast()) } ?? ""
        }

        func child(_ key: String) -> (node: Node, variable: String)? {
            if let node = named[key] { return (node, "") }
            return any.map { ($0, variable) }
        }
    }

    let root: Node
    private let fields: [Place: [String: [[String]]]]

    /// Those of `--print-map`.
    package static let builtIn: Places = {
        // The text below is tested.
        guard let places = try? Places(yaml: "") else { fatalError("the built-in map is wrong") }
        return places
    }()

    /// - Parameter yaml: a mapping file, whose entries take the place of the built-in ones.
    /// - Throws: ``ImportError`` `import_map`.
    package init(yaml: String) throws(ImportError) { try self.init(own: Self.text, yaml: yaml) }

    /// - Parameter own: what counts where the other says nothing.
    init(own: String, yaml: String) throws(ImportError) {
        let (own, given) = (try YAML.value(of: own), try YAML.value(of: yaml))
        for entry in given.entries where !["places", "fields"].contains(entry.key) {
            throw Self.wrong("It has \(entry.key), but only \"places\" and \"fields\" are understood.")
        }
        var patterns: [(parts: ArraySlice<String>, place: Place)] = []
        for place in Place.allCases {
            let paths = given["places"]?[place.rawValue]?.present ?? own["places"]?[place.rawValue] ?? .null
            for path in paths.people {
                let parts = path.split(separator: "/").map(String.init)
                try Self.check(parts, path, place)
                patterns.append((parts[...], place))
            }
        }
        try Self.checkNames(given["places"] ?? .null, known: Set(Place.allCases.map(\.rawValue)), in: "places")
        try Self.checkNames(given["fields"] ?? .null, known: Set(Place.allCases.map(\.rawValue)), in: "fields")
        var fields: [Place: [String: [[String]]]] = [:]
        for place in Place.allCases {
            let known = own["fields"]?[place.rawValue]?.entries ?? []
            let replaced = given["fields"]?[place.rawValue] ?? .null
            try Self.checkNames(replaced, known: Set(known.map(\.key)), in: "fields of \(place.rawValue)")
            for field in known {
                let names = (replaced[field.key]?.present ?? field.value).people
                fields[place, default: [:]][field.key] = names.map { $0.split(separator: ".").map(String.init) }
            }
        }
        (self.fields, root) = (fields, Node(patterns))
    }

    /// The names by which a field goes, in the order in which they count; each a path inside of the record.
    func names(_ field: String, of place: Place) -> [[String]] {
        fields[place]?[field] ?? []
    }

    /// The names of all fields of a place, the first part of each.
    func known(_ place: Place) -> Set<String> {
        Set((fields[place] ?? [:]).values.joined().compactMap(\.first))
    }

    private static func check(_ parts: [String], _ path: String, _ place: Place) throws(ImportError) {
        let needed: [String] =
            switch place {
            case .person, .presence: ["user"]
            case .block: ["user", "other"]
            case .chat, .state: ["user", "conversation"]
            case .conversation, .members: ["conversation"]
            case .message: ["conversation", "message"]
            case .mark: ["user", "mark"]
            case .request: ["request"]
            case .event, .reminder, .decision: ["entity"]
            }
        let variables = parts.filter { $0.hasPrefix("{") && $0.hasSuffix("}") }.map {
            String($0.dropFirst().dropLast())
        }
        guard variables.sorted() == needed.sorted() else {
            let shown = needed.map { "{\($0)}" }.joined(separator: " and ")
            throw wrong(
                "The path \(path) of \(place.rawValue) must have \(shown), once each and nothing else in braces.")
        }
    }

    private static func checkNames(_ given: JSON, known: Set<String>, in what: String) throws(ImportError) {
        if let stranger = given.entries.first(where: { !known.contains($0.key) }) {
            throw wrong(
                "\(what) has \(stranger.key), but only \(known.sorted().joined(separator: ", ")) is understood.")
        }
    }

    private static func wrong(_ message: String) -> ImportError {
        ImportError(
            .map, "The map is not understood. \(message)",
            advice: "Begin with the built-in one: parley import firebase --print-map")
    }
}
