import Foundation
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

    /// Begins a sign-in on the page of an issuer: show its address in a browser, such as an
    /// `ASWebAuthenticationSession`, then give what came back to
    /// ``signIn(_:returned:displayName:deviceName:code:proof:)``.
    ///
    ///     let page = try parley.signInPage(of: issuer.name, returningTo: "org.example.chat:/signed-in")
    ///     let returned = try await browse(page.url)
    ///     try await parley.signIn(page, returned: returned)
    ///
    /// - Parameters:
    ///   - issuer: one of ``signInOffers()`` that has a page.
    ///   - returnAddress: one of those that whoever runs the server lists for it.
    /// - Throws: `unsupported_url` if the server's address is none.
    public func signInPage(of issuer: String, returningTo returnAddress: String) throws(Refusal) -> SignInPage {
        do throws(ParleyError) {
            return try SignInPage(PageSignIn(server: server, issuer: issuer, returningTo: returnAddress))
        } catch {
            throw Refusal(error)
        }
    }

    /// Signs this device in with what a page brought back.
    /// - Parameters:
    ///   - page: what ``signInPage(of:returningTo:)`` returned.
    ///   - returned: the address to which the browser came back. It is good for a minute, once.
    ///   - displayName: for a new account of whom the issuer tells no name.
    ///   - deviceName: how I recognize it among my devices.
    ///   - code: a code of whoever runs the server, where a new account takes one.
    ///   - proof: a token of ``registrationPage()``, where a new account takes one. Work is done without it.
    /// - Throws: `sign_in_refused` if I went back, or the issuer refused; `link_expired` if it took too long;
    ///   `code_refused`; the codes that begin with `token_`; `account_suspended`; for somebody new
    ///   `registration_closed`, `registration_code_refused`, `proof_required`.
    public func signIn(
        _ page: SignInPage, returned: URL, displayName: String = "", deviceName: String = "", code: String = "",
        proof: String = ""
    ) async throws(Refusal) {
        try await enter { client throws(ParleyError) in
            try await client.signIn(
                page: page.begun, code: PageSignIn.code(in: returned.absoluteString), displayName: displayName,
                deviceName: deviceName, registrationCode: code, proof: proof)
        }
    }

    /// Returns the ways besides passwords in which people sign in on this server; also for somebody who is not signed
    /// in.
    /// - Throws: `offline` without a connection.
    public func signInOffers() async throws(Refusal) -> SignInOffers {
        try await askAsAnyone { client throws(ParleyError) in SignInOffers(try await client.signInOffers()) }
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

    /// Adds an identity with what its page brought back. It signs me in from now on.
    ///
    ///     let page = try parley.signInPage(of: issuer.name, returningTo: "org.example.chat:/signed-in")
    ///     let returned = try await browse(page.url)
    ///     try await parley.linkIdentity(page, returned: returned, owner: .password(password))
    ///
    /// - Parameters:
    ///   - page: what ``signInPage(of:returningTo:)`` returned.
    ///   - returned: the address to which the browser came back. It is good for a minute, once.
    ///   - owner: what shows that I ask.
    /// - Returns: what signs me in afterwards.
    /// - Throws: `sign_in_refused`, `link_expired` and `code_refused`, as
    ///   ``signIn(_:returned:displayName:deviceName:code:proof:)``; those of
    ///   ``linkIdentity(token:nonce:owner:)``.
    @discardableResult
    public func linkIdentity(_ page: SignInPage, returned: URL, owner: OwnerProof) async throws(Refusal) -> WaysIn {
        try await ask { client throws(ParleyError) in
            let code = try PageSignIn.code(in: returned.absoluteString)
            return WaysIn(try await client.linkIdentity(page: page.begun, code: code, owner: owner.inContract))
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

/// Guests, and codes that are mailed.
extension Parley {
    /// Signs this device in as a guest: at once, without username and password. I keep everything when I get a way in
    /// by ``upgrade(username:password:)`` or ``linkIdentity(token:nonce:owner:)``; until then only this device is me.
    ///
    ///     try await parley.continueAsGuest()
    ///
    /// - Parameters:
    ///   - displayName: empty: "Guest" and a number.
    ///   - deviceName: how I recognize it among my devices.
    ///   - code: a code of whoever runs the server, where registering takes one.
    ///   - proof: a token of ``registrationPage()``, where registering takes one. Work is done without it.
    /// - Throws: `invalid` where the server takes no guests; otherwise as
    ///   ``register(username:password:displayName:deviceName:code:proof:)``.
    public func continueAsGuest(
        displayName: String = "", deviceName: String = "", code: String = "", proof: String = ""
    ) async throws(Refusal) {
        try await enter { client throws(ParleyError) in
            try await client.registerGuest(
                displayName: displayName, deviceName: deviceName, code: code, proof: proof)
        }
    }

    /// Gives me, a guest, a username and a password.
    ///
    ///     if parley.profile?.isGuest == true { try await parley.upgrade(username: username, password: password) }
    ///
    /// - Throws: `username_taken`; `invalid`; `owner_unproven` if I am no guest; `offline` without a connection.
    public func upgrade(username: String, password: String) async throws(Refusal) {
        try await ask { client throws(ParleyError) in
            try await client.changePassword(to: password, owner: .guest, username: username)
        }
    }

    /// Mails a code for a new password to whoever confirmed this address; also for somebody who is not signed in. The
    /// answer is the same for all addresses.
    /// - Throws: `invalid`; `mail_off`; `rate_limited`; `offline` without a connection.
    public func requestPasswordReset(email: String) async throws(Refusal) {
        try await askAsAnyone { client throws(ParleyError) in try await client.requestPasswordReset(email: email) }
    }

    /// Sets a new password with a mailed code. All devices of the account are signed out.
    /// - Parameters:
    ///   - email: where the code was mailed.
    ///   - code: as people type it.
    /// - Throws: `code_refused`; `invalid`; `mail_off`; `rate_limited`; `offline` without a connection.
    public func resetPassword(email: String, code: String, newPassword: String) async throws(Refusal) {
        try await askAsAnyone { client throws(ParleyError) in
            try await client.resetPassword(email: email, code: code, newPassword: newPassword)
        }
    }

    /// Mails a code to the address in my profile, with which I confirm that it is mine.
    ///
    ///     try await parley.requestEmailCode()
    ///
    /// - Throws: `invalid` without an address; `guest_may_not`; `mail_off`; `rate_limited`; `offline` without a
    ///   connection.
    public func requestEmailCode() async throws(Refusal) {
        try await ask { client throws(ParleyError) in try await client.requestEmailCode() }
    }

    /// Confirms the address in my profile with a mailed code. ``Profile/isEmailConfirmed`` then says so.
    ///
    ///     try await parley.confirmEmail(code: code)
    ///
    /// - Throws: `code_refused`; `mail_off`; `rate_limited`; `offline` without a connection.
    public func confirmEmail(code: String) async throws(Refusal) {
        try await ask { client throws(ParleyError) in _ = try await client.confirmEmail(code: code) }
    }

    // MARK: Another device

    /// Begins to sign this device in by another one of mine: show ``DeviceLink/code`` as a QR code, then call
    /// ``signIn(_:)``.
    /// - Parameter deviceName: how I recognize it among my devices, and before I approve it.
    /// - Throws: `rate_limited`; `offline` without a connection.
    public func beginDeviceLink(deviceName: String = "") async throws(Refusal) -> DeviceLink {
        try await askAsAnyone { client throws(ParleyError) in
            DeviceLink(begun: try await client.beginDeviceLink(deviceName: deviceName))
        }
    }

    /// Signs this device in as soon as I approve it on the other one, by ``approveDevice(code:)`` there.
    /// - Throws: `code_refused` when its two minutes are over; `cancelled`; `offline` without a connection.
    public func signIn(_ link: DeviceLink) async throws(Refusal) {
        try await enter { client throws(ParleyError) in
            while true {
                do throws(ParleyError) {
                    return try await client.finishDeviceLink(link.begun)
                } catch {
                    guard error.hasCode(.linkPending) else { throw error }
                    do { try await Task.sleep(for: .milliseconds(max(500, error.retryAfterMs))) } catch {
                        throw .cancelled
                    }
                }
            }
        }
    }

    /// Returns the device that shows this code, to look at before I approve it.
    /// - Throws: `code_refused`; `offline` without a connection.
    public func deviceToApprove(code: String) async throws(Refusal) -> DeviceToApprove {
        try await ask { client throws(ParleyError) in DeviceToApprove(try await client.deviceLink(code)) }
    }

    /// Signs the device in that shows this code.
    /// - Throws: `code_refused`; `offline` without a connection.
    public func approveDevice(code: String) async throws(Refusal) {
        try await ask { client throws(ParleyError) in try await client.approveDeviceLink(code) }
    }
}
