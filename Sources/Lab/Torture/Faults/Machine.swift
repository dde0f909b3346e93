import Foundation

/// Access to the machine beyond Parley's own processes.
enum Machine {
    /// Runs a program to its end.
    /// - Returns: nil if it succeeded, else its output.
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
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0
            ? nil : String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The path of libfaketime for programs with threads; nil if it is not installed.
    static var libfaketime: String? {
        let architectures = ["x86_64-linux-gnu", "aarch64-linux-gnu"]
        return
            (architectures.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" } + [
                "/usr/lib/faketime/libfaketimeMT.so.1"
            ])
            .first { FileManager.default.fileExists(atPath: $0) }
    }

    /// Returns the resident memory in KiB; nil if the process does not exist.
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

/// A small disk for the database, which a fault can fill.
struct SmallDisk: Sendable {
    let path: String
    private var ballast: String { "\(path)/ballast" }

    /// - Returns: the disk, or nil and the reason why it cannot be mounted.
    static func mount(at path: String, megabytes: Int) -> (disk: SmallDisk?, why: String) {
        guard geteuid() == 0 else { return (nil, "only root can mount a small disk") }
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let options = "size=\(megabytes)m,mode=0700"
        if let problem = Machine.run("mount", ["-t", "tmpfs", "-o", options, "parley-torture", path]) {
            return (nil, "cannot mount a small disk: \(problem)")
        }
        return (SmallDisk(path: path), "")
    }

    func unmount() {
        if Machine.run("umount", [path]) != nil { _ = Machine.run("umount", ["-l", path]) }
    }

    /// Fills the disk until less than a page is free, apart from space freed meanwhile. Allocates piece by piece, since
    /// one large allocation would fail whenever another program writes. Blocks while the machine clears the memory.
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

/// Blocks the thread.
func standStill(milliseconds: UInt32) { usleep(milliseconds * 1000) }
