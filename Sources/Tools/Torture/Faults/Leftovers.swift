import Foundation

/// What runs that were killed could not clear away: their folders, and the small disks mounted in them.
enum Leftovers {
    private static let prefix = "parley-torture-"

    /// The folder of the run that has this process id.
    static func name(of pid: Int32) -> String { "\(prefix)\(pid)" }

    /// Those names that are exactly a run's folder, and whose process does not live. What failed runs keep is none.
    static func names(among names: [String], lives: (Int32) -> Bool) -> [String] {
        names.filter { name in
            guard name.hasPrefix(prefix), let pid = Int32(name.dropFirst(prefix.count)), pid > 0,
                name == Self.name(of: pid)
            else { return false }
            return !lives(pid)
        }.sorted()
    }

    /// Unmounts and removes them, when we may; what is still mounted stays.
    /// - Returns: the folders that are gone.
    static func remove(in folder: String, lives: (Int32) -> Bool = Self.lives) -> [String] {
        guard geteuid() == 0, let all = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
        return names(among: all, lives: lives).map { "\(folder)/\($0)" }.filter { path in
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
            let disk = SmallDisk(path: "\(path)/c/postgres")
            if isMounted(disk.path) { disk.unmount() }
            guard !isMounted(disk.path) else { return false }
            return (try? FileManager.default.removeItem(atPath: path)) != nil
        }
    }

    /// Whether a file system of its own begins there. (The list of mounts is longer than Foundation reads of /proc.)
    static func isMounted(_ path: String) -> Bool {
        var (here, above) = (stat(), stat())
        return stat(path, &here) == 0 && stat("\(path)/..", &above) == 0 && here.st_dev != above.st_dev
    }

    /// Whether there is such a process, also one that is not ours.
    static func lives(_ pid: Int32) -> Bool { kill(pid, 0) == 0 || errno != ESRCH }
}
