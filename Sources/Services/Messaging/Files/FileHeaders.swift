import Schema
import Wire

/// The requested bytes of a file (RFC 9110 §14). Pure.
struct FileRange: Equatable, Sendable {
    var first: Int64
    var end: Int64
    var isAll: Bool

    var count: Int64 { end - first }

    static func all(of size: Int64) -> FileRange { FileRange(first: 0, end: size, isAll: true) }

    private init(first: Int64, end: Int64, isAll: Bool) { (self.first, self.end, self.isAll) = (first, end, isAll) }

    /// Reads a `Range` header. Anything other than a single range of bytes is ignored, as the RFC allows.
    /// - Returns: nil if the file has no such bytes.
    init?(_ header: String, of size: Int64) {
        self = .all(of: size)
        guard header.hasPrefix("bytes="), !header.contains(",") else { return }
        let parts = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        let numbers = parts.map { part in part.allSatisfy(\.isASCIIDigit) ? Int64(part) : nil }
        switch (parts[0].isEmpty, numbers[0], parts[1].isEmpty, numbers[1]) {
        case (true, _, false, .some(let last)):
            guard last > 0 else { return nil }
            self = FileRange(first: max(0, size - last), end: size, isAll: false)
        case (false, .some(let first), true, _):
            guard first < size else { return nil }
            self = FileRange(first: first, end: size, isAll: false)
        case (false, .some(let first), false, .some(let last)) where first <= last:
            guard first < size else { return nil }
            self = FileRange(first: first, end: min(last, size - 1) + 1, isAll: false)
        default: return
        }
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

/// Headers of replies about files. Pure.
enum FileHeaders {
    /// Allows requests from any page. The link itself gives the right, so no page can misuse a cookie.
    static let open = [
        HttpHeader(name: "Access-Control-Allow-Origin", value: "*"),
        HttpHeader(
            name: "Access-Control-Expose-Headers",
            value: "Upload-Offset, Upload-Length, Content-Range, Content-Disposition, ETag, X-Request-Id"),
        HttpHeader(name: "X-Content-Type-Options", value: "nosniff"),
    ]

    /// Makes a browser save the file without guessing its type or running any of it.
    static func ofDownload(_ file: Attachment, tag: String) -> [HttpHeader] {
        open + [
            HttpHeader(name: "Content-Type", value: file.mimeType),
            HttpHeader(name: "Content-Disposition", value: disposition(file.name)),
            HttpHeader(name: "Content-Security-Policy", value: "sandbox; default-src 'none'"),
            HttpHeader(name: "Cross-Origin-Resource-Policy", value: "cross-origin"),
            HttpHeader(name: "Referrer-Policy", value: "no-referrer"),
            HttpHeader(name: "Cache-Control", value: "private, max-age=86400, immutable"),
            HttpHeader(name: "Accept-Ranges", value: "bytes"),
            HttpHeader(name: "ETag", value: tag),
        ]
    }

    /// RFC 6266 with RFC 8187. The name consists only of letters, digits, `.`, `-`, `_` and %XX.
    static func disposition(_ name: String) -> String {
        var quoted = "attachment; filename*=UTF-8''"
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                quoted.unicodeScalars.append(Unicode.Scalar(byte))
            default: quoted += "%" + Hex.text([byte]).uppercased()
            }
        }
        return quoted
    }
}

/// A refusal over HTTP.
struct FileProblem: Error, Equatable {
    var status: UInt32
    var code: String
    var message: String
    var headers: [(String, String)] = []

    static func == (one: FileProblem, other: FileProblem) -> Bool {
        one.status == other.status && one.code == other.code
    }

    init(_ status: UInt32, _ code: String, _ message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    init(_ refusal: Refusal) {
        let status: UInt32 =
            switch refusal.code {
            case .tooLarge: 413
            case .invalid: 415
            case .rateLimited: 429
            case .internal: 500
            default: 403
            }
        self.init(status, refusal.code.rawValue, refusal.message)
    }

    init(_ failure: FileFailure) {
        switch failure {
        case .full: self.init(507, "unavailable", "There is no room for files at the moment. Try again later.")
        case .otherOffset(let received):
            self.init(409, "conflict", "The server has \(received) bytes of this file. Continue from there.")
            headers = [("Upload-Offset", "\(received)")]
        case .missing: self = .notFound
        case .unreachable: self.init(503, "unavailable", "Files cannot be reached at the moment. Try again shortly.")
        case .broken: self.init(500, "internal", "The server failed. Your request did not cause it. Try again later.")
        }
    }

    /// The same for a file that never existed and one that no longer exists.
    static let notFound = FileProblem(404, "not_found", "There is no such file.")
    static let expired = FileProblem(403, "link_expired", "This link has expired. Request a new one.")
    static let method = FileProblem(405, "invalid", "This link does not allow this method.")

    var reply: HttpReply {
        let json = "{\"code\":\"\(code)\",\"message\":\"\(message.removing(["\"", "\\"]))\"}"
        return HttpReply(
            status: status,
            headers: FileHeaders.open + headers.map { HttpHeader(name: $0.0, value: $0.1) } + [
                HttpHeader(name: "Content-Type", value: "application/json; charset=utf-8"),
                HttpHeader(name: "Content-Length", value: "\(json.utf8.count)"),
                HttpHeader(name: "Cache-Control", value: "no-store"),
            ], body: Array(json.utf8))
    }
}

extension String {
    /// Returns the text without some characters.
    fileprivate func removing(_ characters: Set<Character>) -> String { filter { !characters.contains($0) } }
}
