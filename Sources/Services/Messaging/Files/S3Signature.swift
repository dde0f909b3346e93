import ServiceKit

/// AWS Signature Version 4 for S3, sent in the headers of a request. Pure.
struct S3Signature: Sendable {
    var region: String
    var keyID: String
    var secret: String

    /// Returns the value of the `Authorization` header.
    /// - Parameters:
    ///   - path: contains only letters, digits and `/-._`.
    ///   - headers: all headers to sign, with names in lower case. Includes host, x-amz-content-sha256 and x-amz-date.
    ///   - payload: SHA-256 of the body in hexadecimal digits, as in x-amz-content-sha256.
    ///   - time: seconds since 1970, as in x-amz-date.
    func authorization(
        _ method: String, path: String, headers: [(name: String, value: String)], payload: String, time: Int64
    ) -> String {
        let headers = headers.sorted { $0.name < $1.name }
        let names = headers.map(\.name).joined(separator: ";")
        let lines = headers.map { "\($0.name):\($0.value)\n" }.joined()
        let request = "\(method)\n\(path)\n\n\(lines)\n\(names)\n\(payload)"
        let stamp = Self.stamp(time)
        let scope = "\(stamp.prefix(8))/\(region)/s3/aws4_request"
        let text = "AWS4-HMAC-SHA256\n\(stamp)\n\(scope)\n\(Self.hash(Array(request.utf8)))"
        var key = Array("AWS4\(secret)".utf8)
        for word in [String(stamp.prefix(8)), region, "s3", "aws4_request"] {
            key = Sodium.hmacSHA256(Array(word.utf8), key: key)
        }
        let signature = Hex.text(Sodium.hmacSHA256(Array(text.utf8), key: key))
        return "AWS4-HMAC-SHA256 Credential=\(keyID)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
    }

    static func hash(_ bytes: [UInt8]) -> String {
        var next: [UInt8]? = bytes
        return Hex.text(
            Sodium.sha256 {
                defer { next = nil }
                return next ?? []
            })
    }

    /// Formats a time as "20130524T000000Z".
    static func stamp(_ time: Int64) -> String {
        let (day, second) = (time / 86_400, time % 86_400)
        let date = civil(day)
        return pad(date.year, 4) + pad(date.month, 2) + pad(date.day, 2) + "T" + pad(second / 3600, 2)
            + pad(second / 60 % 60, 2) + pad(second % 60, 2) + "Z"
    }

    private static func pad(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Returns the date of a day counted from 1970-01-01, not before it. Computes with years that begin in March, of
    /// which 400 have 146,097 days.
    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let ofEra = shifted % 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * ofYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }
}
