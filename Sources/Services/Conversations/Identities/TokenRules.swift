import Schema
import ServiceKit
import Signatures
import Wire

/// Decides whether a token whose issuer is known may sign somebody in. Pure.
enum TokenRules {
    /// How far the clocks of an issuer and of this server may differ.
    static let skew: Duration = .seconds(60)
    /// A token counts for a day at most, whatever it says of itself. So long it has to be remembered.
    static let lifetimeMax: Duration = .seconds(86_400)

    /// The algorithm of a token, if the issuer's block allows it. "none" and HS256, whose key would be the public one,
    /// are never allowed.
    /// - Throws: ``Refusal`` `token_algorithm_refused`.
    static func algorithm(of token: IdentityToken, from issuer: IssuerBlock) throws(Refusal) -> SignatureAlgorithm {
        guard let algorithm = SignatureAlgorithm(rawValue: token.algorithm), issuer.algorithms.contains(algorithm)
        else {
            let names = issuer.algorithms.map(\.rawValue).joined(separator: ", ")
            throw Refusal(
                .tokenAlgorithmRefused, "Tokens of \(issuer.name) must be signed by one of: \(names).", field: "token")
        }
        return algorithm
    }

    /// Checks what a token with a right signature says.
    /// - Parameter nonce: what the app chose; empty: nothing.
    /// - Throws: ``Refusal`` `token_not_for_us`, `token_expired`, `token_not_yet_valid`, `token_nonce_wrong`.
    static func check(
        _ claims: IdentityToken.Claims, from issuer: IssuerBlock, nonce: String, at now: Timestamp
    ) throws(Refusal) {
        try checkAudience(claims, issuer)
        guard ends(claims) > now else {
            throw Refusal(
                .tokenExpired, "This token of \(issuer.name) is too old. Get a new one and try again.", field: "token")
        }
        for start in [claims.issuedAt, claims.notBefore ?? 0] where Timestamp(start * 1_000_000) - skew > now {
            throw Refusal(
                .tokenNotYetValid,
                "This token of \(issuer.name) is from the future. Check the clocks of server and issuer.",
                field: "token")
        }
        try checkNonce(claims, issuer, nonce)
    }

    /// From when on a token is refused.
    static func ends(_ claims: IdentityToken.Claims) -> Timestamp {
        let says = Timestamp(claims.expiresAt * 1_000_000)
        return min(says, Timestamp(claims.issuedAt * 1_000_000) + lifetimeMax) + skew
    }

    private static func checkAudience(_ claims: IdentityToken.Claims, _ issuer: IssuerBlock) throws(Refusal) {
        let isForUs = claims.audiences.contains(where: issuer.audiences.contains)
        // Of several audiences one asked for the token, and it must be one of ours.
        let askedByUs = claims.party.map(issuer.audiences.contains) ?? (claims.audiences.count == 1)
        guard isForUs, askedByUs else {
            throw Refusal(
                .tokenNotForUs,
                "This token of \(issuer.name) is for another app. Whoever runs this server lists the ids of its apps "
                    + "as audiences.", field: "token")
        }
    }

    private static func checkNonce(
        _ claims: IdentityToken.Claims, _ issuer: IssuerBlock, _ nonce: String
    ) throws(Refusal) {
        let expected: String
        switch issuer.nonce {
        case .none: return
        case .plain: expected = nonce
        case .sha256: expected = nonce.isEmpty ? "" : Hex.text(Sodium.sha256(of: Array(nonce.utf8)))
        }
        let isRight = claims.nonce ?? "" == expected
        guard isRight, !issuer.needsNonce || !expected.isEmpty else {
            throw Refusal(
                .tokenNonceWrong, "The nonce of this token of \(issuer.name) is not the one of the request.",
                field: "nonce")
        }
    }
}
