import ArgumentParser
import Foundation
import ParleyClient

/// Whose word counts for a server's certificate.
struct TrustOptions: ParsableArguments {
    @Option(
        name: .customLong("ca-file"),
        help: ArgumentHelp(
            "For wss://, trust the authorities in this file (PEM) rather than those of the system. "
                + "Otherwise PARLEY_CA_FILE.",
            valueName: "file"))
    var authorities: String?

    var link: Link.Options {
        let chosen = authorities ?? ServerOptions.variable("PARLEY_CA_FILE")
        return Link.Options(trust: chosen.map { .file($0) } ?? .system)
    }
}

/// Where the server is: the same for every command that asks one.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the gateway is. Otherwise PARLEY_URL, otherwise \(ServerOptions.defaultURL).",
            valueName: "wss://…"))
    var url: String?

    @OptionGroup var trust: TrustOptions

    static let defaultURL = "ws://127.0.0.1:8080"

    /// By option or environment.
    var resolvedURL: String { url ?? Self.variable("PARLEY_URL") ?? Self.defaultURL }

    /// nil: not set, or empty.
    static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Where the server is and as whom to speak to it: the same for every command of a person.
struct ConnectionOptions: ParsableArguments {
    @OptionGroup var server: ServerOptions

    @Option(
        help: ArgumentHelp(
            "Which sign-in of this machine to use, for several people. Otherwise PARLEY_PROFILE.", valueName: "name"))
    var profile: String?

    @Option(help: ArgumentHelp("Keep the sign-in in this file rather than in ~/.config/parley.", valueName: "file"))
    var credentials: String?

    @Option(
        help: ArgumentHelp(
            "Repeat for so long a request that the server refuses for now. Otherwise PARLEY_RETRY_SECONDS, otherwise 0.",
            valueName: "seconds"))
    var retryFor: Int?

    @Flag(help: "Print one JSON object a line, for programs.")
    var json = false

    func validate() throws {
        if let retryFor, !(0...86_400).contains(retryFor) {
            throw ValidationError("--retry-for: 0 to 86400, not \(retryFor).")
        }
        if let text = ServerOptions.variable("PARLEY_RETRY_SECONDS"), Int(text).map((0...86_400).contains) != true {
            throw ValidationError("PARLEY_RETRY_SECONDS: 0 to 86400, not “\(text)”.")
        }
    }

    /// What clients of commands are made with.
    var client: ParleyClient.Options {
        var client = Person.clientOptions(server.trust.link)
        let seconds = retryFor ?? ServerOptions.variable("PARLEY_RETRY_SECONDS").flatMap(Int.init) ?? 0
        client.retriesFor = .seconds(seconds)
        return client
    }

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    private var chosenProfile: String? { profile ?? ServerOptions.variable("PARLEY_PROFILE") }

    /// Whether the person said which profile.
    var isProfileChosen: Bool { chosenProfile != nil || credentials != nil }

    var profileName: String { chosenProfile ?? "default" }

    var resolvedURL: String { server.resolvedURL }

    /// - Throws: ``Failure`` when there is no place for it.
    func store() throws -> CredentialFile {
        CredentialFile(
            path: try credentials ?? Self.path(profile: profileName, environment: Self.environment), url: resolvedURL)
    }

    /// `$XDG_CONFIG_HOME/parley/PROFILE.json`, or under `~/.config`.
    static func path(profile: String, environment: [String: String]) throws -> String {
        guard !profile.isEmpty, !profile.hasPrefix("."),
            profile.allSatisfy({ $0.isLetter || $0.isNumber || "._-@".contains($0) })
        else {
            throw Failure(
                "invalid", "A profile's name is made of letters, digits and . _ - @, not \"\(profile)\".",
                exitCode: .usage)
        }
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return "\(folder)/parley/\(profile).json"
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw Failure(
                "no_home", "There is no place for the sign-in: HOME is not set.",
                advice: "Set HOME, or name a file with --credentials FILE.", exitCode: .usage)
        }
        return "\(home)/.config/parley/\(profile).json"
    }
}

/// How a command comes by a password. It is never an argument, where every user of the machine could read it.
struct PasswordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the password from this file's first line. Otherwise PARLEY_PASSWORD, otherwise it is asked for.",
            valueName: "file"))
    var passwordFile: String?

    /// The password by file or environment; nil: neither.
    func given() throws -> String? {
        if let passwordFile {
            guard let text = FileManager.default.contents(atPath: passwordFile) else {
                throw Failure("no_password", "The password file \(passwordFile) cannot be read.", exitCode: .usage)
            }
            let line =
                String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).first
                ?? ""
            return line.hasSuffix("\r") ? String(line.dropLast()) : String(line)
        }
        return ProcessInfo.processInfo.environment["PARLEY_PASSWORD"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The password, asked for on the terminal if need be.
    /// - Parameter twice: a new one, to be typed again.
    func password(for username: String, twice: Bool = false) throws -> String {
        if let given = try given() { return given }
        guard let terminal = PasswordPrompt() else {
            throw Failure(
                "no_password", "There is no terminal to ask for the password.",
                advice: "Give it by --password-file FILE or in PARLEY_PASSWORD.", exitCode: .usage)
        }
        let password = try terminal.ask(
            twice ? "New password for \(username) (8 characters or more): " : "Password of \(username): ")
        guard !twice || password.count >= 8 else {
            throw Failure("invalid", "The password must be at least 8 characters.")
        }
        if twice, try terminal.ask("The same again: ") != password {
            throw Failure("invalid", "The two passwords differ.")
        }
        return password
    }
}

/// Asks on the terminal without showing what is typed.
private struct PasswordPrompt {
    private let descriptor: Int32

    init?() {
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
        if descriptor < 0 { return nil }
    }

    func ask(_ question: String) throws -> String {
        Output.write(question, to: descriptor)
        var shown = termios()
        tcgetattr(descriptor, &shown)
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        // Ctrl-C must not leave a terminal that shows nothing.
        hidden.c_lflag &= ~tcflag_t(ISIG)
        tcsetattr(descriptor, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(descriptor, TCSAFLUSH, &shown)
            Output.write("\n", to: descriptor)
        }
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1 {
            switch byte {
            case 0x0A, 0x0D: return String(decoding: bytes, as: UTF8.self)
            case 0x03: throw Failure("cancelled", "Interrupted.")
            default: bytes.append(byte)
            }
        }
        throw Failure("no_password", "No password was typed.", exitCode: .usage)
    }
}
