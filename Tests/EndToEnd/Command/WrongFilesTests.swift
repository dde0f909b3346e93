import Foundation
import TestSupport
import Testing

@Suite("The command and files that are not what they should be")
struct WrongFilesTests {
    @Test("parley up leaves a folder alone that already has other files")
    func folderOfOthers() async throws {
        let parley = try Program()
        defer { parley.remove() }
        let folder = parley.clusterFolder
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(folder)/letter"))
        let refused = try await parley.run(["up", "--folder", folder, "--listen", "127.0.0.1:0"])
        #expect(refused.status == 64 && refused.errors.contains("already has other files"), "\(refused.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["letter"])
        let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
        #expect(mode == 0o755)
        let unnamed = try await parley.run(["up", "--folder", ""])
        #expect(unnamed.status == 64 && unnamed.errors.contains("must not be empty"))
    }

    @Test("a folder in the place of a file is refused: of the sign-in, of a text, of a download; a text has a limit")
    func foldersAsFiles() async throws {
        let cluster = try await TestCluster.shared
        let dana = try await cluster.person("dana")
        let parley = try Program()
        defer { parley.remove() }
        let url = ["--url", cluster.url()]
        let login = try await parley.run(
            ["login", dana.username] + url, environment: ["PARLEY_PASSWORD": Device.password])
        #expect(login.status == 0)
        let folder = parley.clusterFolder
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let signIn = try await parley.run(["inbox", "--credentials", folder] + url)
        #expect(signIn.status == 1 && signIn.errors.contains("is not a file. (unsafe_file)"), "\(signIn.errors)")

        let input = try #require(FileHandle(forReadingAtPath: folder))
        let text = try await parley.run(["send", dana.username, "-"] + url, input: input)
        #expect(text.status == 1 && text.errors.contains("(file_failed)"), "\(text.errors)")
        let endless = try #require(FileHandle(forReadingAtPath: "/dev/zero"))
        let long = try await parley.run(["send", dana.username, "-"] + url, input: endless)
        #expect(long.status == 1 && long.errors.contains("(too_large)"), "\(long.errors)")

        let file = "\(folder)-letter.txt"
        try Data("Dear Dana".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try await parley.run(["attach", dana.username, file] + url).status == 0)
        for options in [[], ["--overwrite"]] {
            let saved = try await parley.run(["download", dana.username, "1", "--to", folder] + options + url)
            #expect(saved.status == 1 && saved.errors.contains("is a folder. Name a file in it."), "\(saved.errors)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: (folder as NSString).deletingLastPathComponent)
        #expect(!left.contains { $0.hasSuffix(".part") })
    }
}
