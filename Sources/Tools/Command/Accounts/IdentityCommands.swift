import ArgumentParser
import Foundation
import ParleyClient

/// A token of somebody who knows the person, such as Google.
struct TokenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read an ID token from this file; \"-\": from standard input. Default: PARLEY_IDENTITY_TOKEN.",
            valueName: "file"))
    var tokenFile: String?
    @Option(help: "The nonce with which the token was asked for.") var nonce = ""

    /// Returns the token; nil if none was given.
    func given() throws -> String? {
        guard let tokenFile else {
            return ProcessInfo.processInfo.environment["PARLEY_IDENTITY_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        }
        let data =
            tokenFile == "-"
            ? try FileHandle.standardInput.readToEnd() ?? Data() : FileManager.default.contents(atPath: tokenFile)
        guard let data else {
            throw Failure(.noFile, "Cannot read the token file \(tokenFile).", exitCode: .usage)
        }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the token.
    /// - Throws: ``Failure`` if none was given.
    func token() throws -> String {
        if let given = try given() { return given }
        throw Failure(
            .invalid, "No token was given.", advice: "Provide it with --token-file FILE or PARLEY_IDENTITY_TOKEN.",
            exitCode: .usage)
    }
}

extension SignIn {
    /// Signs in with a token of the issuer that the server calls `issuer`.
    static func run(with issuer: String, _ options: TokenOptions, _ connection: ConnectionOptions) async throws {
        let token = try options.token()
        let client = ParleyClient(url: connection.resolvedURL, options: connection.client)
        try await client.connect(token: "")
        let known = try await client.issuers()
        guard known.contains(where: { $0.name == issuer }) else {
            await client.close()
            let names = known.map(\.name).joined(separator: ", ")
            throw Failure(
                .issuerUnknown, "Nobody signs in with \"\(issuer)\" at \(connection.resolvedURL).",
                advice: names.isEmpty ? "Sign in with a password: leave --with out." : "There are: \(names).")
        }
        let signedIn: Parley_V1_SignedIn
        do {
            signedIn = try await client.signIn(
                identityToken: token, nonce: options.nonce, deviceName: deviceName)
        } catch {
            await client.close()
            throw error
        }
        let username = signedIn.user.username
        let store = try connection.store().naming(username)
        do {
            // Who the token names is known only now.
            try requireFree(store, for: username, connection)
        } catch {
            try? await client.signOut()
            await client.close()
            throw error
        }
        let held = try? store.content()
        try await store.save(Credentials(signedIn))
        await client.close()
        if let held, held.url == connection.resolvedURL { await end(held, connection) }
        report(signedIn, signedIn.newAccount ? "Account made, and signed in" : "Signed in", connection)
    }
}

/// What shows that the owner of the account asks.
struct OwnerOptions: ParsableArguments {
    @OptionGroup var password: PasswordOptions
    @Option(
        help: ArgumentHelp(
            "Read a new token of one of your identities from this file, in place of your password.",
            valueName: "file"))
    var ownerTokenFile: String?
    @Option(help: ArgumentHelp("The nonce of that token.", valueName: "nonce")) var ownerNonce = ""

    /// - Parameter hasPassword: whether the account has a password, which is then asked for.
    func proof(of username: String, hasPassword: Bool) throws -> Parley_V1_OwnerProof {
        if let ownerTokenFile {
            guard let data = FileManager.default.contents(atPath: ownerTokenFile) else {
                throw Failure(.noFile, "Cannot read the token file \(ownerTokenFile).", exitCode: .usage)
            }
            let token = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            return .token(token, nonce: ownerNonce)
        }
        guard hasPassword else {
            throw Failure(
                .ownerUnproven, "Your account has no password, so this takes a new token of one of your identities.",
                advice: "Provide it with --owner-token-file FILE.", exitCode: .usage)
        }
        return .password(try password.password(for: username))
    }
}

struct PasswordCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Change your password, or set your first one.",
        discussion: """
            It asks for your password as it is. Without one, give a new token of one of your identities.

            Examples:
              parley password
              parley password --end-others
              parley password --owner-token-file token --new-password-file new
            """)

    @Flag(help: "Sign out all your other devices.") var endOthers = false
    @Option(
        help: ArgumentHelp(
            "Read the new password from the first line of this file. Default: PARLEY_NEW_PASSWORD, then a prompt.",
            valueName: "file"))
    var newPasswordFile: String?
    @OptionGroup var owner: OwnerOptions
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let username = try connection.store().content()?.username ?? ""
        let ways = try await me.client.identities()
        let proof = try owner.proof(of: username, hasPassword: ways.withPassword)
        try await me.client.changePassword(to: try new(username), owner: proof, endingOtherDevices: endOthers)
        if me.isJSON { return Output.json(["changed": true]) }
        Output.line(ways.withPassword ? "Your password is changed." : "You have a password now.")
    }

    private func new(_ username: String) throws -> String {
        var options = PasswordOptions()
        options.passwordFile = newPasswordFile
        if newPasswordFile == nil, let given = ProcessInfo.processInfo.environment["PARLEY_NEW_PASSWORD"] {
            return given
        }
        return newPasswordFile == nil
            ? try options.asked(for: username, twice: true) : try options.password(for: username, twice: true)
    }
}

struct IdentitiesCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "identities",
        abstract: "List what signs you in, add an identity or remove one.",
        discussion: """
            An identity is you as somebody else knows you, such as Google or your company. Adding and removing one \
            takes your password or a new token of an identity that you have.

            Examples:
              parley identities
              parley identities --link --token-file token
              parley identities --unlink kf83jd0s9QxA72bL
            """)

    @Flag(help: "Add the identity of a token.") var link = false
    @Option(help: ArgumentHelp("Remove this identity.", valueName: "identity id")) var unlink: String?
    @OptionGroup var token: TokenOptions
    @OptionGroup var owner: OwnerOptions
    @OptionGroup var connection: ConnectionOptions

    struct IdentityJSON: Encodable {
        var id: String
        var issuer: String
        var label: String
        var linkedAt: String
        var lastUsedAt: String
    }

    func validate() throws {
        guard !link || unlink == nil else { throw ValidationError("Give either --link or --unlink.") }
    }

    func run(as me: Person) async throws {
        let username = try connection.store().content()?.username ?? ""
        var ways = try await me.client.identities()
        if let unlink {
            let proof = try owner.proof(of: username, hasPassword: ways.withPassword)
            try await me.client.unlinkIdentity(unlink, owner: proof)
            return me.isJSON ? Output.json(["removed": unlink]) : Output.line("Removed: \(unlink)")
        }
        if link {
            let proof = try owner.proof(of: username, hasPassword: ways.withPassword)
            ways = try await me.client.linkIdentity(token: try token.token(), nonce: token.nonce, owner: proof)
        }
        for identity in ways.identities { show(identity, me) }
        if !me.isJSON { Output.line(ways.withPassword ? "A password signs you in, too." : "You have no password.") }
    }

    private func show(_ identity: Parley_V1_Identity, _ me: Person) {
        if me.isJSON {
            return Output.json(
                IdentityJSON(
                    id: identity.id, issuer: identity.issuer, label: identity.label,
                    linkedAt: Times.iso(identity.linkedAtUs), lastUsedAt: Times.iso(identity.lastUsedUs)))
        }
        let issuer = identity.issuer.isEmpty ? "\(identity.url) (signs nobody in any more)" : identity.issuer
        let label = PlainText.padded(PlainText.shown(identity.label), 28)
        Output.line("\(identity.id)  \(issuer)  \(label) used \(Times.ago(identity.lastUsedUs))")
    }
}
