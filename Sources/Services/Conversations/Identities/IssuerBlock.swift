import Schema
import ServiceKit
import Signatures

/// An issuer of tokens that sign people in, as the operator describes it.
struct IssuerBlock: Equatable, Sendable {
    /// Issuers whose tokens are known: the operator says only whose tokens they are for.
    enum Kind: String, CaseIterable, Sendable {
        case apple, google, firebase
        /// Any other OpenID provider.
        case openID = "openid"
    }

    /// What `nonce` of a token is, of the nonce that the app chose.
    enum Nonce: String, CaseIterable, Sendable {
        case none, plain, sha256
    }

    /// The operator's word for it.
    let name: String
    /// `iss` of its tokens.
    var url: String
    /// Other ways in which its tokens write `iss`.
    var otherURLs: [String] = []
    var audiences: [String]
    var algorithms: [SignatureAlgorithm]
    /// Whether addresses that its tokens call verified become those of new accounts.
    var trustsEmail: Bool
    /// Whether its tokens make accounts.
    var mayRegister: Bool
    /// The claims that a new account's username is made from, in order.
    var usernameFrom: [String]
    var nonce: Nonce
    /// Whether a token without a nonce is refused.
    var needsNonce: Bool
    /// Where its keys are; nil: where its own description says.
    var keysURL: String?
    /// Whether it may be on this machine or a private network, and be asked without TLS.
    var isInside: Bool
    /// Whether its ids are those that people had in the system that they were imported from.
    var namesImported: Bool
    /// How people sign in on a page of it; nil: only apps with tokens do.
    var page: Page?

    /// What the issuer knows of this server, as a client of it.
    struct Page: Equatable, Sendable {
        var clientID: String
        /// Empty: the issuer gave none.
        var secret: String
        /// Where it sends people back to.
        var redirect: String
        /// Where they go then, with a code.
        var returns: [String]
        var scopes: String
    }

    func isNamed(_ issuer: String) -> Bool { url == issuer || otherURLs.contains(issuer) }
}

/// Reads the operator's file of issuers. Pure.
///
///     # Lines like this one are comments.
///     [firebase]
///     kind = firebase
///     project = my-project
enum IssuerFile {
    static let issuersMax = 32
    private static let audiencesMax = 16
    private static let nameBytesMax = 32
    private static let valueBytesMax = 256
    /// Apple's is a token.
    private static let secretBytesMax = 2048

    /// - Throws: ``IssuerFileProblem`` naming the line or the block.
    static func blocks(_ text: String) throws(IssuerFileProblem) -> [IssuerBlock] {
        var blocks: [IssuerBlock] = []
        for section in try sections(text) {
            let block = try section.block()
            guard !blocks.contains(where: { $0.name == block.name }) else {
                throw .init("[\(block.name)] stands there twice")
            }
            for url in [block.url] + block.otherURLs where blocks.contains(where: { $0.isNamed(url) }) {
                throw .init("[\(block.name)]: another block has the issuer \(url), too")
            }
            blocks.append(block)
        }
        guard blocks.count <= issuersMax else { throw .init("there are more than \(issuersMax) issuers") }
        return blocks
    }

