import ArgumentParser
import Cluster
import ParleyClient

/// The reason why a command failed, as it is printed for people and scripts.
package struct Failure: Error, Equatable {
    /// Exit codes for scripts, from sysexits.h where it has a suitable one.
    package enum ExitCode: Int32 {
        case refused = 1
        case usage = 64
        case unavailable = 69
        case temporary = 75
        case notSignedIn = 77
    }

    package typealias Code = ParleyError.Code

    /// A stable code: of the server, of the client library, or of `FailureCodes.swift`.
    package var code: String
    package var message: String
    /// Advice to the user; may be empty.
    package var advice = ""
    package var exitCode = ExitCode.refused

    package init(_ code: Code, _ message: String, advice: String = "", exitCode: ExitCode = .refused) {
        (self.code, self.message, self.advice, self.exitCode) = (code.rawValue, message, advice, exitCode)
    }

    /// Whether its code is this one.
    func hasCode(_ code: Code) -> Bool { self.code == code.rawValue }

    /// Explains any error; nil for errors of the argument parser, which prints them itself.
    package init?(explaining error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ParleyError: self.init(error)
        case let error as ClusterError: self.init(error)
        case is CancellationError: self.init(.cancelled, "Interrupted.")
        case is ArgumentParser.ExitCode, is CleanExit, is ValidationError: return nil
        case let error where "\(type(of: error))".contains("CommandError"): return nil
        default: self.init(.failed, "\(error)")
        }
    }

    package init(_ error: ParleyError) {
        guard !error.hasCode(.unavailable) || !error.message.hasPrefix("Cannot connect to ") else {
            let address = error.message.dropFirst("Cannot connect to ".count).prefix { $0 != " " }
            let isRefused = error.message.contains("Connection refused")
            self.init(
                .unavailable,
                isRefused ? "Nothing listens at \(address.dropLast())." : "Cannot connect to \(address.dropLast()).",
                advice: Self.advice(for: error), exitCode: .unavailable)
            return
        }
        let field = error.field.isEmpty || error.message.contains(error.field) ? "" : "\(error.field): "
        self.init(
            Code(rawValue: error.code), field + error.message, advice: Self.advice(for: error),
            exitCode: Self.exitCode(for: Code(rawValue: error.code))
        )
    }

    package init(_ error: ClusterError) {
        let exitCode: ExitCode =
            switch error.code {
            case .invalid: .usage
            case .portInUse, .alreadyRunning, .timeout: .temporary
            default: .refused
            }
        let advice =
            error.code == .portInUse ? "Choose another address, such as --listen 127.0.0.1:8090" : ""
        self.init(Code(rawValue: error.code.rawValue), error.message, advice: advice, exitCode: exitCode)
    }

    private static func exitCode(for code: Code) -> ExitCode {
        switch code {
        case .unauthenticated, .refreshRefused, .revoked: .notSignedIn
        case .unavailable, .certificateUntrusted, .certificateWrongHost, .certificateExpired: .unavailable
        case .rateLimited, .deadline, .connectionLost, .closed: .temporary
        case .unsupportedURL, .invalidAuthorities: .usage
        default: .refused
        }
    }

    private static func advice(for error: ParleyError) -> String {
        let parley = ParleyCommand.invocation
        switch Code(rawValue: error.code) {
        case .unauthenticated, .refreshRefused, .revoked: return "To sign in: \(parley) login USERNAME"
        case .unavailable: return "To find the cause: \(parley) doctor. To start a server here: \(parley) up"
        case .rateLimited where error.retryAfterMs > 0:
            return "Try again in \((error.retryAfterMs + 999) / 1000) s."
        case .deadline, .connectionLost: return "Try again. To find the cause: \(parley) doctor"
        case .wrongCredentials: return "To create an account: \(parley) register USERNAME"
        case .acceptFirst: return "Send to the person's username, which accepts the request."
        case .unsupportedURL: return "Use a URL such as wss://chat.example.org, or ws://127.0.0.1:8080 without TLS."
        case .certificateUntrusted:
            return "If your own authority issued the server's certificate, name the authority's file: --ca-file FILE"
        case .certificateWrongHost: return "Use the name that the certificate is for in --url."
        case .certificateExpired: return "Ask the operator of the server to renew it."
        case .invalidAuthorities: return "Name a PEM file of certificates with --ca-file."
        default: return ""
        }
    }
}
