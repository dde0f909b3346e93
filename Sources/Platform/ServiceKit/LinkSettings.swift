import Reactor
import Wire

/// How a process's links are secured, as its settings say it.
public enum LinkSettings {
    public static var settings: [Setting] {
        [
            Setting(
                "link.security", .choice(["curve", "plain"]), default: "curve",
                "curve: keys on the links between processes; plain: none, with ipc: and loopback endpoints only"),
            Setting("link.key", .key, "this process's own secret key, as parley keys makes it"),
            Setting("link.peers", .text, "the file with the public keys of all processes: lines NAME ROLE PUBLICKEY"),
        ]
    }

    private static let advice = """
        make keys with "parley keys DIR", then give --link-key-file DIR/NAME.key and --link-peers DIR/peers
        """

    /// - Parameters:
    ///   - role: what this process is; its key must say the same.
    ///   - asks: the services it connects to.
    ///   - endpoints: all endpoints it listens on or connects to.
    /// - Throws: ``StartRefused`` with 64 and what to do.
    public static func security(
        _ settings: Settings, role: PeerRole, asks services: [String] = [], endpoints: [String]
    ) throws(StartRefused) -> LinkSecurity {
        guard settings.text("link.security") != "plain" else {
            if let open = endpoints.first(where: { !isOfThisMachine($0) }) {
                throw refused(
                    "link.security=plain is for ipc: and loopback endpoints, and \(open) can be reached from elsewhere: "
                        + advice)
            }
            return .plain
        }
        let own = try ownKey(settings.text("link.key"))
        let peers = try peers(at: settings.text("link.peers"))
        try check(own, against: peers, role: role, at: settings.text("link.peers"))
        for service in services where PeerRole(service).flatMap(peers.key(of:)) == nil {
            throw refused("link.peers: \(settings.text("link.peers")) has no line with the role \(service)")
        }
        return .curve(own: own, peers: peers)
    }

    private static func ownKey(_ text: String) throws(StartRefused) -> CurveKeyPair {
        guard !text.isEmpty else { throw refused("link.key is not set: \(advice)") }
        guard let secret = CurveSecretKey(text) else {
            let what = text.utf8.count == 40 ? "has characters that no key has" : "has \(text.utf8.count) characters"
            throw refused("link.key \(what); a secret key is 40 characters of Z85: \(advice)")
        }
        return CurveKeyPair(secret)
    }

    private static func peers(at path: String) throws(StartRefused) -> LinkPeers {
        guard !path.isEmpty else { throw refused("link.peers is not set: \(advice)") }
        let limit = 1 << 20
        guard let bytes = File.contents(path, limit: limit) else {
            throw refused("link.peers: cannot read \(path) (\(lastSystemError))")
        }
        guard bytes.count < limit, let text = String(validating: bytes, as: UTF8.self) else {
            throw refused("link.peers: \(path) is no list of peers; \(advice)")
        }
        do {
            return try LinkPeers(text)
        } catch {
            throw refused("link.peers: \(path): \(error)")
        }
    }

    private static func check(
        _ own: CurveKeyPair, against peers: LinkPeers, role: PeerRole, at path: String
    ) throws(StartRefused) {
        guard let line = peers.peer(of: own.publicKey) else {
            throw refused("link.key is not among the keys of \(path): its public key is \(own.publicKey)")
        }
        guard line.role == role else {
            throw refused("link.key is that of \(line.name) with the role \(line.role); this process is \(role)")
        }
    }

    private static func refused(_ why: String) -> StartRefused { StartRefused(why, code: 64) }

    static func isOfThisMachine(_ endpoint: String) -> Bool {
        if endpoint.hasPrefix("ipc://") { return true }
        guard endpoint.hasPrefix("tcp://"), let colon = endpoint.lastIndex(of: ":") else { return false }
        let host = endpoint[..<colon].dropFirst("tcp://".count)
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }
}
