import Schema
import ServiceKit
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

extension HTTPProblem {
    /// The problem of a file that is not what it was declared to be.
    static func ofContent(_ refusal: Refusal) -> HTTPProblem {
        refusal.code == .invalid
            ? HTTPProblem(415, refusal.code, refusal.message) : HTTPProblem(refusal)
    }

    init(_ failure: FileFailure) {
        switch failure {
        case .full: self.init(507, .unavailable, "There is no room for files at the moment. Try again later.")
        case .otherOffset(let received):
            self.init(
                409, .conflict, "The server has \(received) bytes of this file. Continue from there.",
                headers: [HttpHeader(name: "Upload-Offset", value: "\(received)")])
        case .missing: self = .noFile
        case .unreachable: self.init(.unavailable("Files cannot be reached at the moment. Try again shortly."))
        case .broken: self.init(.internal)
        }
    }

    /// The same for a file that never existed and one that no longer exists.
    static let noFile = HTTPProblem(404, .notFound, "There is no such file.")
    static let expired = HTTPProblem(403, .linkExpired, "This link has expired. Request a new one.")
    static let method = HTTPProblem(405, .invalid, "This link does not allow this method.")
}
