import Foundation
import ParleyClient

/// My account, and the devices on which I am signed in to it.
extension Parley {
    /// Signs this device in.
    /// - Parameter deviceName: how I recognize it among my devices.
    /// - Throws: `wrong_credentials`; `already_signed_in`; what ``Parley/problem`` says without a connection, such as
    ///   that no server answers at this URL.
    public func signIn(
        username: String, password: String, deviceName: String = ""
    ) async throws(Refusal) {
        try await enter { client throws(ParleyError) in
            try await client.signIn(username: username, password: password, deviceName: deviceName)
        }
    }

    /// Creates an account and signs this device in.
    /// - Parameters:
    ///   - displayName: empty: the username.
    ///   - deviceName: how I recognize it among my devices.
    ///   - code: a code of whoever runs the server, where registering takes one.
    ///   - proof: a token of ``registrationPage()``, where registering takes one. Work is done without it, in seconds.
    public func register(
        username: String, password: String, displayName: String = "", deviceName: String = "", code: String = "",
        proof: String = ""
    ) async throws(Refusal) {
        try await enter { client throws(ParleyError) in
            try await client.register(
                username: username, password: password, displayName: displayName, deviceName: deviceName, code: code,
                proof: proof)
        }
    }

    /// Who is signed in on this device.
    ///
    ///     switch parley.accountState {
    ///     case .signedOut: showSignIn()
    ///     case .ended(let why): showSignIn(why.message)
    ///     case .signingIn: showProgress()
    ///     case .signedIn: showChats()
    ///     }
    public enum AccountState: Hashable, Sendable {
        /// Nobody.
        case signedOut
        /// Somebody is about to be: signing in or registering is under way.
        case signingIn
        /// Me, ``Parley/user``.
        case signedIn
        /// Others ended my sign-in, or it ran out. What the device kept of me is removed, or stays until somebody signs
        /// in: ``Parley/Options/keepsEndedAccounts``. Anybody may sign in.
        case ended(Refusal)
    }

    /// Signs this device out and removes what it kept of me. Without a connection it does so, too: the server is told
    /// when there is one again, also after the app has started anew.
    /// - Parameters:
    ///   - everywhere: signs out all other devices of mine, too.
    ///   - endingCalendarLink: ends the secret link to my calendar, which otherwise stays: offer it with `everywhere`.
    /// - Throws: `unsent_work` when something is not sent yet, unless it is to be discarded; `storage_failed` when the
    ///   device cannot tell what is unsent or, after it was signed out, cannot remove what it kept.
    public func signOut(
        discardingUnsent: Bool = false, everywhere: Bool = false, endingCalendarLink: Bool = false
    ) async throws(Refusal) {
        guard let account else { throw isClosed ? .wasClosed : .signedOut }
        let unsent: Int
        do {
            unsent = try await account.store.read { try $0.unsent().count }
        } catch {
            guard discardingUnsent else { throw StoreProblem(error).refusal }
            unsent = 0
        }
        guard unsent == 0 || discardingUnsent else {
            throw Refusal(
                .unsentWork,
                "Not sent yet: \(unsent) of your changes. Wait until they are, try refused ones again, or discard them."
            )
        }
        let signOut = Credentials.PendingSignOut(everywhere: everywhere, endingCalendarLink: endingCalendarLink)
        if await isTold(signOut) { try await remove(account) } else { try await endSignIn(signOut, of: account) }
    }

    /// Whether the server knows of a sign-out now.
    private func isTold(_ signOut: Credentials.PendingSignOut) async -> Bool {
        guard let client, connection == .online, accountState == .signedIn else { return false }
        do {
            try await client.signOut(
                everywhere: signOut.everywhere, endingCalendarLink: signOut.endingCalendarLink)
            return true
        } catch {
            return false
        }
    }

    /// Erases my account on the server and removes what this device kept of me. It cannot be undone: others keep the
    /// messages that I sent them, without my name.
    /// - Throws: `wrong_credentials`; `rate_limited` after several of those; `offline` without a connection;
    ///   `storage_failed` when the account is erased, but what the device kept cannot be removed.
    public func eraseAccount(password: String) async throws(Refusal) {
        try await eraseAccount(owner: .password(password))
    }

    /// Erases my account, as ``eraseAccount(password:)`` does.
    /// - Parameter owner: what shows that I ask.
    /// - Throws: as ``eraseAccount(password:)``, and those of ``OwnerProof``.
    public func eraseAccount(owner: OwnerProof) async throws(Refusal) {
        guard let account, let client else { throw .signedOut }
        do {
            try await client.erase(owner: owner.inContract)
        } catch {
            throw Refusal(error)
        }
        try await remove(account)
    }

    /// Returns my devices, the one used last first.
    /// - Throws: `offline` without a connection.
    public func devices() async throws(Refusal) -> [SignedInDevice] {
        try await ask { client throws(ParleyError) in try await client.devices().map(SignedInDevice.init) }
    }

    /// Signs one of my devices out. Its sessions end within two seconds. This device signs out by
    /// ``signOut(discardingUnsent:everywhere:endingCalendarLink:)``.
    /// - Throws: `not_found`; `offline` without a connection.
    public func signOut(device: SignedInDevice.ID) async throws(Refusal) {
        try await ask { client throws(ParleyError) in try await client.revokeDevice(device) }
    }
}
