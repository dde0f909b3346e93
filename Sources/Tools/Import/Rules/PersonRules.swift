import Schema

/// What somebody is in Parley, from all that an export says of them. Pure.
struct PersonRules {
    static let nameLettersMax = 128
    private static let emailBytesMax = 254
    private static let photoBytesMax = 1024

    let places: Places
    /// Turns the hash of a password into the form that the service checks; nil without the settings of the hashes.
    let hashConfig: HashConfig?
    /// Whether a username of the export gives way to no other name.
    let keepsUsernames: Bool

    /// A part of what an export says of somebody.
    enum Piece {
        case fragment(Fragment)
        /// A user of auth.json.
        case auth(JSON, path: String)
        /// They are named where somebody wrote or is a member, with the name that they have there.
        case named(String)
        /// What the map does not name.
        case beside(JSON, path: String)
        /// A user of Parley as others see them.
        case seen(JSON)
    }

    /// Returns the person, and what of them is otherwise than in the export.
    func person(_ source: String, _ pieces: [Piece]) -> (person: ImportedPerson, changes: [String]) {
        var person = ImportedPerson(id: DerivedID.person(source), source: source)
        var changes: [String] = []
        if person.id != source { changes.append("the id is none of Parley's: it is \(person.id)") }
        var names: [String] = []
        var isKnown = false
        for piece in pieces {
            switch piece {
            case .fragment(let fragment): isKnown = add(fragment, to: &person, &names) || isKnown
            case .auth(let user, let path):
                isKnown = true
                if person.path.isEmpty { person.path = path }
                add(auth: user, to: &person, &names, &changes)
            case .named(let name): if !name.isEmpty { names.append(name) }
            case .beside(let value, let path):
                person.beside.append(.init(path, value))
            case .seen(let user): add(seen: user, to: &person, &names)
            }
        }
        if !isKnown { changes.append("there is neither a profile nor an account of theirs: nothing signs them in") }
        if person.path.isEmpty { person.path = "users/\(source)" }
        name(&person, names, &changes)
        return (person, changes)
    }

    /// - Returns: whether it shows that there is such a person.
    private func add(_ fragment: Fragment, to person: inout ImportedPerson, _ names: inout [String]) -> Bool {
        switch fragment.place {
        case .person:
            // The first path names them.
            if person.path.isEmpty { person.path = fragment.path }
            if let name = fragment.text("name", places) { names.append(name) }
            if let username = fragment.text("username", places) { person.usernames.append(username) }
            if person.email == nil { person.email = fragment.text("email", places).flatMap(Self.email) }
            if fragment.field("confirmed", places)?.isTrue ?? false { person.isEmailConfirmed = person.email != nil }
            if person.photo.isEmpty { person.photo = fragment.text("photo", places).flatMap(Self.photo) ?? "" }
            person.createdAt = Self.earlier(person.createdAt, fragment.time("time", places))
            let strangers = fragment.strangers(places)
            if !strangers.isEmpty { person.beside.append(.init(fragment.path, .object(strangers))) }
            return true
        case .block:
            let other = fragment.value.string ?? fragment.keys["other"] ?? ""
            if !other.isEmpty, fragment.value != .bool(false) { person.blocks.append(other) }
            return false
        default:
            person.beside.append(.init(fragment.path, fragment.value))
            return false
        }
    }

    // MARK: Exports of Parley

    private func add(seen user: JSON, to person: inout ImportedPerson, _ names: inout [String]) {
        let isErased = user["deleted"]?.isTrue ?? false
        if let name = isErased ? "deleted user" : user["displayName"]?.string, !name.isEmpty { names.append(name) }
        if let username = user["username"]?.string, !username.isEmpty { person.usernames.append(username) }
        if person.photo.isEmpty { person.photo = user["photoUrl"]?.string.flatMap(Self.photo) ?? "" }
        let createdAt = user["createdAtUs"]?.integer.flatMap { (1...Times.microsecondsMax).contains($0) ? $0 : nil }
        person.createdAt = Self.earlier(person.createdAt, createdAt)
    }

    // MARK: auth.json

