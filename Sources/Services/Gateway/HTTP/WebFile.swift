import NIOCore
import NIOHTTP1

/// A file for browsers that is part of the program. `Web/` has them; the build embeds them as `WebFiles.all`. Pure.
struct WebFile: Sendable {
    let path: String
    private let type: String
    /// Changes with the content.
    private let tag: String
    private let plain: ByteBuffer
    private let gzip: ByteBuffer?

    /// - Parameters:
    ///   - plain: the content, one scalar for each byte.
    ///   - gzip: the same compressed; nil if that saves nothing.
    init(path: String, type: String, tag: String, plain: String, gzip: String?) {
        (self.path, self.type, self.tag) = (path, type, tag)
        self.plain = Self.bytes(plain)
        self.gzip = gzip.map(Self.bytes)
    }

    private static func bytes(_ text: String) -> ByteBuffer {
        ByteBuffer(bytes: text.unicodeScalars.lazy.map { UInt8(truncatingIfNeeded: $0.value) })
    }

    /// Lets a page use what comes from this gateway and nothing else, and lets no other page embed it.
    private static let security: [(String, String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// Returns the response to GET. Browsers keep the file and ask each time whether it has changed.
    func response(to headers: HTTPHeaders) -> (status: Int, headers: HTTPHeaders, body: ByteBuffer) {
        let isPacked = gzip != nil && Self.acceptsGzip(headers)
        let tag = "\"\(tag)\(isPacked ? "-gzip" : "")\""
        var answer = HTTPHeaders(
            Self.security + [("ETag", tag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding")])
        let known = headers[canonicalForm: "if-none-match"]
        if known.contains(where: { $0 == "*" || $0 == tag || $0.dropFirst(2) == tag && $0.hasPrefix("W/") }) {
            return (304, answer, ByteBuffer())
        }
        let body = isPacked ? gzip ?? plain : plain
        answer.add(name: "Content-Type", value: type)
        answer.add(name: "Content-Length", value: "\(body.readableBytes)")
        if isPacked { answer.add(name: "Content-Encoding", value: "gzip") }
        return (200, answer, body)
    }

    /// Whether the client accepts gzip (RFC 9110 §12.5.3).
    private static func acceptsGzip(_ headers: HTTPHeaders) -> Bool {
        for coding in headers[canonicalForm: "accept-encoding"] {
            let parts = coding.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard parts.first == "gzip" else { continue }
            return !parts.dropFirst().contains { $0.wholeMatch(of: /q=0(\.0*)?/) != nil }
        }
        return false
    }
}
