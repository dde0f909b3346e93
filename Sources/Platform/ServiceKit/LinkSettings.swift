import Reactor
import Wire

/// The settings that secure a process's links.
public enum LinkSettings {
    public static var settings: [Setting] {
        [
            Setting(
                "link.security", .choice(["curve", "plain"]), default: "curve",
                "keys on the links between processes (curve), or none (plain, for ipc: and loopback endpoints only)"),
            Setting("link.key", .key, "this process's secret key, made by parley keys"),
            Setting("link.peers", .text, "file with the public keys of all processes, in lines NAME ROLE PUBLICKEY"),
        ]
    }

    private static let advice = """
        make keys with "parley keys DIR", then give --link-key-file DIR/NAME.key and --link-peers DIR/peers
        """

    /// Reads the link settings and checks them.
    /// - Parameters:
    ///   - role: the role of this process, which its key must have in the peers file.
    ///   - connectsTo: the services it connects to.
    ///   - endpoints: all endpoints it listens on or connects to.
    ///   - key: the setting with the secret key.
    /// - Throws: ``StartRefused`` with exit code 64 and what to do.
    public static func security(
        _ settings: Settings, role: PeerRole, connectsTo services: [String] = [], endpoints: [String],
        key: String = "link.key"
    ) throws(StartRefused) -> LinkSecurity {
        guard settings.text("link.security") != "plain" else {
            if let open = endpoints.first(where: { !isOfThisMachine($0) }) {
                throw refused(
                    "link.security=plain allows only ipc: and loopback endpoints, but others can reach \(open); "
                        + advice)
            }
            return .plain
        }
        let own = try ownKey(settings.text(key), key)
        let peers = try peers(at: settings.text("link.peers"))
        try check(own, key, against: peers, role: role, at: settings.text("link.peers"))
        for service in services where PeerRole(service).flatMap(peers.key(of:)) == nil {
            throw refused("link.peers: \(settings.text("link.peers")) has no line with the role \(service)")
        }
        return .curve(own: own, peers: peers)
    }

    private static func ownKey(_ text: String, _ key: String) throws(StartRefused) -> CurveKeyPair {
        guard !text.isEmpty else { throw refused("\(key) is not set; \(advice)") }
        guard let secret = CurveSecretKey(text) else {
            let problem = text.utf8.count == 40 ? "has invalid characters" : "has \(text.utf8.count) characters"
            throw refused("\(key) \(problem), but a secret key has 40 characters of Z85; \(advice)")
        }
        return CurveKeyPair(secret)
    }

    private static func peers(at path: String) throws(StartRefused) -> LinkPeers {
        guard !path.isEmpty else { throw refused("link.peers is not set; \(advice)") }
        let limit = 1 << 20
        guard let bytes = File.contents(path, limit: limit) else {
            throw refused("link.peers: cannot read \(path) (\(lastSystemError))")
        }
        guard bytes.count < limit, let text = String(validating: bytes, as: UTF8.self) else {
            throw refused("link.peers: \(path) is not a list of peers; \(advice)")
        }
        do {
            return try LinkPeers(text)
        } catch {
            throw refused("link.peers: \(path): \(error)")
        }
    }

    private static func check(
        _ own: CurveKeyPair, _ key: String, against peers: LinkPeers, role: PeerRole, at path: String
    ) throws(StartRefused) {
        guard let line = peers.peer(of: own.publicKey) else {
            throw refused("\(path) has no line for \(key); add one with its public key \(own.publicKey)")
        }
        guard line.role == role else {
            throw refused(
                "\(key) belongs to \(line.name) with the role \(line.role), but this process needs the role \(role)")
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
