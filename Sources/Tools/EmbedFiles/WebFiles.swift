import Foundation

/// Files for browsers: each with its path, media type and bytes, also compressed by gzip, and by Brotli where that
/// saves a tenth. A page has its path without `.html`, and `index.html` that of its folder.
enum WebFiles {
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "json": "application/json", "woff2": "font/woff2",
        "webmanifest": "application/manifest+json",
    ]

    static func swift(_ folder: URL, _ files: [String], brotli: String) throws -> String {
        let entries = try files.map { path in
            try entry(path, Data(contentsOf: folder.appending(path: path)), brotli: brotli)
        }
        return list("WebFiles", "The files of the folder Web", entries)
    }

    static func list(_ name: String, _ what: String, _ entries: [String]) -> String {
        """
        /// \(what), by path.
        enum \(name) {
            static let all: [WebFile] = [
        \(entries.joined())    ]
        }

        """
    }

    /// - Parameters:
    ///   - path: below the gateway's root.
    ///   - isImmutable: whether the path names the content.
    ///   - brotli: the program; empty: there is none.
    static func entry(
        _ path: String, _ plain: Data, isImmutable: Bool = false, brotli: String
    ) throws -> String {
        guard let type = types[URL(filePath: path).pathExtension] else {
            EmbedFiles.fail("\(path) has no known media type")
        }
        let gzip = try Tool.run("/usr/bin/env", ["gzip", "-9", "-n", "-c"], input: plain)
        // The end of what gzip writes (RFC 1952 §2.3.1): checksum and size of the content.
        guard gzip.count > 18 else { EmbedFiles.fail("gzip failed for \(path)") }
        let tag = gzip.suffix(8).map { hex($0) }.joined()
        let packed = brotli.isEmpty ? Data() : try Tool.run(brotli, ["-q", "11", "-w", "22", "-c"], input: plain)
        let isSmaller = !packed.isEmpty && packed.count * 10 < plain.count * 9
        return """
                    WebFile(
                        path: "/\(address(path))", type: "\(type)", tag: "\(tag)", isImmutable: \(isImmutable),
                        plain: \(literal(plain)), gzip: \(literal(gzip)), brotli: \(isSmaller ? literal(packed) : "nil")),

            """
    }

    private static func address(_ path: String) -> String {
        if path == "index.html" || path.hasSuffix("/index.html") { return String(path.dropLast("index.html".count)) }
        return path.hasSuffix(".html") ? String(path.dropLast(".html".count)) : path
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