    private func add(
        auth user: JSON, to person: inout ImportedPerson, _ names: inout [String], _ changes: inout [String]
    ) {
        if let name = user["displayName"]?.string, !name.isEmpty { names.append(name) }
        // Nobody but Firebase says whose an address is.
        if let email = user["email"]?.string.flatMap(Self.email) {
            (person.email, person.isEmailConfirmed) = (email, user["emailVerified"]?.isTrue ?? false)
        }
        if person.photo.isEmpty { person.photo = user["photoUrl"]?.string.flatMap(Self.photo) ?? "" }
        person.createdAt = Self.earlier(person.createdAt, user["createdAt"].flatMap(Times.microseconds))
        person.isDisabled = user["disabled"]?.isTrue ?? false
        if person.isDisabled { changes.append("the account is disabled: it is suspended") }
        for provider in user["providerUserInfo"]?.entries ?? [] {
            guard let id = provider.value["providerId"]?.string, let subject = provider.value["rawId"]?.name else {
                continue
            }
            if let issuer = Self.issuers[id], (1...255).contains(subject.utf8.count) {
                let label = provider.value["email"]?.string ?? provider.value["displayName"]?.string ?? ""
                let short = String(decoding: label.utf8.prefix(254), as: UTF8.self)
                person.identities.append(.init(issuer: issuer, subject: subject, label: short))
            } else if id != "password" {
                changes.append("\(id) signs in by a token of Firebase")
            }
        }
        addPassword(of: user, to: &person, &changes)
        let known: Set = [
            "localId", "email", "emailVerified", "passwordHash", "salt", "displayName", "photoUrl", "createdAt",
            "lastSignedInAt", "disabled", "providerUserInfo",
        ]
        let rest = user.entries.filter { !known.contains($0.key) && $0.value != .null }
        if !rest.isEmpty { person.beside.append(.init("auth.json:\(person.source)", .object(rest))) }
    }

    /// Of the others an export has no subject, or nobody signs in by their ID tokens.
    private static let issuers = ["google.com": "https://accounts.google.com"]

    private func addPassword(of user: JSON, to person: inout ImportedPerson, _ changes: inout [String]) {
        guard let hash = user["passwordHash"]?.string, !hash.isEmpty else { return }
        guard hash != "REDACTED" else {
            return changes.append("the hash of the password was left out of the export: it is reset by mail")
        }
        do throws(HashConfig.Useless) {
            person.password = try HashConfig.stored(hash, salt: user["salt"]?.string ?? "", hashConfig)
        } catch {
            changes.append("\(error.why): the password is reset by mail")
        }
    }

    // MARK: Names

    private func name(_ person: inout ImportedPerson, _ names: [String], _ changes: inout [String]) {
        let fit = names.lazy.compactMap { name in Self.name(name).map { (name, $0) } }.first
        if let (given, name) = fit {
            person.name = name
            if name.unicodeScalars.count < given.unicodeScalars.count, name != given {
                changes.append("the name is shortened or without what nobody sees")
            }
        } else {
            if let bad = names.first { person.beside.append(.init("displayName", .text(bad))) }
            changes.append("there is no name that can be shown")
        }
        // A username of Parley's that is taken gets a number.
        guard !keepsUsernames || person.usernames.isEmpty else { return }
        if let email = person.email { person.usernames.append(String(email.prefix { $0 != "@" })) }
        person.usernames.append(person.name)
    }

    /// A name that can be shown, cut where it is too long.
    static func name(_ text: String) -> String? {
        let short = String(String.UnicodeScalarView(text.unicodeScalars.prefix(nameLettersMax)))
        return try? TextRules.name(short, letters: nameLettersMax)
    }

    static func email(_ text: String) -> String? {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= emailBytesMax, !parts[0].isEmpty, parts[1].contains("."),
            text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { return nil }
        return try? TextRules.name(text, bytes: emailBytesMax)
    }

    static func photo(_ text: String) -> String? {
        guard text.utf8.count <= photoBytesMax else { return nil }
        return try? TextRules.link(text)
    }

    private static func earlier(_ a: Int64?, _ b: Int64?) -> Int64? {
        guard let a, let b else { return a ?? b }
        return min(a, b)
    }

    /// Usernames to try, the first free of which somebody gets: letters and digits of each base, then with a number.
    static func usernames(_ person: ImportedPerson) -> [String] {
        var bases = person.usernames.compactMap(base)
        if bases.isEmpty { bases = ["user"] }
        var seen: Set<String> = []
        let plain = bases.filter { $0 != "user" && seen.insert($0).inserted }
        let first = bases[0].prefix(baseBytesMax)
        let tail = DerivedID.hex(DerivedID.uuid("usernames/\(person.source)"))
        return plain + (2...9).map { "\(first)-\($0)" } + ["\(first)-\(tail.prefix(6))"]
    }

    private static let baseBytesMax = 24

    /// One that is as Parley's are stays as it is.
    private static func base(_ text: String) -> String? {
        if text.wholeMatch(of: /[a-z0-9][a-z0-9.\-]{1,31}/) != nil { return text }
        var base: [UInt8] = []
        for scalar in Folding.folded(String(text.prefix(64))).unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9": base.append(UInt8(ascii: scalar))
            case ".": if !base.isEmpty { base.append(UInt8(ascii: scalar)) }
            default:
                if scalar.isASCII, let last = base.last, last != UInt8(ascii: "-") { base.append(UInt8(ascii: "-")) }
            }
        }
        base = Array(base.prefix(baseBytesMax))
        while let last = base.last, last == UInt8(ascii: "-") || last == UInt8(ascii: ".") { base.removeLast() }
        return base.count >= 2 ? String(decoding: base, as: UTF8.self) : nil
    }
}
