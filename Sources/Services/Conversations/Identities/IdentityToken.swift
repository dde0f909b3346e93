import FoundationEssentials  // JSON only; ServiceKit links it anyway.
import Schema
import ServiceKit
import Signatures
import Wire

/// An ID token of OpenID Connect, taken apart and not yet believed: a JWT (RFC 7519) in its compact form. Pure.
///
/// What it says of how it is signed decides nothing by itself: the issuer's block lists algorithms, and each key has
/// its own. Keys, URLs and certificates in a header are not read.
struct IdentityToken {
    /// As long as the contract allows.
    static let bytesMax = 16_384
    private static let keyBytesMax = 256
    /// The signature of RSA with 4,096 bits has 512.
    private static let signatureBytesMax = 1024

    let algorithm: String
    /// Which of the issuer's keys signed; nil if the token does not say.
    let key: String?
    let claims: Claims
    let signature: [UInt8]
    /// What is signed.
    let message: [UInt8]

    private struct Header: Decodable {
        var alg: String
        var kid: String?
        var typ: String?
        var crit: Anything?
    }

    /// Says only that there is something.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// - Throws: ``Refusal`` `token_malformed`.
    init(_ text: String) throws(Refusal) {
        guard text.utf8.count <= Self.bytesMax else { throw .tokenMalformed("it is too long") }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        // Five parts are an encrypted token, which no public key opens.
        guard parts.count == 3, let head = Base64URL.decode(parts[0]), let body = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), signature.count <= Self.signatureBytesMax
        else { throw .tokenMalformed("it does not have three parts in base64url") }
        guard let header = try? JSONDecoder().decode(Header.self, from: Data(head)) else {
            throw .tokenMalformed("its header is no JSON object with \"alg\"")
        }
        guard header.crit == nil else { throw .tokenMalformed("its header asks for extensions (\"crit\")") }
        // Not a token for other purposes, such as one for access or for signing out.
        guard header.typ.map({ $0.lowercased() == "jwt" }) ?? true else {
            throw .tokenMalformed("its type is not \"JWT\"")
        }
        guard header.kid.map({ $0.utf8.count <= Self.keyBytesMax }) ?? true else {
            throw .tokenMalformed("the name of its key is too long")
        }
        do {
            claims = try JSONDecoder().decode(Claims.self, from: Data(body))
        } catch {
            throw .tokenMalformed(
                "it lacks \"iss\", \"sub\", \"aud\", \"exp\" or \"iat\", or one is not what it must be")
        }
        guard claims.isPlain else {
            throw .tokenMalformed("its \"sub\" or \"iss\" is empty, too long or not plain text")
        }
        (algorithm, key, self.signature) = (header.alg, header.kid, signature)
        message = Array(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
    }

    /// Two tokens with the same are one. Not of the signature, of which ECDSA has two for each message.
    var hash: [UInt8] {
        if let id = claims.id { return Sodium.hash(Array("id \(claims.issuer) \(id)".utf8)) }
        return Sodium.hash(Array("token ".utf8) + message)
    }

    /// What a token says of a person. Times are whole seconds since 1970.
    struct Claims: Decodable {
        private static let subjectBytesMax = 255
        private static let issuerBytesMax = 512

        var issuer: String
        var subject: String
        var audiences: [String]
        var party: String?
        var expiresAt: Int64
        var issuedAt: Int64
        var notBefore: Int64?
        var nonce: String?
        var id: String?
        /// By their names, such as "email" and "preferred_username"; only those of ``textKeys``.
        var texts: [String: String]
        var isEmailVerified: Bool

        fileprivate var isPlain: Bool {
            func isPlain(_ text: String, _ max: Int) -> Bool {
                (1...max).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            }
            return isPlain(subject, Self.subjectBytesMax) && isPlain(issuer, Self.issuerBytesMax)
        }
    }
}

extension IdentityToken.Claims {
    /// The claims about a person that may become their name, and the ways in which issuers spell them.
    static let textKeys = [
        "email", "name", "given_name", "family_name", "nickname", "preferred_username", "upn", "picture",
    ]

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        func seconds(_ name: String) throws -> Int64 {
            // RFC 7519 allows fractions.
            guard let time = Int64(exactly: try fields.decode(Double.self, forKey: Key(name)).rounded(.down)),
                (0...Int64(UInt32.max) * 4).contains(time)
            else {
                throw DecodingError.dataCorruptedError(forKey: Key(name), in: fields, debugDescription: "no time")
            }
            return time
        }
        issuer = try fields.decode(String.self, forKey: Key("iss"))
        subject = try fields.decode(String.self, forKey: Key("sub"))
        if let one = try? fields.decode(String.self, forKey: Key("aud")) {
            audiences = [one]
        } else {
            audiences = try fields.decode([String].self, forKey: Key("aud"))
        }
        party = try fields.decodeIfPresent(String.self, forKey: Key("azp"))
        expiresAt = try seconds("exp")
        issuedAt = try seconds("iat")
        notBefore = fields.contains(Key("nbf")) ? try seconds("nbf") : nil
        nonce = try fields.decodeIfPresent(String.self, forKey: Key("nonce"))
        id = try fields.decodeIfPresent(String.self, forKey: Key("jti")).flatMap { $0.isEmpty ? nil : $0 }
        texts = [:]
        // What is not text says nothing about a person.
        for name in Self.textKeys {
            guard let text = try? fields.decode(String.self, forKey: Key(name)), !text.isEmpty else { continue }
            texts[name] = text
        }
        // Apple writes it as text.
        let verified = Key("email_verified")
        let isVerified = (try? fields.decode(Bool.self, forKey: verified)) ?? false
        isEmailVerified = isVerified || (try? fields.decode(String.self, forKey: verified)) == "true"
    }
}

extension Refusal {
    /// - Parameter why: completes "This is no token that this server can read: …".
    static func tokenMalformed(_ why: String) -> Refusal {
        Refusal(.tokenMalformed, "This is no token that this server can read: \(why).", field: "token")
    }
}
