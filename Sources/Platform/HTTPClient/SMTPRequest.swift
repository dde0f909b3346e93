import CCurl

/// A mail of ``HTTPClient``, which libcurl sends by SMTP (RFC 5321), too.
public struct SMTPRequest: Sendable {
    /// How a connection to an smtp URL is encrypted, by STARTTLS. One to an smtps URL always is.
    public enum Security: String, CaseIterable, Sendable {
        case none
        case ifOffered = "if-offered"
        case required
    }

    /// "smtp://mail.example.com:587", or smtps.
    public var server: String
    /// Empty: without signing in.
    public var user: String
    public var password: String
    public var security: Security
    /// The addresses of the envelope, bare.
    public var from: String
    public var recipient: String
    /// Headers and body, with CRLF at the end of each line.
    public var message: [UInt8]

    public init(
        server: String, user: String = "", password: String = "", security: Security = .required, from: String,
        recipient: String, message: [UInt8]
    ) {
        (self.server, self.user, self.password, self.security) = (server, user, password, security)
        (self.from, self.recipient, self.message) = (from, recipient, message)
    }
}

/// Why a mail server did not take a mail.
public struct SMTPFailure: Error, CustomStringConvertible {
    /// The last reply code of the server; 0: none.
    public let reply: Int
    /// Whether another try with the same mail is of no use: the server says that it never takes it.
    public let isFinal: Bool
    public let description: String

    init(_ code: CURLcode, reply: Int, _ why: String) {
        self.reply = reply
        // Wrong passwords and missing encryption are mistakes of the operator, who corrects them.
        let isSetup = [CURLE_LOGIN_DENIED, CURLE_USE_SSL_FAILED, CURLE_PEER_FAILED_VERIFICATION].contains(code)
        isFinal = (550...556).contains(reply) && !isSetup
        description = reply == 0 ? why : "\(why) (the server said \(reply))"
    }
}