    private static func sections(_ text: String) throws(IssuerFileProblem) -> [Section] {
        var sections: [Section] = []
        for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = Blanks.trimmed(String(raw))
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                let name = String(line.dropFirst().dropLast())
                guard isName(name) else {
                    throw .init("line \(index + 1): a name in brackets has 1 to \(nameBytesMax) of a-z, 0-9 and \"-\"")
                }
                sections.append(Section(name: name))
                continue
            }
            guard let equals = line.firstIndex(of: "="), !sections.isEmpty else {
                throw .init("line \(index + 1): expected [NAME], or key = value below one")
            }
            let key = Blanks.trimmed(String(line[..<equals]))
            let value = Blanks.trimmed(String(line[line.index(after: equals)...]))
            guard Section.keys.contains(key) else {
                throw .init(
                    "line \(index + 1): there is no key \"\(key)\"; there are \(Section.keys.joined(separator: ", "))")
            }
            guard sections[sections.count - 1].values.updateValue(value, forKey: key) == nil else {
                throw .init("line \(index + 1): \"\(key)\" stands in this block twice")
            }
        }
        return sections
    }

    private static func isName(_ text: String) -> Bool {
        (1...nameBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            }
    }

    /// One block as it stands in the file.
    private struct Section {
        static let keys = [
            "kind", "issuer", "project", "audiences", "algorithms", "trust-email", "may-register", "username-from",
            "nonce", "nonce-required", "keys-url", "inside", "imported-ids", "client-id", "client-secret", "redirect",
            "returns", "scopes",
        ]

        let name: String
        var values: [String: String] = [:]

        func block() throws(IssuerFileProblem) -> IssuerBlock {
            guard let kind = IssuerBlock.Kind(rawValue: values["kind"] ?? "openid") else {
                throw problem("kind", "give one of: \(names(IssuerBlock.Kind.self))")
            }
            let project = values["project"] ?? ""
            guard (kind == .firebase) == !project.isEmpty else {
                throw problem("project", "give the id of the project where kind is \"firebase\", and only there")
            }
            let isInside = try flag("inside", false)
            let url = try issuer(kind, project, isInside)
            let audiences = kind == .firebase && values["audiences"] == nil ? [project] : list("audiences")
            guard !audiences.isEmpty, audiences.count <= audiencesMax,
                audiences.allSatisfy({ $0.utf8.count <= valueBytesMax })
            else { throw problem("audiences", "list the ids of your apps there, 1 to \(audiencesMax)") }
            guard let nonce = IssuerBlock.Nonce(rawValue: values["nonce"] ?? kind.nonce.rawValue) else {
                throw problem("nonce", "give one of: \(names(IssuerBlock.Nonce.self))")
            }
            let needsNonce = try flag("nonce-required", false)
            guard !needsNonce || nonce != .none else {
                throw problem("nonce-required", "its tokens have no nonce: give nonce = plain or sha256")
            }
            let keysURL = try values["keys-url"].map { value throws(IssuerFileProblem) in
                try address(value, "keys-url", isInside)
            }
            return IssuerBlock(
                name: name, url: url, otherURLs: kind == .google ? ["accounts.google.com"] : [], audiences: audiences,
                algorithms: try algorithms(kind), trustsEmail: try flag("trust-email", kind == .google),
                mayRegister: try flag("may-register", true), usernameFrom: try usernameFrom(), nonce: nonce,
                needsNonce: needsNonce, keysURL: keysURL, isInside: isInside,
                namesImported: try flag("imported-ids", false), page: try page(kind, audiences))
        }

        private func issuer(
            _ kind: IssuerBlock.Kind, _ project: String, _ isInside: Bool
        ) throws(IssuerFileProblem) -> String {
            switch (kind, values["issuer"]) {
            case (.openID, let given?): return try address(given, "issuer", isInside)
            case (.openID, nil): throw problem("issuer", "give the URL of the issuer, as its tokens have it in \"iss\"")
            case (_, .some): throw problem("issuer", "the kind says it: leave it out, or take kind = openid")
            case (.apple, nil): return "https://appleid.apple.com"
            case (.google, nil): return "https://accounts.google.com"
            case (.firebase, nil): return "https://securetoken.google.com/\(project)"
            }
        }

        private func address(_ text: String, _ key: String, _ isInside: Bool) throws(IssuerFileProblem) -> String {
            let isSafe = text.hasPrefix("https://") || (isInside && text.hasPrefix("http://"))
            let isPlain = text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
            guard isSafe, isPlain, text.utf8.count <= valueBytesMax else {
                throw problem(key, "give an https URL; http only with inside = yes")
            }
            return text
        }

        private func page(_ kind: IssuerBlock.Kind, _ audiences: [String]) throws(IssuerFileProblem) -> IssuerBlock
            .Page?
        {
            guard let clientID = values["client-id"] else {
                let stray = ["client-secret", "redirect", "returns", "scopes"].first { values[$0] != nil }
                if let stray { throw problem(stray, "it is for pages: give client-id, too") }
                return nil
            }
            guard kind != .firebase else { throw problem("client-id", "Firebase has no page that gives its tokens") }
            guard audiences.contains(clientID) else {
                throw problem("client-id", "list it in audiences, too: the tokens of its page are for it")
            }
            let redirect = values["redirect"] ?? ""
            let isOurs = redirect.hasSuffix("/v1/identity/\(name)/callback") && redirect.hasPrefix("http")
            let mayBePlain = values["inside"] == "yes" && redirect.hasPrefix("http://")
            guard isOurs, ReturnAddress.isAddress(mayBePlain ? "https" + redirect.dropFirst(4) : redirect) else {
                throw problem(
                    "redirect", "give https://HOST/v1/identity/\(name)/callback, as it is registered with the issuer")
            }
            let returns = list("returns")
            guard !returns.isEmpty, returns.count <= audiencesMax, returns.allSatisfy(ReturnAddress.isAddress) else {
                throw problem(
                    "returns",
                    "list 1 to \(audiencesMax) addresses of your pages and apps: https://…, http://127.0.0.1/… for "
                        + "programs, or com.example.chat:/…")
            }
            let scopes = values["scopes"] ?? (kind == .apple ? "openid" : "openid email profile")
            let secret = values["client-secret"] ?? ""
            guard scopes.split(separator: " ").contains("openid"), scopes.utf8.count <= valueBytesMax else {
                throw problem("scopes", "list openid and others, separated by spaces")
            }
            guard secret.utf8.count <= secretBytesMax, secret.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
                throw problem("client-secret", "give what the issuer gave you, up to \(secretBytesMax) characters")
            }
            return IssuerBlock.Page(
                clientID: clientID, secret: secret, redirect: redirect, returns: returns, scopes: scopes)
        }

        private func algorithms(_ kind: IssuerBlock.Kind) throws(IssuerFileProblem) -> [SignatureAlgorithm] {
            guard values["algorithms"] != nil else { return kind == .openID ? SignatureAlgorithm.allCases : [.rs256] }
            let names = list("algorithms")
            let known = names.compactMap(SignatureAlgorithm.init)
            guard !known.isEmpty, known.count == names.count else {
                throw problem("algorithms", "list some of: \(self.names(SignatureAlgorithm.self))")
            }
            return known
        }

        private func usernameFrom() throws(IssuerFileProblem) -> [String] {
            guard values["username-from"] != nil else { return ["preferred_username", "nickname", "name"] }
            let claims = list("username-from")
            let known = IdentityToken.Claims.textKeys.filter { $0 != "picture" }
            guard !claims.isEmpty, claims.allSatisfy(known.contains) else {
                throw problem("username-from", "list some of: \(known.joined(separator: ", "))")
            }
            return claims
        }

        private func flag(_ key: String, _ otherwise: Bool) throws(IssuerFileProblem) -> Bool {
            switch values[key] {
            case nil: return otherwise
            case "yes": return true
            case "no": return false
            default: throw problem(key, "give yes or no")
            }
        }

        private func list(_ key: String) -> [String] {
            (values[key] ?? "").split(separator: ",").map { Blanks.trimmed(String($0)) }.filter { !$0.isEmpty }
        }

        private func names<T: CaseIterable & RawRepresentable<String>>(_ type: T.Type) -> String {
            T.allCases.map(\.rawValue).joined(separator: ", ")
        }

        private func problem(_ key: String, _ why: String) -> IssuerFileProblem { .init("[\(name)] \(key): \(why)") }
    }
}

extension IssuerBlock.Kind {
    /// Firebase's tokens have none. Apple's have what the app gave, which is a hash.
    fileprivate var nonce: IssuerBlock.Nonce {
        switch self {
        case .firebase: .none
        case .apple: .sha256
        case .google, .openID: .plain
        }
    }
}

/// Why a file of issuers is not valid, with what to do about it.
struct IssuerFileProblem: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
