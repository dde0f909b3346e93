/// A record as one place of an export has it. Several places may have parts of the same one.
package struct Fragment: Equatable, Sendable {
    package var place: Place
    /// The variables of its path.
    package var keys: [String: String]
    /// Where it stands, for the report: `rtdb.json:users/alice`.
    package var path: String
    package var value: JSON

    package init(_ place: Place, _ keys: [String: String], path: String, _ value: JSON) {
        (self.place, self.keys, self.path, self.value) = (place, keys, path, value)
    }

    /// The field of this meaning; nil if the record has none, or null.
    func field(_ name: String, _ places: Places) -> JSON? {
        for path in places.names(name, of: place) {
            var found: JSON? = value
            for key in path { found = found?[key]?.present }
            if let found { return found }
        }
        return nil
    }

    func text(_ name: String, _ places: Places) -> String? {
        field(name, places)?.name.flatMap { $0.isEmpty ? nil : $0 }
    }

    func time(_ name: String, _ places: Places) -> Int64? { field(name, places).flatMap(Times.microseconds) }

    /// The fields that no meaning names, which are kept beside.
    func strangers(_ places: Places) -> [JSON.Field] {
        let known = places.known(place)
        guard case .object(let fields) = value else { return [] }
        return fields.filter { !known.contains($0.key) && $0.value != .null }
    }
}
