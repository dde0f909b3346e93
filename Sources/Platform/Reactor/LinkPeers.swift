/// What a process is on the links, and so what its key may do.
public enum PeerRole: Hashable, Sendable, CustomStringConvertible {
    /// Speaks for the people connected to it.
    case gateway
    /// Looks whether processes are well.
    case monitor
    /// Answers: it is asked, and asks nobody.
    case service(String)

    /// - Returns: nil when `text` is not one lower-case word.
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 32, text.utf8.allSatisfy({ (97...122).contains($0) }) else {
            return nil
        }
        self =
            switch text {
            case "gateway": .gateway
            case "monitor": .monitor
            default: .service(text)
            }
    }

    public var description: String {
        switch self {
        case .gateway: "gateway"
        case .monitor: "monitor"
        case .service(let name): name
        }
    }
}

/// The processes that are known on the links: lines `NAME ROLE PUBLICKEY`. Several lines may have one role (a key for
/// each replica, an old key and its successor).
public struct LinkPeers: Sendable, Equatable {
    public struct Peer: Sendable, Equatable {
        public let name: String
        public let role: PeerRole
        public let key: CurvePublicKey

        /// - Returns: nil when `name` is not 1 to 64 letters, digits, `.`, `-` and `_`.
        public init?(name: String, role: PeerRole, key: CurvePublicKey) {
            let isAllowed = name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
            guard !name.isEmpty, name.utf8.count <= 64, isAllowed else { return nil }
            (self.name, self.role, self.key) = (name, role, key)
        }

        /// As it stands in the file.
        public var line: String { "\(name) \(role) \(key)" }
    }

    /// What is wrong with a file of peers, and where.
    public struct Problem: Error, Equatable, CustomStringConvertible {
        public let description: String
    }

    /// In the file's order.
    public let all: [Peer]
    private let byKey: [[UInt8]: Int]
    private let roles: [String: PeerRole]

    /// - Parameter text: the file. `#` begins a comment.
    public init(_ text: String) throws(Problem) {
        var peers: [Peer] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            // A `#` in a key begins no comment: only a line's first character does.
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard words.count == 3 else { throw Problem(line: index, "give NAME ROLE PUBLICKEY") }
            guard let role = PeerRole(words[1]) else {
                throw Problem(line: index, "\"\(words[1])\" is no role, which is one word such as gateway or messaging")
            }
            guard let key = CurvePublicKey(words[2]) else {
                throw Problem(line: index, "the key of \(words[0]) is not 40 characters of Z85")
            }
            guard let peer = Peer(name: words[0], role: role, key: key) else {
                throw Problem(line: index, "a name has letters, digits, dots, dashes, underscores: 1 to 64 of them")
            }
            peers.append(peer)
        }
        try self.init(peers)
    }

    public init(_ peers: [Peer]) throws(Problem) {
        var byKey: [[UInt8]: Int] = [:]
        var roles: [String: PeerRole] = [:]
        for (index, peer) in peers.enumerated() {
            guard byKey.updateValue(index, forKey: peer.key.bytes) == nil else {
                throw Problem(description: "two lines have the key \(peer.key)")
            }
            guard roles.updateValue(peer.role, forKey: peer.name) ?? peer.role == peer.role else {
                throw Problem(description: "\(peer.name) has two roles; a name has one")
            }
        }
        all = peers
        self.byKey = byKey
        self.roles = roles
    }

    /// Whose key it is, or nil.
    public func peer(of key: CurvePublicKey) -> Peer? { peer(ofKey: key.bytes) }

    func peer(ofKey bytes: [UInt8]) -> Peer? { byKey[bytes].map { all[$0] } }

    /// The role that a name stands for.
    public func role(of name: String) -> PeerRole? { roles[name] }

    /// The first key with a role: the one its processes are expected to have.
    public func key(of role: PeerRole) -> CurvePublicKey? { all.first { $0.role == role }?.key }
}

extension LinkPeers.Problem {
    fileprivate init(line index: Int, _ why: String) { self.init(description: "line \(index + 1): \(why)") }
}
