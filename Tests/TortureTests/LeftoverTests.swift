import Foundation
import Testing

@testable import Torture

@Suite("Leftovers of killed runs")
struct LeftoverTests {
    @Test("only the folder of a run whose process no longer exists is a leftover")
    func names() {
        let all = [
            "parley-torture-12", "parley-torture-13", "parley-torture-14-failed", "parley-torture-",
            "parley-torture-015",
            "parley-torture--16", "parley-torture-+17", "parley-torture-0", "xparley-torture-18",
            "parley-torture-19.log",
            "parley-torture-99999999999",
        ]
        #expect(Leftovers.names(among: all) { $0 == 13 } == ["parley-torture-12"])
        #expect(Leftovers.lives(getpid()))
    }

    @Test("leftovers are unmounted and removed, everything else stays", .enabled(if: geteuid() == 0))
    func remove() throws {
        let files = FileManager.default
        let folder = "\(FileManager.default.temporaryDirectory.standardizedFileURL.path)/leftovers-\(UUID().uuidString)"
        for name in ["parley-torture-12/c/postgres", "parley-torture-13/c", "parley-torture-14-failed", "elsewhere"] {
            try files.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        try files.createSymbolicLink(
            atPath: "\(folder)/parley-torture-15", withDestinationPath: "\(folder)/elsewhere")
        let path = "\(folder)/parley-torture-12/c/postgres"
        // If mounting is not allowed, the test uses a plain folder.
        let disk = SmallDisk.mount(at: path, megabytes: 1).disk
        defer {
            if Leftovers.isMounted(path) { disk?.unmount() }
            try? files.removeItem(atPath: folder)
        }
        #expect(Leftovers.isMounted(path) == (disk != nil))
        #expect(files.createFile(atPath: "\(path)/file", contents: nil))
        let gone = Leftovers.remove(in: folder) { $0 == 13 }
        #expect(gone == ["\(folder)/parley-torture-12"])
        #expect(!Leftovers.isMounted(path))
        let left = try files.contentsOfDirectory(atPath: folder).sorted()
        #expect(left == ["elsewhere", "parley-torture-13", "parley-torture-14-failed", "parley-torture-15"])
    }
}
