import Foundation

/// A sign-in on a page of an issuer: the address to show in a browser, and the secret with which this device then signs
/// in. The return address gets a code of the server, or an error.
public struct PageSignIn: Hashable, Sendable {
    /// What the browser shows.
    public let url: String
    /// Goes with the code to ``ParleyClient/signIn(page:code:displayName:deviceName:registrationCode:proof:id:)``, and
    /// nowhere else.
    public let verifier: String

    /// Begins one. Nothing is asked of the server yet.
    /// - Parameters:
    ///   - server: "wss://host:port", or "ws://host:port" without TLS.
    ///   - issuer: the operator's word for it, as ``ParleyClient/signInOffers()`` returns it.
    ///   - returnAddress: one of those that the operator lists for this issuer.
    /// - Throws: ``ParleyError`` with code `unsupported_url`.
    public init(server: String, issuer: String, returningTo returnAddress: String) throws(ParleyError) {
        let address = try LinkAddress(server)
        var random = SystemRandomNumberGenerator()
        verifier = Self.base64URL((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
        var hash = SHA256()
        hash.update(Array(verifier.utf8))
        let digest = hash.finish()
        let challenge = Self.base64URL(
            digest.indices.flatMap { withUnsafeBytes(of: digest[$0].bigEndian, Array.init) })
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: plain) ?? "" }
        url =
            "\(address.isSecure ? "https" : "http")://\(address.authority)/v1/identity/\(encoded(issuer))/start"
            + "?return=\(encoded(returnAddress))&challenge=\(challenge)"
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    /// Returns the code that the return address got.
    /// - Parameter returned: the address to which the browser came back, or its path and query.
    /// - Throws: ``ParleyError`` with the error that it got instead, such as `sign_in_refused`.
    public static func code(in returned: String) throws(ParleyError) -> String {
        let items = URLComponents(string: returned)?.queryItems ?? []
        if let code = items.first(where: { $0.name == "code" })?.value, !code.isEmpty { return code }
        let error = items.first { $0.name == "error" }?.value ?? ""
        // Anybody can open the return address: only what may be a code of the server is one.
        let isCode = (1...64).contains(error.utf8.count) && error.allSatisfy { $0 == "_" || ("a"..."z").contains($0) }
        let message = "The page signed nobody in. Begin again."
        throw isCode ? ParleyError(code: error, message: message) : ParleyError(.signInRefused, message)
    }
}
