import Glibc
import Reactor

/// The folder with the link keys of an installation: a secret key `NAME.key` for each role, readable by its owner only,
/// and `peers` with all public keys.
public struct KeyFolder: Sendable {
    /// The roles besides services that have a key in every installation.
    private static let others = ["gateway", "monitor", "follower"]

    public let path: String

    public init(_ path: String) { self.path = absolute(path) }

    /// The file with all public keys.
    public var peersPath: String { "\(path)/peers" }

    /// The file with the secret key of this name.
    public func keyPath(of name: String) -> String { "\(path)/\(name).key" }

    /// The file with the key that signs links to stored files, shared by all replicas of messaging.
    public var filesPath: String { "\(path)/files.key" }

    /// Creates keys for the gateway, the monitor, a follower and these services. Each key has the name of its role.
    /// - Returns: the created files.
    /// - Throws: ``ClusterError`` if one of the files already exists. Then nothing is created or overwritten.
    @discardableResult
    public func make(services: [String] = ClusterConfiguration.services) throws(ClusterError) -> [String] {
        let roles = try (Self.others + services).map { (text) throws(ClusterError) in try Self.role(text) }
        let names = roles.map(\.description)
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw ClusterError(
                .invalid, "\(twice) is listed twice. Name each service once, and only services.")
        }
        for file in names.map(keyPath) + [peersPath, filesPath] where Files.exists(file) {
            throw ClusterError(
                .invalid, "\(file) already exists, and keys are never overwritten. Add a key with --add ROLE.")
        }
        try makeFolder()
        var peers: [LinkPeers.Peer] = []
        for (name, role) in zip(names, roles) { peers.append(try makeKey(name, role)) }
        try write(peers)
        try makeFilesKey()
        return names.map(keyPath) + [peersPath, filesPath]
    }

    /// Creates another key for a role under the first free name (`gateway-2`), and appends its line to `peers`. The old
    /// key stays valid until its line is removed.
    /// - Returns: the new key's name.
    public func add(_ text: String) throws(ClusterError) -> String {
        let role = try Self.role(text)
        let known = try peers()
        // Folders of earlier releases lack the newer roles.
        guard known.contains(where: { $0.role == role }) || Self.others.contains(text) else {
            let roles = Set(known.map(\.role.description) + Self.others).sorted().joined(separator: ", ")
            throw ClusterError(.invalid, "There is no role \(role) in \(peersPath). Use one of \(roles).")
        }
        var (name, number) = ("\(role)", 1)
        while known.contains(where: { $0.name == name }) || Files.exists(keyPath(of: name)) {
            number += 1
            name = "\(role)-\(number)"
        }
        try write(known + [makeKey(name, role)])
        return name
    }

    /// Creates the missing keys of a cluster.
    func complete() throws(ClusterError) {
        try makeFolder()
        if !Files.exists(filesPath) { try makeFilesKey() }
        var known = Files.exists(peersPath) ? try peers() : []
        var isChanged = false
        for name in Self.others + ClusterConfiguration.services {
            let own = Files.read(keyPath(of: name)).flatMap { CurveSecretKey(String($0.prefix { $0 != "\n" })) }
            if let own, known.contains(where: { $0.name == name && $0.key == CurveKeyPair(own).publicKey }) { continue }
            // Left by a first start that was interrupted, so nobody has used these yet.
            known.removeAll { $0.name == name }
            unlink(keyPath(of: name))
            known.append(try makeKey(name, try Self.role(name)))
            isChanged = true
        }
        if isChanged { try write(known) }
    }

    private func makeFilesKey() throws(ClusterError) {
        try Files.write(Files.randomSecret() + "\n", to: filesPath, mode: 0o600)
    }

    private func makeFolder() throws(ClusterError) {
        if !Files.isFolder(path) { try Files.makeFolder(path, mode: 0o700) }
    }

    private func makeKey(_ name: String, _ role: PeerRole) throws(ClusterError) -> LinkPeers.Peer {
        let pair = CurveKeyPair.make()
        guard let peer = LinkPeers.Peer(name: name, role: role, key: pair.publicKey) else {
            throw ClusterError(.invalid, "\(name) is not a valid name for a key.")
        }
        try Files.write(pair.secretKey.revealed + "\n", to: keyPath(of: name), mode: 0o600)
        return peer
    }

    private func peers() throws(ClusterError) -> [LinkPeers.Peer] {
        guard let text = Files.read(peersPath) else { throw Files.failure("read", peersPath) }
        do {
            return try LinkPeers(text).all
        } catch {
            throw ClusterError(.invalid, "\(peersPath): \(error)")
        }
    }

    private func write(_ peers: [LinkPeers.Peer]) throws(ClusterError) {
        let head = "# NAME ROLE PUBLICKEY. The first line of a service's role is the key that gateways expect of it.\n"
        try Files.write(head + peers.map { "\($0.line)\n" }.joined(), to: peersPath, mode: 0o644)
    }

    private static func role(_ text: String) throws(ClusterError) -> PeerRole {
        guard let role = PeerRole(text) else {
            throw ClusterError(.invalid, "\"\(text)\" is not a role. A role is one lower-case word, such as messaging.")
        }
        return role
    }
}
