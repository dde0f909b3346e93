import Cluster
import Foundation

/// Checks this machine for everything that `parley up` needs.
struct MachineCheck {
    var folder: String
    var binaries: String?

    private var upCommand: String {
        "\(ParleyCommand.invocation) up" + (folder == ".parley" ? "" : " --folder \(folder)")
    }

    func findings() -> [Finding] {
        [programs(), postgresPrograms(), dataFolder()] + cluster() + [space(), openFiles()]
    }

    private func programs() -> Finding {
        do throws(ClusterError) {
            return .good("programs", "in \(try Cluster.binaries(binaries))")
        } catch {
            return .broken("programs", error.message, fix: "Run make build, or name their folder with --binaries.")
        }
    }

    private func postgresPrograms() -> Finding {
        guard let newest = PostgresBinaries.installed().first else {
            return .broken(
                "postgresql", "no PostgreSQL server is installed.",
                fix: "On Debian or Ubuntu, run deploy/install-packages, or apt-get install postgresql.")
        }
        let version = Self.output(of: "\(newest.folder)/postgres", "--version")
        let number = version.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
        guard number >= 15 else {
            return .broken(
                "postgresql", "\(version) in \(newest.folder) is too old.", fix: "Install PostgreSQL 15 or later.")
        }
        return .good("postgresql", "\(version), \(newest.folder)")
    }

    private func dataFolder() -> Finding {
        var information = stat()
        guard stat(folder, &information) == 0 else {
            let parent = (URL(fileURLWithPath: folder).deletingLastPathComponent()).path
            guard access(parent, W_OK) == 0 else {
                return .broken(
                    "folder", "\(folder) cannot be created: you may not write to \(parent).",
                    fix: "Choose another folder with --folder.")
            }
            return .good("folder", "\(folder) does not exist yet; parley up creates it.")
        }
        guard information.st_mode & S_IFMT == S_IFDIR, access(folder, W_OK | X_OK) == 0 else {
            return .broken(
                "folder", "\(folder) is not a folder that you may write to.",
                fix: "Change its owner (chown), or choose another folder with --folder.")
        }
        return .good("folder", URL(fileURLWithPath: folder).path)
    }

    /// Checks whether a cluster runs in the folder, and its PostgreSQL.
    private func cluster() -> [Finding] {
        let descriptor = open("\(folder)/lock", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [.doubtful("parley up", "has never run in \(folder).", fix: upCommand)] }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else {
            return [.doubtful("parley up", "is not running in \(folder).", fix: upCommand)]
        }
        let holder = Self.firstLine(of: "\(folder)/lock") ?? "?"
        return [.good("parley up", "running as process \(holder)"), privatePostgres()]
    }

    private func privatePostgres() -> Finding {
        let path = "\(folder)/postgres/data/postmaster.pid"
        let log = "\(folder)/log/postgres.log"
        guard FileManager.default.fileExists(atPath: "\(folder)/postgres/data") else {
            if access("\(folder)/postgres", X_OK) != 0, errno == EACCES {
                return .doubtful(
                    "database", "its folder is closed to you.", fix: "Run doctor as the user who runs parley up.")
            }
            return .good("database", "not a private PostgreSQL")
        }
        guard let text = FileManager.default.contents(atPath: path) else {
            return .broken("database", "the private PostgreSQL is not running.", fix: "See its log: \(log)")
        }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let state = lines.count > 7 ? lines[7].trimmingCharacters(in: .whitespaces) : "starting"
        guard let pid = lines.first.flatMap({ Int32($0) }), kill(pid, 0) == 0 || errno == EPERM else {
            return .broken(
                "database", "the private PostgreSQL has died.",
                fix: "parley up restarts it in a moment. See its log: \(log)")
        }
        guard state == "ready" else {
            return .broken("database", "the private PostgreSQL is \(state).", fix: "See its log: \(log)")
        }
        return .good("database", "the private PostgreSQL is ready, process \(pid)")
    }

    private func space() -> Finding {
        var path = URL(fileURLWithPath: folder)
        while !FileManager.default.fileExists(atPath: path.path), path.path != "/" { path.deleteLastPathComponent() }
        var information = statvfs()
        guard statvfs(path.path, &information) == 0 else {
            return .doubtful("disk", "its free space cannot be read.", fix: "Check it: df \(path.path)")
        }
        let free = UInt64(information.f_bavail) * UInt64(information.f_frsize) / (1 << 20)
        let text = free >= 10_240 ? "\(free / 1024) GiB free" : "\(free) MiB free"
        switch free {
        case ..<256:
            return .broken("disk", "\(text) at \(path.path).", fix: "Free some space. PostgreSQL stops without it.")
        case ..<2048: return .doubtful("disk", "\(text) at \(path.path).", fix: "Free some space soon.")
        default: return .good("disk", text)
        }
    }

    private func openFiles() -> Finding {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return .doubtful("open files", "the limit cannot be read.", fix: "Check it: ulimit -n")
        }
        let text = limit.rlim_cur > 10_000_000 ? "unlimited" : "at most \(limit.rlim_cur)"
        guard limit.rlim_cur >= 1024 else {
            return .broken(
                "open files", "\(text), too few for the processes.", fix: "Run ulimit -n 65536 before parley up.")
        }
        guard limit.rlim_cur >= 4096 || limit.rlim_max >= 4096 else {
            return .doubtful(
                "open files", "\(text), which limits how many clients can connect.",
                fix: "Run ulimit -n 65536 before parley up.")
        }
        return .good("open files", text)
    }

    private static func firstLine(of path: String) -> String? {
        FileManager.default.contents(atPath: path).flatMap {
            String(decoding: $0, as: UTF8.self).split(separator: "\n").first.map(String.init)
        }
    }

    private static func output(of executable: String, _ argument: String) -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = [argument]
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return "a PostgreSQL of unknown version" }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
