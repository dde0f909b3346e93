import FoundationEssentials  // JSON only; swift-configuration links it anyway.
import Signatures

/// Why a file with a key cannot be used: which file, and what is wrong in it.
public struct PushKeyProblem: Error, Equatable, CustomStringConvertible {
    public let description: String

    init(_ file: String, _ problem: String) { description = "\(file): \(problem)" }
}

/// A key for Apple's push service, which signs for all apps of a team.
public struct APNsKey: Sendable {
    let key: SigningKey
    let keyID: String
    let teamID: String

    /// - Parameters:
    ///   - pem: the file `AuthKey_….p8` from Apple's developer site.
    ///   - file: its path, for complaints.
    ///   - keyID, teamID: ten letters and digits each, as the site shows them.
    /// - Throws: ``PushKeyProblem``.
    public init(pem: [UInt8], file: String, keyID: String, teamID: String) throws(PushKeyProblem) {
        for (id, what) in [(keyID, "key id"), (teamID, "team id")] {
            guard id.utf8.count == 10, id.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) }) else {
                throw PushKeyProblem(file, "the \(what) “\(id.prefix(40))” must be ten digits and capital letters")
            }
        }
        (self.keyID, self.teamID) = (keyID, teamID)
        key = try SigningKey.p256(pem, file, "the .p8 file that Apple's developer site gave for key \(keyID)")
    }
}

/// The key by which browsers know who sends (RFC 8292).
public struct VAPIDKey: Sendable {
    let key: SigningKey
    let contact: String

    /// - Parameters:
    ///   - pem: a private key on P-256.
    ///   - file: its path, for complaints.
    ///   - contact: where push services reach the operator: `mailto:ADDRESS` or an https URL.
    /// - Throws: ``PushKeyProblem``.
    public init(pem: [UInt8], file: String, contact: String) throws(PushKeyProblem) {
        let address = contact.dropFirst("mailto:".count)
        let isMail = contact.hasPrefix("mailto:") && address.contains("@") && address.first != "@"
        let isPage = contact.hasPrefix("https://") && contact.utf8.count > "https://".utf8.count
        guard isMail || isPage, contact.utf8.allSatisfy({ 33...126 ~= $0 }), contact.utf8.count <= 256 else {
            throw PushKeyProblem(
                file, "its contact “\(contact.prefix(80))” must be mailto: and an address, or an https URL")
        }
        self.contact = contact
        key = try SigningKey.p256(pem, file, "one that openssl genpkey made")
    }

    /// What a page passes to `PushManager.subscribe` as `applicationServerKey`.
    public var publicKey: String { key.point.base64URL }
    /// The same as bytes: a point of P-256, uncompressed.
    public var publicKeyBytes: [UInt8] { key.point }

    /// Makes a new key.
    /// - Returns: the file's content, to keep secret, and the public key as ``publicKey`` has it.
    public static func make() -> (pem: String, publicKey: String) {
        let key = SigningKey.makeP256()
        return (key.pem, key.point.base64URL)
    }
}

/// An account of Google's that may send messages for a Firebase project.
public struct FCMAccount: Sendable {
    let key: SigningKey
    let keyID: String
    let email: String
    let project: String
    let tokenURL: String

    private struct Content: Decodable {
        var type: String?
        var project_id: String?
        var private_key_id: String?
        var private_key: String?
        var client_email: String?
        var token_uri: String?
    }

    /// - Parameters:
    ///   - json: the file that the Firebase console makes under “Service accounts”.
    ///   - file: its path, for complaints.
    /// - Throws: ``PushKeyProblem``.
    public init(json: [UInt8], file: String) throws(PushKeyProblem) {
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(json)) else {
            throw PushKeyProblem(file, "it is not the JSON of a service account; make one in the Firebase console")
        }
        guard content.type == "service_account" else {
            let type = (content.type ?? "").prefix(40)
            throw PushKeyProblem(
                file, "its “type” is “\(type)”, not “service_account”; make a key in the Firebase console")
        }
        func text(_ value: String?, _ name: String, _ max: Int) throws(PushKeyProblem) -> String {
            guard let value, !value.isEmpty, value.utf8.count <= max, value.utf8.allSatisfy({ 33...126 ~= $0 }) else {
                throw PushKeyProblem(file, "“\(name)” is missing, too long or has characters that none has")
            }
            return value
        }
        project = try text(content.project_id, "project_id", 64)
        guard PushAddresses.isPathPiece(project) else {
            throw PushKeyProblem(file, "“project_id” must have letters, digits, hyphens, dots and colons only")
        }
        keyID = try text(content.private_key_id, "private_key_id", 128)
        email = try text(content.client_email, "client_email", 256)
        tokenURL = try text(content.token_uri, "token_uri", 256)
        guard tokenURL.hasPrefix("https://") else { throw PushKeyProblem(file, "“token_uri” must be an https URL") }
        guard let key = SigningKey(pem: Array((content.private_key ?? "").utf8)) else {
            throw PushKeyProblem(file, "“private_key” is not a private key in PEM")
        }
        guard case .rsa(let bits) = key.kind, 2048...8192 ~= bits else {
            throw PushKeyProblem(file, "“private_key” must be an RSA key of 2,048 to 8,192 bits")
        }
        self.key = key
    }
}

extension SigningKey {
    fileprivate static func p256(
        _ pem: [UInt8], _ file: String, _ origin: String
    ) throws(PushKeyProblem) -> SigningKey {
        guard let key = SigningKey(pem: pem) else {
            throw PushKeyProblem(file, "it is not a private key in PEM without a password; give \(origin)")
        }
        guard key.kind == .p256 else { throw PushKeyProblem(file, "its key is not on P-256; give \(origin)") }
        return key
    }
}
