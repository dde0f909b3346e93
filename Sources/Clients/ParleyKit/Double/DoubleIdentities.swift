import Foundation
import ParleyClient

/// What signs people in beside passwords, as a double knows it.
struct DoubleIdentities {
    /// Whom each token signs in.
    var tokens: [String: User] = [:]
    /// What signs me in.
    var linked: [Parley_V1_Identity] = []
}

extension ParleyDouble {
    /// Says whom an ID token signs in, or the code that a page brings back. Others are refused with `token_malformed`.
    public func addIdentityToken(_ token: String, of user: User) {
        if people[user.id] == nil { addAccount(user) }
        identities.tokens[token] = user
    }

    func answerAboutIdentities(_ answers: inout DoubleAnswers) {
        answers.on(ConversationsMethods.listIssuers) { _ throws(ParleyError) in
            .with {
                $0.issuers = [
                    .with {
                        ($0.name, $0.url, $0.makesAccounts) = ("double", "https://issuer.example.com", true)
                        $0.pages = true
                    }
                ]
                $0.guests = true
            }
        }
        answers.on(ConversationsMethods.signInWithToken) { [unowned self] request throws(ParleyError) in
            signedIn(try owner(of: request.token), request.deviceName)
        }
        answers.on(ConversationsMethods.signInWithCode) { [unowned self] request throws(ParleyError) in
            signedIn(try owner(of: request.code), request.deviceName)
        }
        answers.on(ConversationsMethods.listIdentities) { [unowned self] _ throws(ParleyError) in listed }
        answers.on(ConversationsMethods.linkIdentity) { [unowned self] request throws(ParleyError) in
            guard try owner(of: request.token.isEmpty ? request.code : request.token).id == me.id else {
                throw ParleyError(code: Refusal.Code.identityInUse.rawValue, message: "It signs somebody else in.")
            }
            identities.linked.append(
                .with {
                    ($0.id, $0.issuer, $0.label) = (nextID().description, "double", me.displayName)
                    ($0.linkedAtUs, $0.lastUsedUs) = (Date.now.microseconds, Date.now.microseconds)
                })
            return listed
        }
        answers.on(ConversationsMethods.unlinkIdentity) { [unowned self] request throws(ParleyError) in
            guard identities.linked.contains(where: { $0.id == request.identity }) else { throw .missing("identity") }
            identities.linked.removeAll { $0.id == request.identity }
            return .init()
        }
        answers.on(ConversationsMethods.changePassword) { [unowned self] request throws(ParleyError) in
            guard passwords[me.username]?.password ?? request.owner.password == request.owner.password else {
                throw ParleyError(code: Refusal.Code.wrongCredentials.rawValue, message: "Wrong password.")
            }
            if profile.guest { try await upgrade(to: request.username) }
            passwords[me.username] = (me, request.newPassword)
            if request.endOtherDevices { devices.removeAll { !$0.current } }
            return .init()
        }
    }

    /// Makes me, a guest, a person like others.
    private func upgrade(to username: String) async throws(ParleyError) {
        guard !username.isEmpty else {
            throw ParleyError(code: Refusal.Code.invalid.rawValue, message: "Choose a username.", field: "username")
        }
        guard passwords[username] == nil else {
            throw ParleyError(
                code: Refusal.Code.usernameTaken.rawValue, message: "Somebody has this name.", field: "username")
        }
        let name = me.displayName.hasPrefix("Guest ") ? username : me.displayName
        me = User(id: me.id, username: username, displayName: name)
        addAccount(me)
        (profile.user, profile.guest, profile.position) = (me.stored, false, nextPosition())
        await commit([.put(.profile(profile))])
    }

    private var listed: Parley_V1_ListIdentitiesReply {
        .with { ($0.identities, $0.withPassword) = (identities.linked, true) }
    }

    private func owner(of token: String) throws(ParleyError) -> User {
        guard let user = identities.tokens[token] else {
            throw ParleyError(
                code: Refusal.Code.tokenMalformed.rawValue, message: "This is no ID token of an issuer.", field: "token"
            )
        }
        return user
    }
}
