import Foundation

/// The chat for browsers: bundled from its folder and the SDK beside it by esbuild, with React as Debian has it.
///
/// Scripts and styles are at `/app/`, with a hash in their names. Page, service worker and manifest have fixed paths,
/// and name them; what is loaded on use is named by the scripts. A machine without the tools builds one page in place
/// of the chat that says so.
enum ChatFiles {
    private static let flags = [
        "--bundle", "--minify", "--format=esm", "--target=es2020", "--charset=utf8", "--jsx=automatic",
        "--legal-comments=eof", "--log-level=warning", "--define:process.env.NODE_ENV=\"production\"",
    ]

    /// - Parameters:
    ///   - output: the file that will have the result; esbuild writes beside it.
    ///   - tools: where `esbuild`, `brotli` and `modules` of node are; empty: not on this machine.
    static func swift(_ folder: URL, _ output: URL, _ tools: [String: String]) throws -> String {
        let (esbuild, modules, brotli) = (tools["esbuild"] ?? "", tools["modules"] ?? "", tools["brotli"] ?? "")
        var entries: [String] = []
        if esbuild.isEmpty || modules.isEmpty {
            print("warning: the chat for browsers is left out. deploy/install-packages installs what it needs.")
            let page = try Data(contentsOf: folder.appending(path: "missing.html"))
            entries.append(try WebFiles.entry("index.html", page, brotli: brotli))
        } else {
            if brotli.isEmpty { print("warning: brotli is missing: browsers get the chat by gzip.") }
            let bundler = Bundler(folder: folder, place: output.deletingLastPathComponent(), esbuild, modules)
            for (path, data) in try bundler.files() {
                entries.append(
                    try WebFiles.entry(path, data, isImmutable: path.hasPrefix("app/"), brotli: brotli))
            }
        }
        return WebFiles.list("ChatFiles", "The chat for browsers", entries)
    }

    private struct Bundler {
        let folder: URL
        /// Where esbuild writes.
        let place: URL
        let esbuild: String
        let modules: String

        init(folder: URL, place: URL, _ esbuild: String, _ modules: String) {
            (self.folder, self.place, self.esbuild, self.modules) = (folder, place, esbuild, modules)
        }

        func files() throws -> [(path: String, data: Data)] {
            let bundled = try bundle(
                ["chat.tsx", "chat.css"], into: "app",
                ["--splitting", "--entry-names=[name]-[hash]", "--chunk-names=[name]-[hash]"])
            let page = try page(naming: bundled.map(\.path))
            let manifest = try Data(contentsOf: folder.appending(path: "chat.webmanifest"))
            let kept = bundled.map { "/\($0.path)" } + ["/", "/chat.webmanifest", "/icon.svg"]
            let list = kept.map { "\"\($0)\"" }.joined(separator: ",")
            let worker = try bundle(
                ["worker.ts"], into: "worker",
                ["--define:FILES=[\(list)]", "--define:VERSION=\"\(version(page, manifest, kept))\""])
            return bundled + [("index.html", page), ("chat.webmanifest", manifest)]
                + worker.map { ("worker.js", $0.data) }
        }

        private func bundle(
            _ sources: [String], into name: String, _ more: [String]
        ) throws -> [(path: String, data: Data)] {
            let target = place.appending(path: name)
            try? FileManager.default.removeItem(at: target)
            let sources = sources.map { folder.appending(path: $0).path }
            _ = try Tool.run(
                esbuild, sources + flags + more + ["--outdir=\(target.path)"], in: ["NODE_PATH": modules])
            return try FileManager.default.contentsOfDirectory(atPath: target.path).sorted().map { file in
                ("\(name)/\(file)", try Data(contentsOf: target.appending(path: file)))
            }
        }

        /// The page, which in the source names `/app/chat.js` and `/app/chat.css`.
        private func page(naming paths: [String]) throws -> Data {
            var text = try String(contentsOf: folder.appending(path: "index.html"), encoding: .utf8)
            for path in paths where path.hasPrefix("app/chat-") {
                let plain = "/app/chat.\(URL(filePath: path).pathExtension)"
                guard text.contains(plain) else { EmbedFiles.fail("index.html does not name \(plain)") }
                text = text.replacingOccurrences(of: plain, with: "/\(path)")
            }
            return Data(text.utf8)
        }

        /// Changes with whatever the service worker keeps (FNV-1a, 64 bits).
        private func version(_ page: Data, _ manifest: Data, _ kept: [String]) -> String {
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in page + manifest + Data(kept.joined().utf8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            return String(hash, radix: 16)
        }
    }
}
