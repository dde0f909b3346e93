import Foundation

/// The leftovers of killed runs: their folders, and the small disks mounted in them.
enum Leftovers {
    private static let prefix = "parley-torture-"

    /// Returns the name of the folder for the run with this process id.
    static func name(of pid: Int32) -> String { "\(prefix)\(pid)" }

    /// Returns the names of folders of runs whose process no longer exists. Folders kept by failed runs do not match.
    static func names(among names: [String], lives: (Int32) -> Bool) -> [String] {
        names.filter { name in
            guard name.hasPrefix(prefix), let pid = Int32(name.dropFirst(prefix.count)), pid > 0,
                name == Self.name(of: pid)
            else { return false }
            return !lives(pid)
        }.sorted()
    }

    /// Unmounts and removes the leftovers in a folder. Does nothing unless run as root; what stays mounted stays.
    /// - Returns: the removed folders.
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

    /// Whether a file system is mounted at the path. (Foundation cannot read the whole list of mounts from /proc.)
    static func isMounted(_ path: String) -> Bool {
        var (here, above) = (stat(), stat())
        return stat(path, &here) == 0 && stat("\(path)/..", &above) == 0 && here.st_dev != above.st_dev
    }

    /// Whether the process exists, even if it belongs to another user.
    static func lives(_ pid: Int32) -> Bool { kill(pid, 0) == 0 || errno != ESRCH }
}
