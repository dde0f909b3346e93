import Glibc

/// A short private folder for sockets, whose paths may have 107 bytes only. Its name follows from the cluster's folder.
struct RuntimeFolder: Sendable {
    let path: String

    /// Makes it, or takes an existing one if it is ours.
    init(for folder: String) throws(ClusterError) {
        let name = "parley-\(Files.digest(folder))"
        var problem = ClusterError(
            .noPermission, "no folder for sockets was found; set TMPDIR to one you may write to.")
        for place in Self.places {
            do {
                let path = "\(place)/\(name)"
                // The server's account must pass through it when it is not ours.
                try Self.claim(path, mode: geteuid() == 0 ? 0o711 : 0o700, owner: .current)
                self.path = path
                return
            } catch {
                problem = error
            }
        }
        throw problem
    }

    /// A folder inside, owned by `owner` and closed to all others.
    func folder(_ name: String, owner: UserAccount = .current) throws(ClusterError) -> String {
        let inner = "\(path)/\(name)"
        try Self.claim(inner, mode: 0o700, owner: owner)
        return inner
    }

    /// Removes a folder inside with all that is in it, and this one with the last of them.
    func discard(_ name: String) {
        Files.remove("\(path)/\(name)")
        rmdir(path)
    }

    /// Leaves 60 bytes for what stands in it.
    private static var places: [String] {
        let environment = Environment.current
        let own = geteuid() == 0 ? ["/run"] : [environment["XDG_RUNTIME_DIR"] ?? ""]
        return (own + [environment["TMPDIR"] ?? "", "/tmp"]).compactMap { place in
            guard place.hasPrefix("/"), place.utf8.count <= 30, Files.isFolder(place), access(place, W_OK) == 0,
                UserAccount(named: "nobody")?.mayPass(place) == true || geteuid() != 0
            else { return nil }
            return place.hasSuffix("/") ? String(place.dropLast()) : place
        }
    }

    /// The name can be guessed by others of this machine: a link, or a folder of theirs, is refused.
    private static func claim(_ path: String, mode: mode_t, owner: UserAccount) throws(ClusterError) {
        if mkdir(path, 0o700) != 0 {
            guard errno == EEXIST else { throw Files.failure("make the folder", path) }
        } else if owner.uid != geteuid(), chown(path, owner.uid, owner.gid) != 0 {
            throw Files.failure("give to \(owner.name) the folder", path)
        }
        guard let found = Files.information(path, followLinks: false), found.st_mode & S_IFMT == S_IFDIR,
            found.st_uid == owner.uid || (geteuid() == 0 && found.st_uid == 0)
        else {
            throw ClusterError(
                .noPermission,
                "\(path) is not a folder of \(owner.name): somebody else made it. Remove it, or set TMPDIR.")
        }
        if found.st_uid != owner.uid, chown(path, owner.uid, owner.gid) != 0 {
            throw Files.failure("give to \(owner.name) the folder", path)
        }
        if found.st_mode & 0o777 != mode, chmod(path, mode) != 0 { throw Files.failure("set the permissions of", path) }
    }
}
