import ArgumentParser
import Foundation
import ParleyClient

struct UserJSON: Encodable {
    var id: String
    var username: String
    var displayName: String
    var device: String?
    var url: String?
    var profile: String?

    init(_ user: Parley_V1_User, device: String? = nil, url: String? = nil, profile: String? = nil) {
        (id, username, displayName) = (user.id, user.username, user.displayName)
        (self.device, self.url, self.profile) = (device, url, profile)
    }
}

struct RegisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Create an account and sign in.",
        discussion: """
            A username has 2 to 32 characters of a-z, 0-9, "." and "-". Some servers want work of this machine first, \
            which takes a moment.

            Where the operator lets guests in, --guest needs no username and no password. "parley password \
            --username NAME" makes a guest an account like others.

            Examples:
              parley register dana --display-name "Dana Miller"
              parley register dana --code k7mq-3fdp-x2hw-9tbn
              parley register --guest
            """)

    @Argument(help: "The username by which others find you; not with --guest.") var username: String?
    @Flag(help: "Come as a guest, whom nothing but this machine signs in.") var guest = false
    @Option(help: ArgumentHelp("The name that others see. Default: the username.", valueName: "name"))
    var displayName = ""
    @Option(help: "The operator's code, where creating an account takes one.") var code = ""
    @Option(
        help: ArgumentHelp("The token of the operator's page, where creating an account takes one.", valueName: "token")
    )
    var proof = ""
    @OptionGroup var password: PasswordOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard (username == nil) == guest else { throw ValidationError("Give a username, or --guest.") }
    }

    func run() async throws {
        let username = username ?? ""
        let store = try connection.store().naming(username)
        try SignIn.requireFree(store, for: guest ? "guest" : username, connection)
        let password = guest ? "" : try password.password(for: username, twice: true)
        let client = try await Person.signedOut(connection, store: store)
        let signedIn = try await client.register(
            username: username, password: password, displayName: displayName, deviceName: SignIn.deviceName,
            code: code, proof: proof)
        await client.close()
        SignIn.report(signedIn, "Registered and signed in", connection)
    }
}

struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in on this machine.",
        discussion: """
            Example, for a second person on the same machine:
              parley login bob --profile bob
              parley send alice "Hi!" --profile bob

            Example, on the page of an issuer of this server, in a browser on this machine:
              parley login --with google

            Example, with a token that another program got from an issuer:
              parley login --with google --token-file token

            Example, by a device that is signed in: it shows a code, which "parley devices --approve" reads there
              parley login --link
            """,
        aliases: ["signin"])

    @Argument(help: "Your username; not with --with or --link.") var username: String?
    @Flag(help: "Be signed in by another device of yours.") var link = false
    @Option(help: ArgumentHelp("Sign in with this issuer, in place of a password.", valueName: "issuer"))
    var with: String?
    @OptionGroup var token: TokenOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard [username != nil, with != nil, link].filter(\.self).count == 1 else {
            throw ValidationError("Give your username, --with ISSUER, or --link.")
        }
    }

    func run() async throws {
        if let with { return try await SignIn.run(with: with, token, connection) }
        if link { return try await SignIn.link(connection) }
        let username = username ?? ""
        let store = try connection.store().naming(username)
        try SignIn.requireFree(store, for: username, connection)
        let password = try password.password(for: username)
        let held = try? store.content()
        let client = try await Person.signedOut(connection, store: store)
        let known = held?.username == username ? held?.credentials.knownDevice : nil
        let signedIn = try await client.signIn(
            username: username, password: password, deviceName: SignIn.deviceName, knownDevice: known ?? "")
        await client.close()
        if let held, held.url == connection.resolvedURL { await SignIn.end(held, connection) }
        SignIn.report(signedIn, "Signed in", connection)
    }
}

struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Sign out on this machine, or everywhere.",
        discussion: """
            Example, after you lose a phone:
              parley logout --everywhere --end-link
            """,
        aliases: ["signout"])

    @Flag(help: "Sign out all your devices.") var everywhere = false
    @Flag(help: "End the secret link to your calendar, too.") var endLink = false
    @OptionGroup var connection: ConnectionOptions

    func run() async throws {
        let store = try connection.store()
        do {
            let me = try await Person.signedIn(connection)
            try await me.client.signOut(everywhere: everywhere, endingCalendarLink: endLink)
            await me.client.close()
            try await store.save(nil)
        } catch let error as ParleyError where Failure(error).exitCode == .notSignedIn && !everywhere && !endLink {
            // The server has ended this sign-in already.
            try await store.save(nil)
        }
        if connection.json { return Output.json(["signed_out": true]) }
        Output.line(everywhere ? "Signed out on all devices." : "Signed out.")
        if everywhere, !endLink {
            Output.note("A secret link to your calendar stays. Sign in and end it with: parley calendar --end-link")
        }
    }
}

