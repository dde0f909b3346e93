/// The role of a process on the links, which decides what its key may do.
public enum PeerRole: Hashable, Sendable, CustomStringConvertible {
    /// Acts for the users connected to it.
    case gateway
    /// Checks the health of processes.
    case monitor
    /// Hears from presence who uses the app now.
    case follower
    /// Answers requests and makes none.
    case service(String)

    /// - Returns: nil when `text` is not one lower-case word of 1 to 32 letters.
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 32, text.utf8.allSatisfy({ (97...122).contains($0) }) else {
            return nil
        }
        self =
            switch text {
            case "gateway": .gateway
            case "monitor": .monitor
            case "follower": .follower
            default: .service(text)
            }
    }

    public var description: String {
        switch self {
        case .gateway: "gateway"
        case .monitor: "monitor"
        case .follower: "follower"
        case .service(let name): name
        }
    }
}

/// The processes known on the links, read from lines `NAME ROLE PUBLICKEY`. Several lines may have the same role, for
/// example a key for each replica, or an old key and its successor.
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

        /// The peer's line in the file.
        public var line: String { "\(name) \(role) \(key)" }
    }

    /// An error in a file of peers.
    public struct Problem: Error, Equatable, CustomStringConvertible {
        public let description: String
    }

    /// All peers in the order of the file.
    public let all: [Peer]
    private let byKey: [[UInt8]: Int]
    private let roles: [String: PeerRole]

    /// - Parameter text: the content of the file. Lines that begin with `#` are comments.
    public init(_ text: String) throws(Problem) {
        var peers: [Peer] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            // A `#` inside a line does not begin a comment, because keys may contain it.
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard words.count == 3 else { throw Problem(line: index, "expected NAME ROLE PUBLICKEY") }
            guard let role = PeerRole(words[1]) else {
                throw Problem(
                    line: index, "\"\(words[1])\" is not a role; use one lower-case word such as gateway or messaging")
            }
            guard let key = CurvePublicKey(words[2]) else {
                throw Problem(line: index, "the key of \(words[0]) is not 40 characters of Z85")
            }
            guard let peer = Peer(name: words[0], role: role, key: key) else {
                throw Problem(line: index, "invalid name; use 1 to 64 letters, digits, dots, dashes and underscores")
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
                throw Problem(description: "\(peer.name) has two roles; give it one")
            }
        }
        all = peers
        self.byKey = byKey
        self.roles = roles
    }

    /// Returns the peer with this key, or nil.
    public func peer(of key: CurvePublicKey) -> Peer? { peer(ofKey: key.bytes) }

    func peer(ofKey bytes: [UInt8]) -> Peer? { byKey[bytes].map { all[$0] } }

    /// Returns the role of the peer with this name, or nil.
    public func role(of name: String) -> PeerRole? { roles[name] }

    /// Returns the first key with a role, which the processes of that role are expected to have.
    public func key(of role: PeerRole) -> CurvePublicKey? { all.first { $0.role == role }?.key }
}

extension LinkPeers.Problem {
    fileprivate init(line index: Int, _ why: String) { self.init(description: "line \(index + 1): \(why)") }
}
