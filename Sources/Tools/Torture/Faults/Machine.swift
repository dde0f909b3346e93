import Foundation

/// What a run does to the machine beyond Parley's own processes, and what it reads of it.
enum Machine {
    /// Runs a program to its end.
    /// - Returns: nil when it succeeded, else what it said.
    static func run(_ program: String, _ arguments: [String]) -> String? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = output
        process.standardError = output
        do {
            try process.run()
        } catch {
            return "\(error)"
        }
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0
            ? nil : String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// libfaketime for programs with threads; nil when it is not installed.
    static var libfaketime: String? {
        let architectures = ["x86_64-linux-gnu", "aarch64-linux-gnu"]
        return
            (architectures.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" } + [
                "/usr/lib/faketime/libfaketimeMT.so.1"
            ])
            .first { FileManager.default.fileExists(atPath: $0) }
    }

    /// Resident memory in KiB; nil when no such process lives.
    static func residentKiB(of pid: Int32) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    }

    static func children(of pid: Int32) -> [Int32] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return threads.flatMap { thread in
            ((try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/children", encoding: .utf8)) ?? "")
                .split(separator: " ").compactMap { Int32($0) }
        }
    }
}

/// A small disk for the database, that can be filled.
struct SmallDisk: Sendable {
    let path: String
    private var ballast: String { "\(path)/ballast" }

    /// - Returns: nil, and why, when this machine does not let us.
    static func mount(at path: String, megabytes: Int) -> (disk: SmallDisk?, why: String) {
        guard geteuid() == 0 else { return (nil, "only root may mount a small disk") }
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let options = "size=\(megabytes)m,mode=0700"
        if let problem = Machine.run("mount", ["-t", "tmpfs", "-o", options, "parley-torture", path]) {
            return (nil, "a small disk cannot be mounted: \(problem)")
        }
        return (SmallDisk(path: path), "")
    }

    func unmount() {
        if Machine.run("umount", [path]) != nil { _ = Machine.run("umount", ["-l", path]) }
    }

    /// Leaves less than a page, or what is freed meanwhile. Piece by piece: whoever else writes there takes some of it,
    /// and an attempt at all of it that fails would begin again. Blocks for as long as the machine needs to clear it.
    func fill() -> Bool {
        let file = open(ballast, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        var (size, step) = (off_t(0), off_t(16 << 20))
        while step >= 4096 {
            switch posix_fallocate(file, size, step) {
            case 0: size += step
            case EINTR: continue
            default: step /= 2
            }
        }
        return size > 0
    }

    func free() { unlink(ballast) }
}

/// Lets a thread do nothing.
func standStill(milliseconds: UInt32) { usleep(milliseconds * 1000) }
