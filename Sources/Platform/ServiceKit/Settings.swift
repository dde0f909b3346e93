import Configuration
import Glibc

/// One setting of a process, with the values it accepts.
public struct Setting: Sendable {
    public enum Kind: Sendable {
        case text
        /// A value that is never printed. It may also be given as a file, by the key with `.file` appended.
        case secret
        /// A secret whose file others must not be able to read.
        case key
        case integer(ClosedRange<Int>)
        /// A share from 0 to 1.
        case share
        /// A number of bytes, or a share of the whole such as `5%`.
        case bytesOrShare
        case choice([String])
        /// One ZeroMQ endpoint: `ipc:///path` or `tcp://host:port`.
        case endpoint
        /// Endpoints separated by commas, one per replica.
        case endpoints
        /// `host:port`; port 0 takes a free port.
        case address
    }

    public let key: String
    public let kind: Kind
    /// If it is empty and `isRequired` is true, the process does not start without a value.
    public let defaultValue: String
    public let isRequired: Bool
    public let help: String
    /// The row of the table of limits that it is, if it is one.
    let limit: Limit?

    public init(_ key: String, _ kind: Kind, default defaultValue: String = "", required: Bool = false, _ help: String)
    {
        precondition(!key.hasPrefix("limits."), "\(key) is a limit: say for whom it counts, and what happens beyond it")
        self.key = key
        self.kind = kind
        self.defaultValue = defaultValue
        self.isRequired = required
        self.help = help
        limit = nil
    }

    /// A limit that operators set; `limit` has the default.
    public static func limit(_ key: String, _ range: ClosedRange<Int>, _ limit: Limit) -> Setting {
        Setting(key, range, limit)
    }

    private init(_ key: String, _ range: ClosedRange<Int>, _ limit: Limit) {
        (self.key, kind, defaultValue, isRequired) = (key, .integer(range), limit.value, false)
        (help, self.limit) = (limit.help, limit)
    }

    var isSecret: Bool {
        switch kind {
        case .secret, .key: true
        default: false
        }
    }

    /// Returns what to give instead, or nil if `value` is valid.
    func complaint(about value: String) -> String? {
        switch kind {
        case .text, .secret, .key:
            return nil
        case .integer(let range):
            if let number = Int(value), range.contains(number) { return nil }
            return "give a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .share:
            if let number = Double(value), (0...1).contains(number) { return nil }
            return "give a number from 0 to 1"
        case .bytesOrShare:
            return BytesOrShare(value) == nil ? "give a number of bytes, or a share such as 5%" : nil
        case .choice(let values):
            return values.contains(value) ? nil : "give one of: \(values.joined(separator: ", "))"
        case .endpoint:
            return Self.isEndpoint(value)
                ? nil : "give an endpoint such as ipc:///run/parley/x.sock or tcp://0.0.0.0:7001"
        case .endpoints:
            let isRight = value.split(separator: ",").allSatisfy { Self.isEndpoint(String($0)) }
            return isRight ? nil : "give endpoints such as tcp://messaging:7001, separated by commas"
        case .address:
            guard let colon = value.lastIndex(of: ":"), colon != value.startIndex,
                let port = Int(value[value.index(after: colon)...]), (0...65535).contains(port)
            else { return "give host:port, such as 127.0.0.1:8080" }
            return nil
        }
    }

    private static func isEndpoint(_ value: String) -> Bool {
        if value.hasPrefix("ipc:///") { return value.utf8.count > 7 && value.utf8.count <= 6 + 107 }
        guard value.hasPrefix("tcp://") else { return false }
        let address = value.dropFirst(6)
        guard let colon = address.lastIndex(of: ":") else { return false }
        let port = address[address.index(after: colon)...]
        let host = address[..<colon]
        return !host.isEmpty && (port == "*" || (Int(port).map { (1...65535).contains($0) } ?? false))
    }
}

/// A number of bytes, or a share of a whole.
public enum BytesOrShare: Equatable, Sendable {
    case bytes(Int64)
    case percent(Int64)

    /// Returns nil if the text is neither "67108864" nor "5%".
    public init?(_ text: String) {
        if text.last == "%" {
            guard let number = Int64(text.dropLast()), (0...100).contains(number) else { return nil }
            self = .percent(number)
        } else {
            guard let number = Int64(text), number >= 0 else { return nil }
            self = .bytes(number)
        }
    }