struct WhoamiCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami",
        abstract: "Show who is signed in here.",
        discussion: """
            Example:
              parley whoami --profile bob
            """)

    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let user = try await me.client.profile().user
        if me.isJSON {
            let device = await me.client.credentials?.device
            return Output.json(
                UserJSON(user, device: device, url: connection.resolvedURL, profile: connection.profileName))
        }
        let name = user.displayName == user.username ? "" : " (\(PlainText.shown(user.displayName)))"
        let username = user.username.isEmpty ? "guest" : user.username
        Output.line(
            "\(username)\(name) at \(connection.resolvedURL), user id \(user.id), "
                + "profile \(connection.profileName)"
        )
    }
}

struct DevicesCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List your signed-in devices, or sign one out.",
        discussion: """
            Example:
              parley devices
              parley devices --revoke kf83jd0s9QxA72bL
              parley devices --approve 8mQ0cYB1h0mW7y4m3n2p1Q          tells what asks
              parley devices --approve 8mQ0cYB1h0mW7y4m3n2p1Q --yes
            """)

    @Option(help: ArgumentHelp("Sign out this device.", valueName: "device id")) var revoke: String?
    @Option(help: ArgumentHelp("Look at the device that shows this code.", valueName: "code")) var approve: String?
    @Flag(help: "Sign it in as you.") var yes = false
    @OptionGroup var connection: ConnectionOptions

    struct DeviceJSON: Encodable {
        var id: String
        var name: String
        var signedInAt: String
        var lastUsedAt: String
        var current: Bool
    }

    struct AskingJSON: Encodable {
        var name: String
        var address: String
        var approved: Bool
    }

    func validate() throws {
        guard !yes || approve != nil else { throw ValidationError("Give --yes with --approve CODE.") }
    }

    func run(as me: Person) async throws {
        if let approve {
            let link = try await me.client.deviceLink(approve)
            if yes { try await me.client.approveDeviceLink(approve) }
            if me.isJSON {
                return Output.json(AskingJSON(name: link.deviceName, address: link.address, approved: yes))
            }
            let name = "\(PlainText.shown(link.deviceName)) at \(link.address)"
            return Output.line(
                yes ? "Approved: \(name)" : "\(name) asks to be signed in as you. Add --yes if it is yours.")
        }
        if let revoke {
            try await me.client.revokeDevice(revoke)
            return me.isJSON ? Output.json(["revoked": revoke]) : Output.line("Signed out: \(revoke)")
        }
        for device in try await me.client.devices() {
            if me.isJSON {
                Output.json(
                    DeviceJSON(
                        id: device.id, name: device.name, signedInAt: Times.iso(device.signedInUs),
                        lastUsedAt: Times.iso(device.lastUsedUs), current: device.current))
            } else {
                let mark = device.current ? "  (this one)" : ""
                let name = PlainText.padded(PlainText.shown(device.name), 28)
                Output.line("\(device.id)  \(name) used \(Times.ago(device.lastUsedUs))\(mark)")
            }
        }
    }
}

/// Steps that `register` and `login` share.
enum SignIn {
    /// "parley on HOST"
    static var deviceName: String { String("parley on \(ProcessInfo.processInfo.hostName)".prefix(60)) }

    /// Refuses to replace another person's sign-in.
    static func requireFree(_ store: CredentialFile, for username: String, _ options: ConnectionOptions) throws {
        guard !options.isProfileChosen, let held = try? store.content(), held.url == options.resolvedURL,
            held.username != username
        else { return }
        let parley = ParleyCommand.invocation
        throw Failure(
            .inUse, "\(held.username) is already signed in here.",
            advice: "To keep both sign-ins, add --profile \(username) to this and later commands "
                + "(or export PARLEY_PROFILE=\(username)). To sign out \(held.username) first: \(parley) logout")
    }

    /// Signs out the device that a file held before, so that it is not left behind. Ignores a failure.
    static func end(_ held: CredentialFile.Content, _ options: ConnectionOptions) async {
        let client = ParleyClient(url: held.url, options: options.client)
        if (try? await client.connect(token: held.credentials.accessToken)) != nil { try? await client.signOut() }
        await client.close()
    }

    static func report(_ signedIn: Parley_V1_SignedIn, _ action: String, _ options: ConnectionOptions) {
        if options.json {
            return Output.json(
                UserJSON(signedIn.user, device: signedIn.device, url: options.resolvedURL, profile: options.profileName)
            )
        }
        let profile = options.profileName == "default" ? "" : " (profile \(options.profileName))"
        let name = signedIn.user.username.isEmpty ? signedIn.user.displayName : signedIn.user.username
        Output.line("\(action) as \(PlainText.shown(name))\(profile).")
    }
}
