import Observation
import ParleyKit

/// The screen on which a person signs in or registers.
@MainActor
@Observable
public final class SignInModel {
    public var username = ""
    public var password = ""
    /// A code of whoever runs the server, where registering takes one.
    public var code = ""
    /// Whether to ask for ``code``.
    public private(set) var asksForCode = false
    public private(set) var isBusy = false
    /// What to say to the person; nil: nothing.
    public private(set) var problem: String?
    /// Whether the person has just registered, and is to be asked for a name.
    public private(set) var needsSetUp = false
    private let parley: Parley

    public init(_ parley: Parley) { self.parley = parley }

    public var isSignedIn: Bool { parley.user != nil }
    public var canSubmit: Bool { !isBusy && !username.isEmpty && !password.isEmpty }

    /// Why the last sign-in ended; nil: it did not, or the person signed out.
    public var ended: String? { if case .ended(let why) = parley.accountState { why.text } else { nil } }

    public func signIn() async {
        await submit { () throws(Refusal) in
            try await self.parley.signIn(username: self.username, password: self.password)
        }
    }

    public func register() async {
        await submit { () throws(Refusal) in
            try await self.parley.register(
                username: self.username, password: self.password, code: self.code.trimmed)
            self.needsSetUp = true
        }
    }

    /// The person has chosen a name, or does not want to.
    public func finishSetUp() { needsSetUp = false }

    private func submit(_ request: () async throws(Refusal) -> Void) async {
        guard canSubmit else { return }
        isBusy = true
        defer { isBusy = false }
        do {
            try await request()
            (problem, password, code, asksForCode) = (nil, "", "", false)
        } catch {
            if error.code == .registrationCodeRefused { asksForCode = true }
            problem =
                switch error.code {
                case .wrongCredentials: "Username and password do not belong together."
                case .usernameTaken: "Somebody else has this username."
                default: error.text
                }
        }
    }
}
