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
    /// Shows a code and waits until another device of the person approves it.
    static func link(_ connection: ConnectionOptions) async throws {
        let client = ParleyClient(url: connection.resolvedURL, options: connection.client)
        let signedIn: Parley_V1_SignedIn
        do {
            try await client.connect(token: "")
            let begun = try await client.beginDeviceLink(deviceName: deviceName)
            Output.note("On a device that is signed in, approve this one within 2 minutes:")
            Output.note("  \(ParleyCommand.invocation) devices --approve \(begun.code)")
            signedIn = try await finished(begun, client)
        } catch {
            await client.close()
            throw error
        }
        try await keep(signedIn, client, connection)
        report(signedIn, "Signed in", connection)
    }

    private static func finished(
        _ begun: Parley_V1_DeviceLinkBegun, _ client: ParleyClient
    ) async throws -> Parley_V1_SignedIn {
        while true {
            let wait: Int64
            do throws(ParleyError) {
                return try await client.finishDeviceLink(begun)
            } catch {
                guard error.hasCode(.linkPending) else { throw error }
                wait = Int64(error.retryAfterMs)
            }
            try await Task.sleep(for: .milliseconds(wait))
        }
    }

    /// Stores who is signed in now, which is known only afterwards.
    private static func keep(
        _ signedIn: Parley_V1_SignedIn, _ client: ParleyClient, _ connection: ConnectionOptions
    ) async throws {
        let username = signedIn.user.username
        let store = try connection.store().naming(username)
        do {
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
    }

    /// Signs in with the issuer that the server calls `issuer`: by a token, or on its page.
    static func run(with issuer: String, _ options: TokenOptions, _ connection: ConnectionOptions) async throws {
        let given = try options.given()
        let client = ParleyClient(url: connection.resolvedURL, options: connection.client)
        let signedIn: Parley_V1_SignedIn
        do {
            try await client.connect(token: "")
            let found = try await self.issuer(issuer, client, connection)
            if given == nil, found.pages {
                signedIn = try await onPage(of: issuer, connection) { page, code throws(ParleyError) in
                    try await client.signIn(page: page, code: code, deviceName: deviceName)
                }
            } else {
                signedIn = try await client.signIn(
                    identityToken: try given ?? options.token(), nonce: options.nonce, deviceName: deviceName)
            }
        } catch {
            await client.close()
            throw error
        }
        try await keep(signedIn, client, connection)
        report(signedIn, signedIn.newAccount ? "Account made, and signed in" : "Signed in", connection)
    }

    /// Returns what the server says of an issuer.
    static func issuer(
        _ name: String, _ client: ParleyClient, _ connection: ConnectionOptions
    ) async throws -> Parley_V1_Issuer {
        let known = try await client.signInOffers().issuers
        if let found = known.first(where: { $0.name == name }) { return found }
        let names = known.map(\.name).joined(separator: ", ")
        throw Failure(
            .issuerUnknown, "Nobody signs in with \"\(name)\" at \(connection.resolvedURL).",
            advice: names.isEmpty ? "Leave --with out: this server has no issuers." : "There are: \(names).")
    }

    /// Shows where to sign in, and waits until a browser on this machine comes back from there.
    /// - Parameter use: makes the request that takes the code.
    static func onPage<Reply: Sendable>(
        of issuer: String, _ connection: ConnectionOptions,
        _ use: (PageSignIn, _ code: String) async throws(ParleyError) -> Reply
    ) async throws -> Reply {
        let loopback = try LoopbackPage()
        let page = try PageSignIn(
            server: connection.resolvedURL, issuer: issuer, returningTo: loopback.address)
        Output.note("Open this address in a browser on this machine, within 10 minutes:")
        Output.note("  \(page.url)")
        let end = ContinuousClock.now + .seconds(600)
        while true {
            let visit = try await loopback.visit(until: end)
            do throws(ParleyError) {
                let code = try PageSignIn.code(in: visit.target)
                let reply = try await use(page, code)
                visit.answer("Done. You can close this page.")
                return reply
            } catch {
                visit.answer("That did not work: \(error.message)")
                // Anybody on this machine can come with a wrong code.
                guard error.hasCode(.codeRefused) else { throw error }
                Output.note("A browser came with a wrong code. Open the address once more.")
            }
        }
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

struct PasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Change your password, or set your first one.",
        discussion: """
            It asks for your password as it is. Without one, give a new token of one of your identities. A guest \
            chooses a username with the first password. Whoever forgot the password and confirmed an email address \
            gets a code there.

            Examples:
              parley password
              parley password --username dana
              parley password --forgot dana@example.org
              parley password --forgot dana@example.org --code k7mq-3fdp
              parley password --end-others
              parley password --owner-token-file token --new-password-file new
            """)

    @Flag(help: "Sign out all your other devices.") var endOthers = false
    @Option(help: ArgumentHelp("Your first username, if you are a guest.", valueName: "name")) var username = ""
    @Option(help: ArgumentHelp("Have a code mailed to this address, or use it.", valueName: "address"))
    var forgot: String?
    @Option(help: "The code that was mailed.") var code: String?
    @Option(
        help: ArgumentHelp(
            "Read the new password from the first line of this file. Default: PARLEY_NEW_PASSWORD, then a prompt.",
            valueName: "file"))
    var newPasswordFile: String?
    @OptionGroup var owner: OwnerOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard code == nil || forgot != nil else { throw ValidationError("Give --code with --forgot ADDRESS.") }
        guard forgot == nil || (username.isEmpty && !endOthers) else {
            throw ValidationError("--forgot takes neither --username nor --end-others.")
        }
    }

    func run() async throws {
        if let forgot { return try await reset(forgot) }
        let me = try await Person.signedIn(connection)
        do {
            try await change(me)
        } catch {
            await me.client.close()
            throw error
        }
        await me.client.close()
    }

    /// Has a code mailed, or sets a new password with one. Nobody needs to be signed in.
    private func reset(_ email: String) async throws {
        let client = ParleyClient(url: connection.resolvedURL, options: connection.client)
        do {
            try await client.connect(token: "")
            if let code {
                try await client.resetPassword(email: email, code: code, newPassword: try new(email))
            } else {
                try await client.requestPasswordReset(email: email)
            }
        } catch {
            await client.close()
            throw error
        }
        await client.close()
        if connection.json { return Output.json([code == nil ? "requested" : "changed": true]) }
        Output.line(
            code == nil
                ? "If somebody confirmed this address, a code is on its way to it. Give it with --code."
                : "Your password is changed, and all your devices are signed out.")
    }

    private func change(_ me: Person) async throws {
        let store = try connection.store()
        let name = try store.content()?.username ?? ""
        let ways = try await me.client.identities()
        let isGuest = try await me.client.profile().guest
        let proof = isGuest ? .guest : try owner.proof(of: name, hasPassword: ways.withPassword)
        let new = try new(username.isEmpty ? name : username)
        try await me.client.changePassword(
            to: new, owner: proof, endingOtherDevices: endOthers, username: username)
        if !username.isEmpty { try await store.naming(username).save(await me.client.credentials) }
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
            takes your password or a new token of an identity that you have. A guest gets a username with the \
            first one.

            Examples:
              parley identities
              parley identities --link --token-file token
              parley identities --link --with google
              parley identities --unlink kf83jd0s9QxA72bL
            """)

    @Flag(help: "Add the identity of a token, or of --with.") var link = false
    @Option(help: ArgumentHelp("Sign in on the page of this issuer with the identity to add.", valueName: "issuer"))
    var with: String?
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
        guard with == nil || link else { throw ValidationError("Give --with together with --link.") }
        guard with == nil || token.tokenFile == nil else {
            throw ValidationError("Give either --with or --token-file.")
        }
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
            let isGuest = try await me.client.profile().guest
            let proof = isGuest ? .guest : try owner.proof(of: username, hasPassword: ways.withPassword)
            if let with {
                guard try await SignIn.issuer(with, me.client, connection).pages else {
                    throw Failure(
                        .issuerUnknown, "\(with) has no page to sign in on.",
                        advice: "Leave --with out, and give a token of it: --token-file FILE.")
                }
                ways = try await SignIn.onPage(of: with, connection) { page, code throws(ParleyError) in
                    try await me.client.linkIdentity(page: page, code: code, owner: proof)
                }
            } else {
                ways = try await me.client.linkIdentity(
                    token: try token.token(), nonce: token.nonce, owner: proof)
            }
            if isGuest {
                let name = try await me.client.profile().user.username
                try await connection.store().naming(name).save(await me.client.credentials)
            }
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
