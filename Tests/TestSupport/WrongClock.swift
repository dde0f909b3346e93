import Foundation

/// Gives a process of a cluster a clock that is wrong, by libfaketime.
public enum WrongClock {
    /// The settings of a process whose clock differs by "+7m" or the like.
    /// - Throws: ``NeverHappened`` if the library is not there.
    public static func settings(_ offset: String) throws -> [String: String] {
        let folders = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib").map { "/usr/lib/\($0)/faketime" }
        guard let folder = folders.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw NeverHappened(description: "libfaketime is not there: install the package faketime")
        }
        return [
            "LD_PRELOAD": "\(folder)/libfaketimeMT.so.1", "FAKETIME": offset, "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        ]
    }
}
