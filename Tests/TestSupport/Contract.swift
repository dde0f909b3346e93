import Foundation

/// A request as declared in `proto/parley/v1`. Tests compare their tables with it, so that they cover every request.
public struct ContractRequest: Sendable, CustomStringConvertible {
    /// The name in frames, such as "messaging.SendMessage".
    public let method: String
    /// The callers allowed, by the first words of the comment: "Owner or admin".
    public let access: String
    /// The refusal codes that the comment lists.
    public let refusals: Set<String>
    /// Whether its comment says that it changes who sees what.
    public let changesVisibility: Bool
    /// The name of the message in its body, such as "SendMessageRequest".
    public let body: String

    public var description: String { method }

    /// All requests of all services, in the order of the files.
    public static let all: [ContractRequest] = texts.flatMap { requests(in: $0) }

    /// The texts of the files, in the order of their names.
    private static let texts: [String] = {
        let folder = MigratedDatabase.root.appending(path: "proto/parley/v1")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".proto") }.sorted().map { file in
            (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
        }
    }()

    static func requests(in file: String) -> [ContractRequest] {
        var requests: [ContractRequest] = []
        var service = ""
        var comment = ""
        for line in file.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.trimmingCharacters(in: .whitespaces)
            if let match = text.firstMatch(of: /^service (\w+) \{/) { service = String(match.1).lowercased() }
            if text.hasPrefix("//") {
                comment += text.dropFirst(2)
            } else if let match = text.firstMatch(of: /^rpc (\w+)\((\w+)\)/) {
                requests.append(
                    ContractRequest(method: "\(service).\(match.1)", comment: comment, body: String(match.2)))
                comment = ""
            } else {
                comment = ""
            }
        }
        return requests
    }

    private init(method: String, comment: String, body: String) {
        (self.method, self.body) = (method, body)
        access = String(comment.prefix { $0 != "." }).trimmingCharacters(in: .whitespaces)
        changesVisibility = comment.contains("Changes who sees what.")
        let named = comment.firstMatch(of: /Refusals:([^.]*)/)?.1 ?? ""
        refusals = Set(named.matches(of: /\b[a-z]+(?:_[a-z]+)*\b/).map { String($0.0) })
    }

    // MARK: Fields

    /// The fields of its body by name, in the order of the file. Those of a message in a field come instead of that
    /// field, with its name before theirs: "forward.seq".
    public var fields: [String] { Self.fields(of: body) }

    private static func fields(of message: String) -> [String] {
        (fieldsByMessage[message] ?? []).flatMap { field in
            fieldsByMessage[field.type] == nil ? [field.name] : fields(of: field.type).map { "\(field.name).\($0)" }
        }
    }

    private static let fieldsByMessage: [String: [(type: String, name: String)]] = {
        var messages: [String: [(String, String)]] = [:]
        var message: String?
        for line in texts.joined(separator: "\n").split(separator: "\n") {
            if let match = line.firstMatch(of: /^message (\w+) \{/) {
                message = String(match.1)
                messages[String(match.1)] = []
            }
            if line.hasPrefix("}") || line.firstMatch(of: /^message .*\}$/) != nil { message = nil }
            guard let message, let match = line.firstMatch(of: /^ +(?:repeated )?(\w+) (\w+) = \d+;/) else { continue }
            messages[message]?.append((String(match.1), String(match.2)))
        }
        return messages
    }()
}
