import NIOCore
import NIOHTTP1

/// A file for browsers that is part of the program: those of the folder `Web`, which the build embeds as
/// `WebFiles.all`, and the chat, which it bundles from `Sources/Clients/WebChat` as `ChatFiles.all`. Pure.
struct WebFile: Sendable {
    /// All of them, each at one path.
    static let all = WebFiles.all + ChatFiles.all

    let path: String
    private let type: String
    /// Changes with the content.
    private let tag: String
    /// Whether its path names its content, which therefore never changes.
    private let isImmutable: Bool
    private let variants: [(coding: ContentCoding, bytes: ByteBuffer)]

    /// - Parameters:
    ///   - plain: the content, one scalar for each byte.
    ///   - gzip: the same compressed by gzip.
    ///   - brotli: the same compressed by Brotli; nil if that saves nothing.
    init(
        path: String, type: String, tag: String, isImmutable: Bool = false, plain: String, gzip: String, brotli: String?
    ) {
        (self.path, self.type, self.tag, self.isImmutable) = (path, type, tag, isImmutable)
        let variants: [(ContentCoding, String?)] = [(.br, brotli), (.gzip, gzip), (.identity, plain)]
        self.variants = variants.compactMap { coding, text in text.map { (coding, Self.bytes($0)) } }
    }

    private static func bytes(_ text: String) -> ByteBuffer {
        ByteBuffer(bytes: text.unicodeScalars.lazy.map { UInt8(truncatingIfNeeded: $0.value) })
    }

    /// Lets a page use what comes from this gateway, and what it made itself as a blob or an address with data, and
    /// lets no other page embed it.
    private static let security: [(String, String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
                + "worker-src 'self'; manifest-src 'self'; media-src 'self' blob:; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// Returns the response to GET. Browsers keep the file, and ask each time whether it has changed unless its path
    /// says that it cannot.
    func response(to headers: HTTPHeaders) -> (status: Int, headers: HTTPHeaders, body: ByteBuffer) {
        var answer = HTTPHeaders(Self.security + [("Vary", "Accept-Encoding")])
        let weights = ContentCoding.weights(of: headers["accept-encoding"])
        guard let (coding, body) = choose(by: weights) else {
            let text = ByteBuffer(string: "Accept-Encoding must allow identity, gzip or br.\n")
            answer.add(name: "Content-Type", value: "text/plain; charset=utf-8")
            answer.add(name: "Content-Length", value: "\(text.readableBytes)")
            return (406, answer, text)
        }
        let tag = "\"\(tag)\(coding == .identity ? "" : "-\(coding.rawValue)")\""
        answer.add(name: "ETag", value: tag)
        answer.add(name: "Cache-Control", value: isImmutable ? "public, max-age=31536000, immutable" : "no-cache")
        let known = headers[canonicalForm: "if-none-match"]
        if known.contains(where: { $0 == "*" || $0 == tag || $0.dropFirst(2) == tag && $0.hasPrefix("W/") }) {
            return (304, answer, ByteBuffer())
        }
        answer.add(name: "Content-Type", value: type)
        answer.add(name: "Content-Length", value: "\(body.readableBytes)")
        if coding != .identity { answer.add(name: "Content-Encoding", value: coding.rawValue) }
        return (200, answer, body)
    }

    /// Returns the variant that the client likes best, of several the smallest; nil if it accepts none.
    private func choose(by weights: [ContentCoding: Int]) -> (ContentCoding, ByteBuffer)? {
        variants.filter { weights[$0.coding] ?? 0 > 0 }.min { one, other in
            let (first, second) = (weights[one.coding] ?? 0, weights[other.coding] ?? 0)
            return first == second ? one.bytes.readableBytes < other.bytes.readableBytes : first > second
        }
    }
}

/// How a body is compressed (RFC 9110 §8.4.1).
enum ContentCoding: String, CaseIterable {
    case br, gzip, identity

    /// Reads `Accept-Encoding` (RFC 9110 §12.5.3). What is no weight is left out, with its coding.
    /// - Returns: how much the client likes each, in thousandths. Zero: it does not accept it.
    static func weights(of headers: [String]) -> [ContentCoding: Int] {
        var (named, others): ([ContentCoding: Int], Int?) = ([:], nil)
        for part in headers.joined(separator: ",").lowercased().split(separator: ",") {
            let words = part.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
            guard let weight = weight(words.dropFirst()) else { continue }
            switch words[0] {
            case "*": others = others ?? weight
            case "x-gzip": named[.gzip] = named[.gzip] ?? weight
            case let name: if let coding = ContentCoding(rawValue: name) { named[coding] = named[coding] ?? weight }
            }
        }
        // Who does not name it takes it when nothing else is to be had.
        named[.identity] = named[.identity] ?? (others == 0 ? 0 : 1)
        for coding in allCases { named[coding] = named[coding] ?? others ?? 0 }
        return named
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }

    /// Returns thousandths; nil if it is no weight.
    private static func weight(_ parameters: ArraySlice<String>) -> Int? {
        guard let parameter = parameters.first else { return 1000 }
        let form = /q=(?:0(?:\.([0-9]{0,3}))?|1(?:\.0{0,3})?)/
        guard parameters.count == 1, let match = parameter.wholeMatch(of: form) else { return nil }
        guard parameter.hasPrefix("q=0") else { return 1000 }
        let digits = match.1 ?? ""
        return Int(digits + String(repeating: "0", count: 3 - digits.count))
    }
}
