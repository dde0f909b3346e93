import SwiftProtobuf

/// Signing in with what people have elsewhere, and the ways in to an account. All functions throw ``ParleyError``;
/// `conversations.proto` lists the refusals of each request.
extension ParleyClient {
    /// Returns the issuers whose tokens sign people in on this server, such as Apple's and Google's, and whether guests
    /// may come.
    public func signInOffers() async throws(ParleyError) -> Parley_V1_ListIssuersReply {
        try await call(ConversationsMethods.listIssuers, .init())
    }

    /// Signs this device in with an ID token, and stores its credentials. The first token of a person makes their
    /// account. Each token signs in one device: for another, get another.
    /// - Parameters:
    ///   - identityToken: as the issuer gave it.
    ///   - nonce: what the app chose when it asked for the token; empty: nothing.
    ///   - displayName: for a new account whose token has no name, as Apple's have none.
    ///   - code: a code of the operator, where a new account takes one.
    ///   - proof: a token of the page that ``challenge()`` names, where a new account takes one. Where it takes work,
    ///     this function does the work, which can take some seconds.
    ///   - id: the id of the request; nil: a new one.
    @discardableResult
    public func signIn(
        identityToken: String, nonce: String = "", displayName: String = "", deviceName: String = "",
        code: String = "", proof: String = "", id: UUIDv7? = nil
    ) async throws(ParleyError) -> Parley_V1_SignedIn {
        var request = Parley_V1_SignInWithTokenRequest()
        request.id = .init((id ?? newID()).bytes)
        (request.token, request.nonce, request.deviceName) = (identityToken, nonce, deviceName)
        (request.displayName, request.code, request.proof) = (displayName, code, proof)
        let signedIn = try await signedIn(request)
        try await adopt(signedIn)
        return signedIn
    }

    private func signedIn(_ first: Parley_V1_SignInWithTokenRequest) async throws(ParleyError) -> Parley_V1_SignedIn {
        var request = first
        var hash = SHA256()
        hash.update(Array(first.token.utf8))
        let digest = hash.finish()
        let name = digest.indices.flatMap { withUnsafeBytes(of: digest[$0].bigEndian, Array.init) }.hexDigits
        return try await working(for: name, proof: first.proof) { proof throws(ParleyError) in
            request.proof = proof
            return try await call(ConversationsMethods.signInWithToken, key: name, request)
        }
    }

    /// Makes a request that takes work for a new account, where it does. Work that is done too late is done once more.
    /// - Parameter given: what the caller gives instead; empty: nothing.
    private func working(
        for name: String, proof given: String,
        _ request: (String) async throws(ParleyError) -> Parley_V1_SignedIn
    ) async throws(ParleyError) -> Parley_V1_SignedIn {
        var proof = given
        for _ in 1...2 {
            do throws(ParleyError) {
                return try await request(proof)
            } catch {
                guard error.hasCode(.proofRequired), given.isEmpty else { throw error }
                let challenge = try await challenge()
                guard challenge.kind == .work else { throw error }
                proof = try await work(challenge, for: name)
            }
        }
        return try await request(proof)
    }

    /// Signs this device in with the code that its return address got from a page, and stores its credentials. The
    /// first time it makes the person's account.
    /// - Parameters:
    ///   - page: what began it.
    ///   - code: as ``PageSignIn/code(in:)`` returns it. It is good for a minute, once.
    ///   - displayName: for a new account of whom the issuer tells no name.
    ///   - registrationCode: a code of the operator, where a new account takes one.
    ///   - proof: a token of the page that ``challenge()`` names, where a new account takes one. Where it takes work,
    ///     this function does the work, which can take some seconds.
    ///   - id: the id of the request; nil: a new one.
    @discardableResult
    public func signIn(
        page: PageSignIn, code: String, displayName: String = "", deviceName: String = "",
        registrationCode: String = "", proof: String = "", id: UUIDv7? = nil
    ) async throws(ParleyError) -> Parley_V1_SignedIn {
        var request = Parley_V1_SignInWithCodeRequest()
        request.id = .init((id ?? newID()).bytes)
        (request.code, request.verifier, request.deviceName) = (code, page.verifier, deviceName)
        (request.displayName, request.registrationCode) = (displayName, registrationCode)
        let signedIn = try await working(for: code, proof: proof) { proof throws(ParleyError) in
            request.proof = proof
            return try await call(ConversationsMethods.signInWithCode, key: "", request)
        }
        try await adopt(signedIn)
        return signedIn
    }

    /// Returns the identities that sign me in, and whether a password does.
    public func identities() async throws(ParleyError) -> Parley_V1_ListIdentitiesReply {
        try await call(ConversationsMethods.listIdentities, key: user, .init())
    }

    /// Adds an identity that signs me in from now on.
    /// - Parameters:
    ///   - identityToken: a token of it.
    ///   - nonce: what the app chose when it asked for the token.
    ///   - owner: what shows that I ask.
    /// - Returns: my identities afterwards.
    @discardableResult
    public func linkIdentity(
        token identityToken: String, nonce: String = "", owner: Parley_V1_OwnerProof
    ) async throws(ParleyError) -> Parley_V1_ListIdentitiesReply {
        var request = Parley_V1_LinkIdentityRequest()
        (request.token, request.nonce, request.owner) = (identityToken, nonce, owner)
        return try await call(ConversationsMethods.linkIdentity, key: user, request)
    }

