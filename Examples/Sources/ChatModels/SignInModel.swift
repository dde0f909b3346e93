import Observation
import ParleyKit

/// The screen on which a person signs in or registers.
@MainActor
@Observable
public final class SignInModel {
    public var username = ""
    public var password = ""
    public private(set) var isBusy = false
    /// What to say to the person; nil: nothing.
    public private(set) var problem: String?
    private let parley: Parley

    public init(_ parley: Parley) { self.parley = parley }

    public var isSignedIn: Bool { parley.user != nil }
    public var canSubmit: Bool { !isBusy && !username.isEmpty && !password.isEmpty }

    public func signIn() async {
        await submit { () throws(Refusal) in
            try await self.parley.signIn(username: self.username, password: self.password)
        }
    }

    public func register() async {
        await submit { () throws(Refusal) in
            try await self.parley.register(username: self.username, password: self.password)
        }
    }

    private func submit(_ request: () async throws(Refusal) -> Void) async {
        guard canSubmit else { return }
        isBusy = true
        defer { isBusy = false }
        do {
            try await request()
            (problem, password) = (nil, "")
        } catch {
            problem =
                switch error.code {
                case .wrongCredentials: "Username and password do not belong together."
                case .usernameTaken: "Somebody else has this username."
                default: error.message
                }
        }
    }
}
