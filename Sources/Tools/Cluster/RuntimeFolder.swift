import Glibc

/// A private folder for sockets, with a short path since socket paths have at most 107 bytes. The name is derived from
/// the cluster's folder.
struct RuntimeFolder: Sendable {
    let path: String

    /// Creates the folder, or uses an existing one of the same owner.
    init(for folder: String) throws(ClusterError) {
        let name = "parley-\(Files.digest(folder))"
        var problem = ClusterError(
            .noPermission, "There is no usable folder for sockets. Set TMPDIR to one that you may write to.")
        for candidate in Self.candidates {
            do {
                let path = "\(candidate)/\(name)"
                // When root runs the cluster, PostgreSQL's account must be able to enter the folder.
                try Self.claim(path, mode: geteuid() == 0 ? 0o711 : 0o700, owner: .current)
                self.path = path
                return
            } catch {
                problem = error
            }
        }
        throw problem
    }

    /// Creates a folder inside that only `owner` can use.
    func folder(_ name: String, owner: UserAccount = .current) throws(ClusterError) -> String {
        let inner = "\(path)/\(name)"
        try Self.claim(inner, mode: 0o700, owner: owner)
        return inner
    }

    /// Removes a folder inside with its contents, and this folder once it is empty.
    func discard(_ name: String) {
        Files.remove("\(path)/\(name)")
        rmdir(path)
    }

    /// The folders to try, in order. Their paths are short enough to leave 60 bytes for the sockets' names.
    private static var candidates: [String] {
        let environment = Environment.current
        let own = geteuid() == 0 ? ["/run"] : [environment["XDG_RUNTIME_DIR"] ?? ""]
        return (own + [environment["TMPDIR"] ?? "", "/tmp"]).compactMap { path in
            guard path.hasPrefix("/"), path.utf8.count <= 30, Files.isFolder(path), access(path, W_OK) == 0,
                UserAccount(named: "nobody")?.mayPass(path) == true || geteuid() != 0
            else { return nil }
            return path.hasSuffix("/") ? String(path.dropLast()) : path
        }
    }

    /// Creates the folder or takes over an existing one. Refuses a link or another user's folder, since other users can
    /// guess the name.
    private static func claim(_ path: String, mode: mode_t, owner: UserAccount) throws(ClusterError) {
        if mkdir(path, 0o700) != 0 {
            guard errno == EEXIST else { throw Files.failure("create the folder", path) }
        } else if owner.uid != geteuid(), chown(path, owner.uid, owner.gid) != 0 {
            throw Files.failure("make \(owner.name) the owner of", path)
        }
        guard let found = Files.information(path, followLinks: false), found.st_mode & S_IFMT == S_IFDIR,
            found.st_uid == owner.uid || (geteuid() == 0 && found.st_uid == 0)
        else {
            throw ClusterError(
                .noPermission,
                "\(path) is not a folder of \(owner.name). Remove it, or set TMPDIR to another folder.")
        }
        if found.st_uid != owner.uid, chown(path, owner.uid, owner.gid) != 0 {
            throw Files.failure("make \(owner.name) the owner of", path)
        }
        if found.st_mode & 0o777 != mode, chmod(path, mode) != 0 { throw Files.failure("set the permissions of", path) }
    }
}