    /// Adds an identity that signs me in from now on, with what its page brought back.
    /// - Parameters:
    ///   - page: what began it.
    ///   - code: as ``PageSignIn/code(in:)`` returns it. It is good for a minute, once.
    ///   - owner: what shows that I ask.
    /// - Returns: my identities afterwards.
    @discardableResult
    public func linkIdentity(
        page: PageSignIn, code: String, owner: Parley_V1_OwnerProof
    ) async throws(ParleyError) -> Parley_V1_ListIdentitiesReply {
        var request = Parley_V1_LinkIdentityRequest()
        (request.code, request.verifier, request.owner) = (code, page.verifier, owner)
        return try await call(ConversationsMethods.linkIdentity, key: user, request)
    }

    /// Removes one of my identities, which then signs nobody in.
    /// - Parameter identity: its id.
    public func unlinkIdentity(_ identity: String, owner: Parley_V1_OwnerProof) async throws(ParleyError) {
        var request = Parley_V1_UnlinkIdentityRequest()
        (request.identity, request.owner) = (identity, owner)
        _ = try await call(ConversationsMethods.unlinkIdentity, key: user, request)
    }

    /// Changes my password, or sets my first one.
    /// - Parameters:
    ///   - endingOtherDevices: signs out all my devices but this one.
    ///   - username: my first one, if I have none, as a guest.
    public func changePassword(
        to newPassword: String, owner: Parley_V1_OwnerProof, endingOtherDevices: Bool = false, username: String = ""
    ) async throws(ParleyError) {
        var request = Parley_V1_ChangePasswordRequest()
        request.username = username
        (request.newPassword, request.owner, request.endOtherDevices) = (newPassword, owner, endingOtherDevices)
        _ = try await call(ConversationsMethods.changePassword, key: user, request)
    }

    /// Begins to sign this device in by another one of the same person. Show it the code, and finish with both texts.
    public func beginDeviceLink(
        deviceName: String = ""
    ) async throws(ParleyError) -> Parley_V1_DeviceLinkBegun {
        try await call(ConversationsMethods.beginDeviceLink, key: "", .with { $0.deviceName = deviceName })
    }

    /// Returns the device that asks to be signed in by this code.
    public func deviceLink(_ code: String) async throws(ParleyError) -> Parley_V1_DeviceLink {
        try await call(ConversationsMethods.getDeviceLink, key: user, .with { $0.code = code })
    }

    /// Lets the device of this code sign in as me.
    public func approveDeviceLink(_ code: String) async throws(ParleyError) {
        _ = try await call(ConversationsMethods.approveDeviceLink, key: user, .with { $0.code = code })
    }

    /// Signs this device in, once another one has approved it, and stores its credentials. Before that it is refused
    /// with `link_pending`.
    @discardableResult
    public func finishDeviceLink(
        _ begun: Parley_V1_DeviceLinkBegun
    ) async throws(ParleyError) -> Parley_V1_SignedIn {
        let signedIn = try await call(
            ConversationsMethods.finishDeviceLink, key: "",
            .with { ($0.code, $0.secret) = (begun.code, begun.secret) })
        try await adopt(signedIn)
        return signedIn
    }

    /// Mails a code for a new password to somebody who confirmed this address. The answer is the same for all
    /// addresses.
    public func requestPasswordReset(email: String) async throws(ParleyError) {
        _ = try await call(ConversationsMethods.requestPasswordReset, key: "", .with { $0.email = email })
    }

    /// Sets a new password with a mailed code. All devices of the account are signed out.
    /// - Parameter email: where the code was mailed.
    public func resetPassword(email: String, code: String, newPassword: String) async throws(ParleyError) {
        _ = try await call(
            ConversationsMethods.resetPassword, key: "",
            .with { ($0.email, $0.code, $0.newPassword) = (email, code, newPassword) })
    }

    /// Mails a code to the address in my profile, with which I confirm that it is mine.
    public func requestEmailCode() async throws(ParleyError) {
        _ = try await call(ConversationsMethods.requestEmailCode, key: user, .init())
    }

    /// Confirms the address in my profile.
    /// - Returns: my profile afterwards.
    @discardableResult
    public func confirmEmail(code: String) async throws(ParleyError) -> Parley_V1_Profile {
        try await call(ConversationsMethods.confirmEmail, key: user, .with { $0.code = code })
    }
}

extension Parley_V1_OwnerProof {
    /// Nothing: I am a guest.
    public static var guest: Self { .init() }

    /// My password.
    public static func password(_ password: String) -> Self { .with { $0.password = password } }

    /// A new token of one of my identities.
    /// - Parameter nonce: what the app chose when it asked for the token.
    public static func token(_ token: String, nonce: String = "") -> Self {
        .with { ($0.token, $0.nonce) = (token, nonce) }
    }

    /// The page of an issuer on which I signed in once more with one of my identities.
    /// - Parameter code: as ``PageSignIn/code(in:)`` returns it. It is good for a minute, once.
    public static func page(_ page: PageSignIn, code: String) -> Self {
        .with { ($0.code, $0.verifier) = (code, page.verifier) }
    }
}
