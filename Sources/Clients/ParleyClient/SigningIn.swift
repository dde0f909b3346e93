import NIOCore
import SwiftProtobuf

// Signing a session in with tokens, and keeping it signed in.
extension ParleyClient {
    /// Signs the current session in with an access token, or extends it. The token is used for later sessions, too, and
    /// is not stored.
    @discardableResult
    public func authenticate(token: String) async throws(ParleyError) -> Parley_V1_Authenticated {
        do {
            let link = try await readyLink(until: .now() + TimeAmount(options.deadline))
            return try await authenticate(token: token, over: link)
        } catch {
            throw (error as? Ended)?.problem ?? ParleyError(wrapping: error)
        }
    }

    /// Names the person's time zone by its IANA name, after they have travelled: for the requests after this call, and
    /// for later sessions. Empty: not known.
    public func setTimeZone(_ name: String) {
        timeZone = name
        guard let session, session.isGreeted, !session.isClosed else { return }
        // A session whose link is gone is followed by one that names the zone in its hello.
        try? session.link?.send(Parley_V1_ClientFrame.with { $0.setTimeZone.timeZone = name })
    }

    func authenticate(token: String, over link: Link) async throws -> Parley_V1_Authenticated {
        guard session?.isClosed == false else { throw ParleyError.notConnected }
        let promise = eventLoop.makePromise(of: Parley_V1_Authenticated.self)
        session?.authenticated.append(promise)
        let late = eventLoop.scheduleTask(in: TimeAmount(options.deadline)) { promise.fail(ParleyError.deadline) }
        defer { late.cancel() }
        try link.send(Parley_V1_ClientFrame.with { $0.authenticate.token = token })
        let answer = try await promise.futureResult.get()
        self.token = token
        return answer
    }

    /// Stores new credentials and signs the session in with them.
    func adopt(_ signedIn: Parley_V1_SignedIn, over link: Link? = nil) async throws(ParleyError) {
        do {
            let fresh = Credentials(signedIn)
            credentials = fresh
            token = fresh.accessToken
            try await store?.save(fresh)
            if answering != nil { return }
            let link = if let link { link } else { try await readyLink(until: .now() + TimeAmount(options.deadline)) }
            _ = try await authenticate(token: fresh.accessToken, over: link)
        } catch {
            throw (error as? Ended)?.problem ?? ParleyError(wrapping: error)
        }
    }

    /// Removes the credentials, also from the store.
    func forgetCredentials() async throws(ParleyError) {
        (credentials, token) = (nil, "")
        do {
            try await store?.save(nil)
        } catch {
            throw ParleyError(wrapping: error)
        }
    }

    /// Gets a new access token now, saves it and extends the session with it. The client does this automatically before
    /// the old token expires. Concurrent calls share one refresh.
    public func refresh() async throws(ParleyError) {
        do {
            let link = try await readyLink(until: .now() + TimeAmount(options.deadline))
            try await refresh(over: link)
        } catch {
            throw (error as? Ended)?.problem ?? ParleyError(wrapping: error)
        }
    }

    func refresh(over link: Link) async throws {
        if let refreshing { return try await refreshing.value }
        let task = Task { try await self.refreshOnce(over: link) }
        refreshing = task
        defer { refreshing = nil }
        try await task.value
    }

    func refreshOnce(over link: Link) async throws {
        guard let store else { return try await exchangeRefreshToken(over: link) }
        try await store.exclusively {
            guard try await !self.takeOverSaved(from: store, over: link) else { return }
            try await self.exchangeRefreshToken(over: link)
        }
    }

    /// Takes over credentials that another process saved in the same store meanwhile.
    /// - Returns: whether their access token is still valid and the session was signed in with it.
    func takeOverSaved(from store: any CredentialStore, over link: Link) async throws -> Bool {
        guard let saved = try await store.load(), let held = credentials, saved.device == held.device,
            saved.refreshToken != held.refreshToken
        else { return false }
        credentials = saved
        guard saved.accessEndsUs > max(held.accessEndsUs, clock.now() + 15_000_000) else { return false }
        _ = try await authenticate(token: saved.accessToken, over: link)
        return true
    }

    func exchangeRefreshToken(over link: Link) async throws {
        guard let credentials else { throw Ended(reaction: .signInAgain, problem: .unauthenticated) }
        let request = Parley_V1_RefreshTokensRequest.with { $0.refreshToken = credentials.refreshToken }
        let fresh: Parley_V1_SignedIn
        do throws(ParleyError) {
            fresh = try await call(
                ConversationsMethods.refreshTokens, key: credentials.user, request, deadline: nil, over: link,
                noticed: nil)
        } catch {
            throw Ended(reaction: error.hasCode(.refreshRefused) ? .signInAgain : .wait, problem: error)
        }
        try await adopt(fresh, over: link)
    }

    func scheduleRefresh() {
        refreshTimer?.cancel()
        guard let credentials, welcome.sessionEndsUs > 0 else { return }
        refreshAfter(
            .microseconds(
                SessionMachine.refreshAfter(
                    sessionEndsUs: welcome.sessionEndsUs, accessEndsUs: credentials.accessEndsUs, now: clock.now())))
    }

    func refreshAfter(_ wait: TimeAmount) {
        refreshTimer = eventLoop.scheduleTask(in: wait) { [weak self] in
            guard let self else { return }
            Task {
                await self.refreshIsDue()
            }
        }
    }

    private func refreshIsDue() async {
        refreshTimer = nil
        do throws(ParleyError) {
            try await refresh()
            // A refresh that was already under way set its timer earlier. That timer has just fired, so set a new one.
            if refreshTimer == nil { scheduleRefresh() }
        } catch {
            // After any other error the session ends with its token, and the next attempt reports the reason.
            if error.isRetriable { refreshAfter(.seconds(5)) }
        }
    }
}
