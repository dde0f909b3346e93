/// Walks through an export and hands out the records of the places that the map names.
package struct Walker {
    /// How an export of Firestore writes collections that are inside of documents.
    package enum Form: Equatable, Sendable {
        /// Realtime Database: all of it is one tree.
        case tree
        /// node-firestore-import-export: under `__collections__`.
        case collections
        /// firestore-export-import: under `subCollection`, by whole paths.
        case subCollection
        /// Documents of the REST interface, with the types of their values.
        case documents
    }

    /// What becomes of what the walker finds.
    package protocol Visitor {
        mutating func found(_ fragment: Fragment) throws(ImportError)
        /// Something that the map does not name, of a person or of nobody.
        mutating func unplaced(_ path: String, user: String?, value: JSON?) throws(ImportError)
        mutating func replaced(_ path: String)
    }

    /// What of an unknown place is kept beside, in bytes of JSON.
    static let besideBytesMax = 16_384

    private let places: Places
    private let form: Form
    private let file: String
    private var reader: JSONReader

    package init(path: String, name: String, places: Places) throws(ImportError) {
        let form = name == "rtdb.json" ? Form.tree : try Self.form(of: path, name: name)
        self.init(try JSONReader(path: path, name: name), form, name, places)
    }

    package init(_ bytes: [UInt8], name: String, form: Form, places: Places) {
        self.init(JSONReader(bytes, name: name), form, name, places)
    }

    private init(_ reader: JSONReader, _ form: Form, _ file: String, _ places: Places) {
        (self.reader, self.form, self.file, self.places) = (reader, form, file, places)
        self.reader.takesSeveral = form == .documents
    }

    /// Tells the forms of an export of Firestore apart by their marks, which come first.
    static func form(of path: String, name: String) throws(ImportError) -> Form {
        try form(JSONReader(path: path, name: name))
    }

    static func form(_ reader: JSONReader) throws(ImportError) -> Form {
        var reader = reader
        switch try reader.next() {
        case .listBegins: return .documents
        case .objectBegins: break
        default: throw reader.unexpected("neither an object nor a list")
        }
        guard case .key(let key) = try reader.next() else { return .subCollection }
        switch key {
        case "__collections__": return .collections
        case "documents", "name", "fields", "document", "nextPageToken": return .documents
        default: return .subCollection
        }
    }

    package mutating func walk(_ visitor: inout some Visitor) throws(ImportError) {
        if form == .documents { return try walkDocuments(&visitor) }
        let first = try reader.next()
        guard first == .objectBegins || first == .value(.null) else { throw reader.unexpected("no object at the top") }
        if first == .objectBegins { try fields(of: places.root, Position(), &visitor) }
        guard try reader.next() == .end else { throw reader.unexpected("more than one value") }
    }

    private struct Position {
        var path: [String] = []
        var keys: [String: String] = [:]

        func below(_ key: String, _ variable: String) -> Position {
            var position = self
            position.path.append(key)
            if !variable.isEmpty { position.keys[variable] = key }
            return position
        }
    }

    private func shown(_ position: Position) -> String { "\(file):\(position.path.joined(separator: "/"))" }

    // MARK: Trees

    /// Reads the value of a node, which `token` begins.
    private mutating func visit(
        _ node: Places.Node, _ position: Position, _ token: JSONReader.Token, _ visitor: inout some Visitor
    ) throws(ImportError) {
        let before = reader.replaced
        switch token {
        case .objectBegins: try fields(of: node, position, &visitor)
        case .listBegins: try items(of: node, position, &visitor)
        default:
            let value = try reader.value(from: token)
            if value == .null { return }
            guard let place = node.place else { return try visitor.unplaced(shown(position), user: nil, value: value) }
            try visitor.found(Fragment(place, position.keys, path: shown(position), value))
        }
        if reader.replaced > before, node.place != nil { visitor.replaced(shown(position)) }
    }

    /// Reads an object, which has begun: what the map names inside of it is a record of its own, and the rest is the
    /// record here.
    private mutating func fields(
        of node: Places.Node, _ position: Position, _ visitor: inout some Visitor
    ) throws(ImportError) {
        var own: [JSON.Field] = []
        while case .key(let key) = try reader.next() {
            let token = try reader.next()
            if token == .objectBegins, isTransparent(key) {
                try collections(of: node, position, &visitor)
            } else if let (child, variable) = node.child(key) {
                try visit(child, position.below(key, variable), token, &visitor)
            } else if node.place != nil {
                own.append(JSON.Field(key, try reader.value(from: token)))
            } else {
                try unplaced(position.below(key, ""), token, &visitor)
            }
        }
        guard let place = node.place else { return }
        try visitor.found(Fragment(place, position.keys, path: shown(position), .object(own)))
    }

    /// Realtime Database exports an object as a list if its keys are small numbers.
    private mutating func items(
        of node: Places.Node, _ position: Position, _ visitor: inout some Visitor
    ) throws(ImportError) {
        guard node.any != nil || !node.named.isEmpty, node.place == nil else {
            let value = try reader.value(from: .listBegins)
            guard let place = node.place else { return try visitor.unplaced(shown(position), user: nil, value: value) }
            return try visitor.found(Fragment(place, position.keys, path: shown(position), value))
        }
        var index = 0
        while true {
            let token = try reader.next()
            if token == .listEnds { return }
            if let (child, variable) = node.child("\(index)") {
                try visit(child, position.below("\(index)", variable), token, &visitor)
            } else {
                try unplaced(position.below("\(index)", ""), token, &visitor)
            }
            index += 1
        }
    }

    private func isTransparent(_ key: String) -> Bool {
        form == .collections && key == "__collections__" || form == .subCollection && key == "subCollection"
    }

    /// Reads the collections inside of a document; their paths go on from the document's.
    private mutating func collections(
        of node: Places.Node, _ position: Position, _ visitor: inout some Visitor
    ) throws(ImportError) {
        while case .key(let path) = try reader.next() {
            let token = try reader.next()
            let key = path.split(separator: "/").last.map(String.init) ?? path
            if let (child, variable) = node.child(key) {
                try visit(child, position.below(key, variable), token, &visitor)
            } else {
                try unplaced(position.below(key, ""), token, &visitor)
            }
        }
    }

    /// What the map does not name is kept beside if it is a person's, and reported.
    private mutating func unplaced(
        _ position: Position, _ token: JSONReader.Token, _ visitor: inout some Visitor
    ) throws(ImportError) {
        guard let user = position.keys["user"] else {
            try reader.skip(from: token)
            return try visitor.unplaced(shown(position), user: nil, value: nil)
        }
        try visitor.unplaced(shown(position), user: user, value: try reader.value(from: token))
    }

    // MARK: Documents of REST

    private mutating func walkDocuments(_ visitor: inout some Visitor) throws(ImportError) {
        while true {
            let token = try reader.next()
            switch token {
            case .end: return
            case .listBegins: try documents(&visitor)
            case .objectBegins: try page(&visitor)
            default: throw reader.unexpected("no document")
            }
        }
    }

    /// Reads an object at the top: a page of documents, or one document.
    private mutating func page(_ visitor: inout some Visitor) throws(ImportError) {
        var own: [JSON.Field] = []
        while case .key(let key) = try reader.next() {
            let token = try reader.next()
            if key == "documents", token == .listBegins {
                try documents(&visitor)
            } else {
                own.append(JSON.Field(key, try reader.value(from: token)))
            }
        }
        try document(.object(own), &visitor)
    }

    private mutating func documents(_ visitor: inout some Visitor) throws(ImportError) {
        while true {
            let token = try reader.next()
            if token == .listEnds { return }
            let before = reader.replaced
            let value = try reader.value(from: token)
            // A query answers with the document inside.
            try document(value["document"] ?? value, &visitor)
            if reader.replaced > before { visitor.replaced("\(file):\(value["name"]?.string ?? "")") }
        }
    }

    private func document(_ value: JSON, _ visitor: inout some Visitor) throws(ImportError) {
        guard let name = value["name"]?.string, let range = name.firstRange(of: "/documents/") else { return }
        var (node, position) = (Optional(places.root), Position())
        for part in name[range.upperBound...].split(separator: "/") {
            let next = node?.child(String(part))
            position = position.below(String(part), next?.variable ?? "")
            node = next?.node
        }
        let plain = JSON.object((value["fields"]?.entries ?? []).map { JSON.Field($0.key, $0.value.untyped) })
        guard let node else {
            return try visitor.unplaced(shown(position), user: position.keys["user"], value: plain)
        }
        // As a tree, since the map may name what is inside of a document.
        var bytes: [UInt8] = []
        plain.write(to: &bytes)
        var inside = Walker(bytes, name: file, form: .tree, places: places)
        let token = try inside.reader.next()
        try inside.visit(node, position, token, &visitor)
    }
}

extension JSON {
    /// A value of Firestore's REST interface without its type. Times and references stay texts.
    var untyped: JSON {
        guard case .object(let fields) = self, fields.count == 1, let field = fields.first else { return self }
        switch field.key {
        case "nullValue": return .null
        case "integerValue": return field.value.name.map(JSON.number) ?? .null
        case "booleanValue", "doubleValue", "stringValue", "timestampValue", "bytesValue", "referenceValue",
            "geoPointValue":
            return field.value
        case "arrayValue":
            if case .list(let items) = field.value["values"] ?? .null { return .list(items.map(\.untyped)) }
            return .list([])
        case "mapValue":
            return .object((field.value["fields"]?.entries ?? []).map { Field($0.key, $0.value.untyped) })
        default: return self
        }
    }
}
