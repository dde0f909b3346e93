import ArgumentParser
import Foundation
import ParleyClient

/// The authorities that a server's certificate is checked against.
package struct TrustOptions: ParsableArguments {
    @Option(
        name: .customLong("ca-file"),
        help: ArgumentHelp(
            "For wss://, trust the authorities in this PEM file instead of the system's. "
                + "Default: PARLEY_CA_FILE.",
            valueName: "file"))
    package var authorities: String?

    package init() {}

    package var link: Link.Options {
        let chosen = authorities ?? ServerOptions.variable("PARLEY_CA_FILE")
        return Link.Options(trust: chosen.map { .file($0) } ?? .system)
    }
}

/// The address of the server, for every command that connects to one.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The gateway's URL. Default: PARLEY_URL, then \(ServerOptions.defaultURL).",
            valueName: "wss://…"))
    var url: String?

    @OptionGroup var trust: TrustOptions

    static let defaultURL = "ws://127.0.0.1:8080"

    /// The URL from the option, the environment or the default.
    var resolvedURL: String { url ?? Self.variable("PARLEY_URL") ?? Self.defaultURL }

    /// Returns the value of an environment variable; nil if it is not set or empty.
    static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// The server's address and the sign-in to use, for every command of a signed-in person.
struct ConnectionOptions: ParsableArguments {
    @OptionGroup var server: ServerOptions

    @Option(
        help: ArgumentHelp(
            "Use the sign-in of this name, to keep several on one machine. Default: PARLEY_PROFILE.",
            valueName: "name"))
    var profile: String?

    @Option(help: ArgumentHelp("Keep the sign-in in this file instead of ~/.config/parley.", valueName: "file"))
    var credentials: String?

    @Option(
        help: ArgumentHelp(
            "Retry temporarily refused requests for this long. Default: PARLEY_RETRY_SECONDS, then 0.",
            valueName: "seconds"))
    var retryFor: Int?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func validate() throws {
        if let retryFor, !(0...86_400).contains(retryFor) {
            throw ValidationError("--retry-for must be 0 to 86400, not \(retryFor).")
        }
        if let text = ServerOptions.variable("PARLEY_RETRY_SECONDS"), Int(text).map((0...86_400).contains) != true {
            throw ValidationError("PARLEY_RETRY_SECONDS must be 0 to 86400, not \"\(text)\".")
        }
    }

    /// The options of the client that a command uses.
    var client: ParleyClient.Options {
        var client = Person.clientOptions(server.trust.link)
        let seconds = retryFor ?? ServerOptions.variable("PARLEY_RETRY_SECONDS").flatMap(Int.init) ?? 0
        client.retriesFor = .seconds(seconds)
        return client
    }

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    private var chosenProfile: String? { profile ?? ServerOptions.variable("PARLEY_PROFILE") }

    /// Whether the user chose a profile or a credentials file.
    var isProfileChosen: Bool { chosenProfile != nil || credentials != nil }

    var profileName: String { chosenProfile ?? "default" }

    var resolvedURL: String { server.resolvedURL }

    /// - Throws: ``Failure`` if the profile's name is invalid or `HOME` is not set.
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
                .invalid, "\"\(profile)\" is not a profile name.",
                advice: "Use letters, digits and . _ - @, and do not begin with a dot.", exitCode: .usage)
        }
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return "\(folder)/parley/\(profile).json"
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw Failure(
                .noHome, "The sign-in cannot be stored because HOME is not set.",
                advice: "Set HOME, or name a file with --credentials FILE.", exitCode: .usage)
        }
        return "\(home)/.config/parley/\(profile).json"
    }
}

/// The source of a command's password. It is never an argument, because every user of the machine can read those.
struct PasswordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the password from the first line of this file. Default: PARLEY_PASSWORD, then a prompt.",
            valueName: "file"))
    var passwordFile: String?

    /// Returns the password from the file or the environment; nil if there is neither.
    func given() throws -> String? {
        if let passwordFile {
            guard let text = FileManager.default.contents(atPath: passwordFile) else {
                throw Failure(.noPassword, "Cannot read the password file \(passwordFile).", exitCode: .usage)
            }
            let line =
                String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).first
                ?? ""
            return line.hasSuffix("\r") ? String(line.dropLast()) : String(line)
        }
        return ProcessInfo.processInfo.environment["PARLEY_PASSWORD"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the password, and prompts for it on the terminal if necessary.
    /// - Parameter twice: whether it is a new password, which must be typed twice.
    func password(for username: String, twice: Bool = false) throws -> String {
        if let given = try given() { return given }
        return try asked(for: username, twice: twice)
    }

    /// Prompts for the password on the terminal.
    /// - Parameter twice: whether it is a new password, which must be typed twice.
    func asked(for username: String, twice: Bool) throws -> String {
        guard let terminal = PasswordPrompt() else {
            throw Failure(
                .noPassword, "There is no terminal to prompt for the password.",
                advice: "Provide it with --password-file FILE or PARLEY_PASSWORD.", exitCode: .usage)
        }
        let password = try terminal.ask(
            twice ? "New password for \(username) (8 characters or more): " : "Password for \(username): ")
        guard !twice || password.count >= 8 else {
            throw Failure(.invalid, "The password must have at least 8 characters.")
        }
        if twice, try terminal.ask("Repeat the password: ") != password {
            throw Failure(.invalid, "The two passwords differ. Try again.")
        }
        return password
    }
}

/// Reads a line from the terminal without echoing it.
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
        // Ctrl-C must not leave the terminal without echo.
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
            case 0x03: throw Failure(.cancelled, "Interrupted.")
            default: bytes.append(byte)
            }
        }
        throw Failure(.noPassword, "No password was entered.", exitCode: .usage)
    }
}