    public func bytes(of whole: Int64) -> Int64 {
        switch self {
        case .bytes(let bytes): bytes
        case .percent(let percent): whole / 100 * percent
        }
    }
}

/// Why a configuration is invalid, with what to do about it. The process ends with 64.
public struct SettingsProblem: Error, Equatable, CustomStringConvertible {
    public let description: String
}

/// The values of a process's settings. Flags override the environment, which overrides the file, which overrides the
/// defaults.
public struct Settings: Sendable {
    private struct Value: Sendable {
        var text: String
        var source: String
        var isSecret: Bool
    }

    private var values: [String: Value] = [:]
    /// Variables that look like a setting that is misspelt. The environment also has others, so they are not refused.
    public let warnings: [String]

    /// - Parameters:
    ///   - declared: all settings of the process.
    ///   - arguments: the flags, without the program's name: `--listen-requests tcp://0.0.0.0:7001`.
    ///   - environment: `PARLEY_LISTEN_REQUESTS=…`; other variables are ignored, see ``warnings``.
    public init(
        _ declared: [Setting], arguments: [String], environment: [String: String]
    ) async throws {
        try Self.refuseUnknownFlags(arguments, declared)
        warnings = Self.likelyMistakes(in: environment, declared)
        let flags = ConfigReader(provider: CommandLineArgumentsProvider(arguments: ["parley"] + arguments))
        let variables = ConfigReader(
            provider: EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "parley"))
        var readers = [("flag", flags), ("environment", variables)]
        if let path = flags.string(forKey: "config") ?? variables.string(forKey: "config") {
            readers.append(("file \(path)", try Self.fileReader(path, declared)))
        }
        for setting in declared { values[setting.key] = try Self.value(of: setting, from: readers) }
    }

    private static func value(of setting: Setting, from readers: [(String, ConfigReader)]) throws -> Value {
        for (source, reader) in readers {
            if let text = Self.text(setting, in: reader) {
                return try checked(text, source: source, setting)
            }
            if setting.isSecret, let path = reader.string(forKey: ConfigKey(setting.key + ".file")) {
                if case .key = setting.kind, File.isOpenToOthers(path) {
                    throw SettingsProblem(
                        description: "\(setting.key).file: others can read \(path); "
                            + "chmod 600 it, and make a new key if anyone may have read it")
                }
                guard let bytes = File.contents(path, limit: 65536) else {
                    throw SettingsProblem(description: "\(setting.key).file: cannot read \(path) (\(lastSystemError))")
                }
                let text = String(decoding: bytes, as: UTF8.self).trimmed
                return try checked(text, source: "file \(path)", setting)
            }
        }
        if setting.isRequired {
            let flag = "--" + setting.key.replacing(".", with: "-")
            throw SettingsProblem(
                description:
                    "\(setting.key) is not set; give \(flag) or \(environmentName(setting.key)) (\(setting.help))")
        }
        return Value(text: setting.defaultValue, source: "default", isSecret: setting.isSecret)
    }

    /// swift-configuration reads a flag as a list if its value contains commas or it is given twice.
    private static func text(_ setting: Setting, in reader: ConfigReader) -> String? {
        let key = ConfigKey(setting.key)
        return reader.string(forKey: key, isSecret: setting.isSecret)
            ?? reader.stringArray(forKey: key, isSecret: setting.isSecret)?.joined(separator: ",")
    }

    private static func checked(_ text: String, source: String, _ setting: Setting) throws -> Value {
        if let complaint = setting.complaint(about: text) {
            throw SettingsProblem(description: "\(setting.key): \"\(text)\" (\(source)) is not valid; \(complaint)")
        }
        return Value(text: text, source: source, isSecret: setting.isSecret)
    }

    private static func likelyMistakes(in environment: [String: String], _ declared: [Setting]) -> [String] {
        let known = declared.flatMap { [environmentName($0.key), environmentName($0.key + ".file")] }
        return environment.keys.filter { $0.hasPrefix("PARLEY_") && !known.contains($0) }.sorted().compactMap { name in
            guard let meant = known.first(where: { isMisspelt(Array(name.utf8), for: Array($0.utf8)) }) else {
                return nil
            }
            return "\(name) is no setting and is ignored; did you mean \(meant)?"
        }
    }

    /// Whether at most two letters were added, left out or replaced.
    private static func isMisspelt(_ name: [UInt8], for other: [UInt8]) -> Bool {
        guard (name.count - other.count).magnitude <= 2 else { return false }
        var row = Array(0...other.count)
        for (index, letter) in name.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for place in 1..<row.count {
                let replaced = diagonal + (letter == other[place - 1] ? 0 : 1)
                diagonal = row[place]
                row[place] = min(replaced, row[place] + 1, row[place - 1] + 1)
            }
        }
        return row[other.count] <= 2
    }

    private static func refuseUnknownFlags(_ arguments: [String], _ declared: [Setting]) throws {
        var known = Set(declared.map { "--" + $0.key.replacing(".", with: "-") })
        known.formUnion(declared.filter(\.isSecret).map { "--" + $0.key.replacing(".", with: "-") + "-file" })
        known.insert("--config")
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            guard argument.hasPrefix("--") else {
                throw SettingsProblem(description: "unexpected argument \"\(argument)\"; --help lists the flags")
            }
            guard known.contains(String(argument.prefix { $0 != "=" })) else {
                // Without its value, which may be a secret.
                let flag = argument.prefix { $0 != "=" }
                throw SettingsProblem(description: "there is no flag \(flag); --help lists them")
            }
            if argument.contains("=") {
                index += 1
            } else {
                guard index + 1 < arguments.count else {
                    throw SettingsProblem(description: "\(argument) needs a value")
                }
                index += 2
            }
        }
    }

    /// Reads lines `key=value` or `PARLEY_KEY=value`. Lines that begin with `#` are comments.
    private static func fileReader(_ path: String, _ declared: [Setting]) throws -> ConfigReader {
        guard let bytes = File.contents(path, limit: 1 << 20) else {
            throw SettingsProblem(description: "config: cannot read \(path) (\(lastSystemError))")
        }
        let known = Set(declared.flatMap { [environmentName($0.key), environmentName($0.key + ".file")] })
        var variables: [String: String] = [:]
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        for (number, raw) in lines.enumerated() {
            let line = String(raw).trimmed
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let equals = line.firstIndex(of: "=") else {
                throw SettingsProblem(description: "\(path):\(number + 1): expected key=value")
            }
            let key = String(line[..<equals]).trimmed
            let name = key.hasPrefix("PARLEY_") ? key : environmentName(key)
            guard known.contains(name) else {
                throw SettingsProblem(
                    description: "\(path):\(number + 1): there is no setting \"\(key)\"; --help lists them")
            }
            variables[name] = String(line[line.index(after: equals)...]).trimmed
        }
        return ConfigReader(
            provider: EnvironmentVariablesProvider(environmentVariables: variables).prefixKeys(with: "parley"))
    }

    /// "database.url" → "PARLEY_DATABASE_URL".
    public static func environmentName(_ key: String) -> String {
        "PARLEY_" + key.uppercased().replacing(".", with: "_").replacing("-", with: "_")
    }

    // MARK: Reading. A key that was not declared is a programming error.

    public func text(_ key: String) -> String {
        guard let value = values[key] else { preconditionFailure("setting \(key) is not declared") }
        return value.text
    }

    public func integer(_ key: String) -> Int {
        guard let number = Int(text(key)) else { preconditionFailure("setting \(key) is not declared as an integer") }
        return number
    }

    public func share(_ key: String) -> Double {
        guard let number = Double(text(key)) else { preconditionFailure("setting \(key) is not declared as a share") }
        return number
    }

    public func bytesOrShare(_ key: String) -> BytesOrShare {
        guard let amount = BytesOrShare(text(key)) else {
            preconditionFailure("setting \(key) is not declared as bytes or a share")
        }
        return amount
    }

    public func list(_ key: String) -> [String] {
        text(key).split(separator: ",").map { String($0).trimmed }
    }

    /// Every setting with its value and source, with secrets masked.
    public var printed: String {
        values.sorted { $0.key < $1.key }.map { key, value in
            let shown = value.isSecret && !value.text.isEmpty ? "(secret)" : value.text
            return "\(key)=\(shown)    # \(value.source)"
        }.joined(separator: "\n")
    }
}

extension String {
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// Replaces every `old` with `new`. (The standard library's version needs Foundation.)
    func replacing(_ old: Character, with new: Character) -> String {
        String(map { $0 == old ? new : $0 })
    }
}
