import Foundation

/// Files for browsers: each with its path, media type and bytes, also compressed by gzip where that saves a tenth.
enum WebFiles {
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "json": "application/json", "woff2": "font/woff2",
        "webmanifest": "application/manifest+json",
    ]

    static func swift(_ folder: URL, _ files: [String]) throws -> String {
        let entries = try files.map { path in
            let file = folder.appending(path: path)
            guard let type = types[file.pathExtension] else { EmbedFiles.fail("\(path) has no known media type") }
            let plain = try Data(contentsOf: file)
            let packed = try gzip(file)
            // The end of what gzip writes (RFC 1952 §2.3.1): checksum and size of the content.
            let tag = packed.suffix(8).map { hex($0) }.joined()
            let isSmaller = packed.count * 10 < plain.count * 9
            let isIndex = file.lastPathComponent == "index.html"
            return """
                        WebFile(
                            path: "/\(isIndex ? String(path.dropLast("index.html".count)) : path)", type: "\(type)", tag: "\(tag)",
                            plain: \(literal(plain)), gzip: \(isSmaller ? literal(packed) : "nil")),

                """
        }
        return """
            /// The files of the folder Web, by path. An `index.html` has the path of its folder.
            enum WebFiles {
                static let all: [WebFile] = [
            \(entries.joined())    ]
            }

            """
    }

    private static func gzip(_ file: URL) throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-9", "-n", "-c", file.path]
        process.standardOutput = output
        try process.run()
        let packed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0, packed.count > 18 else { EmbedFiles.fail("gzip failed for \(file.path)") }
        return packed
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    /// The bytes as a string with one scalar each, since long array literals take the compiler long.
    private static func literal(_ bytes: Data) -> String {
        var text = "\""
        for byte in bytes {
            switch byte {
            case 0x0A: text += "\\n"
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += "\\" + String(UnicodeScalar(byte))
            case 0x20..<0x7F: text.unicodeScalars.append(UnicodeScalar(byte))
            default: text += "\\u{" + hex(byte) + "}"
            }
        }
        return text + "\""
    }
}
