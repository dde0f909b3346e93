import ParleyClient

/// Signing in with what people have elsewhere, and what signs me in.
extension Parley {
    /// Signs this device in with an ID token of one of the server's issuers, such as Apple's, Google's or Firebase's.
    /// The first token of a person makes their account.
    ///
    ///     try await parley.signIn(identityToken: identityToken, displayName: "Dana Miller")
    ///
    /// - Parameters:
    ///   - identityToken: as the issuer gave it. It signs in one device: for another, get another.
    ///   - nonce: what the app chose when it asked for the token; empty: nothing.
    ///   - displayName: for a new account whose token has no name. Apple gives it to the app, once.
    ///   - deviceName: how I recognize it among my devices.
    ///   - code: a code of whoever runs the server, where a new account takes one.
    ///   - proof: a token of ``registrationPage()``, where a new account takes one. Work is done without it.
    /// - Throws: `issuer_unknown`; `token_expired`, `token_used` and the other codes that begin with `token_`;
    ///   `account_suspended`; for somebody new `registration_closed`, `registration_code_refused`, `proof_required`.
    public func signIn(
        identityToken: String, nonce: String = "", displayName: String = "", deviceName: String = "",
        code: String = "", proof: String = ""
    ) async throws(Refusal) {
        try await enter { client throws(ParleyError) in
            try await client.signIn(
                identityToken: identityToken, nonce: nonce, displayName: displayName, deviceName: deviceName,
                code: code, proof: proof)
        }
    }

    /// Returns the issuers whose tokens sign people in on this server; also for somebody who is not signed in.
    /// - Throws: `offline` without a connection.
    public func identityIssuers() async throws(Refusal) -> [IdentityIssuer] {
        try await askAsAnyone { client throws(ParleyError) in try await client.issuers().map(IdentityIssuer.init) }
    }

    /// Returns what signs me in.
    /// - Throws: `offline` without a connection.
    public func waysIn() async throws(Refusal) -> WaysIn {
        try await ask { client throws(ParleyError) in WaysIn(try await client.identities()) }
    }

    /// Adds an identity, which signs me in from now on.
    /// - Parameters:
    ///   - identityToken: a token of it.
    ///   - nonce: what the app chose when it asked for the token; empty: nothing.
    ///   - owner: what shows that I ask.
    /// - Returns: what signs me in afterwards.
    /// - Throws: `identity_in_use` if it signs somebody else in; `too_many_identities`; those of ``OwnerProof``;
    ///   `offline` without a connection.
    @discardableResult
    public func linkIdentity(
        token identityToken: String, nonce: String = "", owner: OwnerProof
    ) async throws(Refusal) -> WaysIn {
        try await ask { client throws(ParleyError) in
            WaysIn(try await client.linkIdentity(token: identityToken, nonce: nonce, owner: owner.inContract))
        }
    }

    /// Removes an identity, which then signs nobody in. My devices stay signed in.
    /// - Throws: `not_found`; `last_way_in` if nothing else signs me in; those of ``OwnerProof``; `offline` without a
    ///   connection.
    public func unlinkIdentity(_ identity: Identity.ID, owner: OwnerProof) async throws(Refusal) {
        try await ask { client throws(ParleyError) in
            try await client.unlinkIdentity(identity, owner: owner.inContract)
        }
    }

    /// Changes my password, or sets my first one.
    /// - Parameters:
    ///   - owner: what shows that I ask: my password as it is, or a token of one of my identities.
    ///   - endingOtherDevices: signs out all my devices but this one.
    /// - Throws: `invalid` for a password of fewer than 8 characters; those of ``OwnerProof``; `offline` without a
    ///   connection.
    public func changePassword(
        to newPassword: String, owner: OwnerProof, endingOtherDevices: Bool = false
    ) async throws(Refusal) {
        try await ask { client throws(ParleyError) in
            try await client.changePassword(
                to: newPassword, owner: owner.inContract, endingOtherDevices: endingOtherDevices)
        }
    }
}
