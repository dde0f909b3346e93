import Reactor
import Wire

/// The time zones of this machine, from the files of the package `tzdata`.
@ReactorActor
public final class TimeZones {
    /// The setting of a service that uses time zones.
    public nonisolated static let setting = Setting(
        "time-zones.folder", .text, default: "/usr/share/zoneinfo", "folder with the time zones of the package tzdata")

    /// The version of the rules, such as "2025b". Of two versions the later one is greater.
    public private(set) var version = ""
    private let folder: String
    private var known: [String: ZoneRules] = [:]
    /// The zones by their earlier names, once one was asked for.
    private var links: [String: String]?
    private var stamp: File.Stamp?

    public init(folder: String) { self.folder = folder }

    /// Reads the version, and forgets the rules of another one.
    /// - Throws: ``StartRefused`` when the folder has no time zones.
    public func load() throws(StartRefused) {
        let path = folder + "/tzdata.zi"
        let found = File.Stamp(path)
        if let found, found == stamp { return }
        guard let bytes = File.contents(path, limit: 64), let version = Self.version(bytes) else {
            throw StartRefused(
                "\(path) has no time zones. Install the package tzdata, or set time-zones.folder to a folder that has them."
            )
        }
        (stamp, self.version, known, links) = (found, version, [:], nil)
    }

    /// Returns the rules of a zone by its IANA name.
    /// - Throws: ``Refusal`` `invalid` for a name that is not known.
    public func rules(of name: String) throws(Refusal) -> ZoneRules {
        if let rules = known[name] { return rules }
        // The rules of a zone take 4 KB at most.
        guard Self.isName(name), let rules = read(name) ?? target(of: name).flatMap(read) else {
            throw .invalid("time_zone", "must be an IANA time zone such as \"Europe/Zurich\"")
        }
        known[name] = rules
        return rules
    }

    private func read(_ name: String) -> ZoneRules? {
        File.contents("\(folder)/\(name)", limit: 65_536).flatMap(TZif.rules)
    }

    /// The zone that an earlier name stands for, which phones and browsers still report. Some systems have the files of
    /// these names in a package of their own, but `tzdata.zi` lists them all.
    private func target(of name: String) -> String? {
        if links == nil { links = File.contents(folder + "/tzdata.zi", limit: 1 << 20).map(Self.links) ?? [:] }
        return links?[name].flatMap { Self.isName($0) ? $0 : nil }
    }

    /// The lines `L TARGET NAME`. A target may have a target itself.
    private static func links(_ bytes: [UInt8]) -> [String: String] {
        var links: [String: String] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) where line.first == UInt8(ascii: "L") {
            let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            if words.count == 3 { links[words[2]] = words[1] }
        }
        for (name, first) in links {
            var target = first
            for _ in 0..<8 { if let next = links[target] { target = next } }
            links[name] = target
        }
        return links
    }

    /// Whether the text can only name a file with a zone, below the folder.
    nonisolated static func isName(_ text: String) -> Bool {
        guard 1...64 ~= text.utf8.count, !["localtime", "posixrules", "Factory"].contains(text) else { return false }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard !["posix", "right"].contains(parts[0]) else { return false }
        return parts.allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
                        true
                    default: false
                    }
                }
        }
    }

    /// The version in the first line of `tzdata.zi`: `# version 2025b`.
    private static func version(_ bytes: [UInt8]) -> String? {
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let words = line.split(separator: " ")
        guard words.count == 3, words[0] == "#", words[1] == "version" else { return nil }
        return String(words[2])
    }
}
