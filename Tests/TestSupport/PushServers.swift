import Foundation

/// Servers that behave as the push services of Apple, Google and browsers' makers do (`Tests/Push`), in a process of
/// their own. They check every byte of what they get.
public final class PushServers: Sendable {
    /// The services, of which each has a port and a script of what it does wrong.
    public enum Service: String, Sendable {
        case apns
        case apnsSandbox = "apns-sandbox"
        case fcm, web
        /// Of another browser's maker.
        case web2
    }

    /// JSON, as `[String: Any]` cannot be sent.
    @dynamicMemberLookup
    public enum JSON: Codable, Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
        ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
    {
        case text(String)
        case number(Int)
        case flag(Bool)
        case list([JSON])
        case object([String: JSON])
        case null

        public init(stringLiteral text: String) { self = .text(text) }
        public init(integerLiteral number: Int) { self = .number(number) }
        public init(booleanLiteral flag: Bool) { self = .flag(flag) }
        public init(nilLiteral: ()) { self = .null }
        public init(arrayLiteral list: JSON...) { self = .list(list) }
        public init(dictionaryLiteral members: (String, JSON)...) { self = .object(Dictionary(members) { $1 }) }

        public init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? value.decode(Int.self) {
                self = .number(number)
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let list = try? value.decode([JSON].self) {
                self = .list(list)
            } else {
                self = .object(try value.decode([String: JSON].self))
            }
        }

        public func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            switch self {
            case .text(let text): try value.encode(text)
            case .number(let number): try value.encode(number)
            case .flag(let flag): try value.encode(flag)
            case .list(let list): try value.encode(list)
            case .object(let members): try value.encode(members)
            case .null: try value.encodeNil()
            }
        }

        /// A member of an object, or `null`.
        public subscript(name: String) -> JSON {
            guard case .object(let members) = self else { return .null }
            return members[name] ?? .null
        }
        public subscript(dynamicMember name: String) -> JSON { self[name] }

        public var text: String {
            guard case .text(let text) = self else { return "" }
            return text
        }
        public var number: Int? {
            guard case .number(let number) = self else { return nil }
            return number
        }
        public var list: [JSON] {
            guard case .list(let list) = self else { return [] }
            return list
        }
        public var names: Set<String> {
            guard case .object(let members) = self else { return [] }
            return Set(members.keys)
        }
    }

    /// What a service has got since it was last asked.
    public struct Seen: Sendable {
        public var requests: [JSON]
        /// Since its start.
        public var connections: Int
        /// The most requests that were under way at a time.
        public var together: Int

        /// What was wrong with them.
        public var faults: [String] { requests.flatMap { $0.faults.list.map(\.text) } }
    }

    private let folder: TestFolder
    private let authority: TestAuthority
    private let control: Int
    private let ports: JSON
    private let process: Process
    private let input: Pipe

    /// The file of the authority that the servers' certificate is from.
    public var authorities: String { authority.path }

    /// Starts them. The first start on a machine installs what they need.
    public init() async throws {
        folder = try TestFolder()
        authority = try await TestAuthority("Authority of push servers")
        control = try freePort()
        let made = try await authority.certificate()
        (process, input) = (Process(), Pipe())
        process.executableURL = MigratedDatabase.root.appending(path: "Tests/Push/run")
        process.arguments = [
            "--control", "\(control)", "--folder", folder.path, "--certificate", made.certificate, "--key", made.key,
        ]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let (process, control) = (process, control)
        var ports = JSON.null
        try await eventually(within: .seconds(180), "the push servers start (if not, Tests/Push/run shows why)") {
            guard process.isRunning else {
                throw NeverHappened(description: "the push servers did not start: Tests/Push/run shows why")
            }
            guard let found = try? await Self.ask(["do": "ports"], at: control) else { return false }
            ports = found
            return true
        }
        self.ports = ports
    }

    /// Ends them and deletes their files.
    public func end() {
        try? input.fileHandleForWriting.close()
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        folder.remove()
        authority.remove()
    }

    public func port(_ service: Service) -> Int { ports[service.rawValue].number ?? 0 }
    public func url(_ service: Service) -> String { "https://localhost:\(port(service))" }

    /// A file that the servers made: `apple.p8`, `another.p8` (a key that Apple does not know), `account.json`,
    /// `vapid.pem`.
    public func file(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)")))
    }

    /// Says what a service does with its next requests, and with all after them: `Tests/Push/server.py` has the words.
    public func script(_ service: Service, _ steps: [String] = [], always: String = "ok") async throws {
        try await ask([
            "do": "script", "service": .text(service.rawValue), "steps": .list(steps.map { .text($0) }),
            "always": .text(always),
        ])
    }

    public func seen(_ service: Service) async throws -> Seen {
        let seen = try await ask(["do": "seen", "service": .text(service.rawValue)])
        return Seen(
            requests: seen.requests.list, connections: seen.connections.number ?? 0,
            together: seen.together.number ?? 0)
    }

    /// Asks for something else: `Control.do` and the functions `do_…` in `Tests/Push` say what there is.
    @discardableResult
    public func ask(_ command: JSON) async throws -> JSON { try await Self.ask(command, at: control) }

    private static func ask(_ command: JSON, at port: Int) async throws -> JSON {
        let body = Array(try JSONEncoder().encode(command))
        let answer = try await onThread {
            try RawHTTP.send("POST", "/control", to: "http://127.0.0.1:\(port)", body: body)
        }
        guard let answer, answer.status == 200 else {
            throw NeverHappened(description: "the push servers refuse \(command): \(answer?.text ?? "no answer")")
        }
        return try JSONDecoder().decode(JSON.self, from: Data(answer.body))
    }
}
