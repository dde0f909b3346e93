import Foundation

/// A request as declared in `proto/parley/v1`. Tests compare their tables with it, so that they cover every request.
public struct ContractRequest: Sendable, CustomStringConvertible {
    /// The name in frames, such as "messaging.SendMessage".
    public let method: String
    /// The callers allowed, by the first words of the comment: "Owner or admin".
    public let access: String
    /// The refusal codes that the comment lists.
    public let refusals: Set<String>

    public var description: String { method }

    /// All requests of all services, in the order of the files.
    public static let all: [ContractRequest] = {
        let folder = MigratedDatabase.root.appending(path: "proto/parley/v1")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".proto") }.sorted().flatMap { file in
            requests(in: (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? "")
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
            } else if let match = text.firstMatch(of: /^rpc (\w+)\(/) {
                requests.append(ContractRequest(method: "\(service).\(match.1)", comment: comment))
                comment = ""
            } else {
                comment = ""
            }
        }
        return requests
    }

    private init(method: String, comment: String) {
        self.method = method
        access = String(comment.prefix { $0 != "." }).trimmingCharacters(in: .whitespaces)
        let named = comment.firstMatch(of: /Refusals:([^.]*)/)?.1 ?? ""
        refusals = Set(named.matches(of: /\b[a-z]+(?:_[a-z]+)*\b/).map { String($0.0) })
    }
}
