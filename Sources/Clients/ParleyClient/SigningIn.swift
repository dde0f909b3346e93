import NIOCore
import SwiftProtobuf

// Tokens: signing a session in, and keeping it signed in.
extension ParleyClient {
    /// Signs the running session in, or extends it.
    @discardableResult
    public func authenticate(token: String) async throws(ParleyError) -> Parley_V1_Authenticated {
        do {
            let link = try await readyLink(until: .now() + TimeAmount(options.deadline))
            return try await authenticate(token: token, over: link)
        } catch {
            throw (error as? Ended)?.problem ?? ParleyError(wrapping: error)
        }
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

    /// Keeps what the server gave and signs the session in with it.
    func adopt(_ signedIn: Parley_V1_SignedIn, over link: Link? = nil) async throws(ParleyError) {
        do {
            let fresh = Credentials(signedIn)
            credentials = fresh
            token = fresh.accessToken
            try await store?.save(fresh)
            let link = if let link { link } else { try await readyLink(until: .now() + TimeAmount(options.deadline)) }
            _ = try await authenticate(token: fresh.accessToken, over: link)
        } catch {
            throw (error as? Ended)?.problem ?? ParleyError(wrapping: error)
        }
    }

    /// Forgets who was signed in here.
    func forgetCredentials() async throws(ParleyError) {
        (credentials, token) = (nil, "")
        do {
            try await store?.save(nil)
        } catch {
            throw ParleyError(wrapping: error)
        }
    }

    /// Gets a new access token now, saves it and extends the session with it. Done by itself before the old one ends;
    /// calls at the same time are one.
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

    /// What another process with the same store has got meanwhile replaces what this one holds.
    /// - Returns: whether that is good enough to go on with.
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
            throw Ended(reaction: error.code == "refresh_refused" ? .signInAgain : .wait, problem: error)
        }
        try await adopt(fresh, over: link)
    }

    func scheduleRefresh() {
        refreshTimer?.cancel()
        guard let credentials, welcome.sessionEndsUs > 0 else { return }
        let left = min(welcome.sessionEndsUs, credentials.accessEndsUs) - clock.now()
        let early = min(60_000_000, left / 4)
        refreshAfter(.microseconds(max(left - early, 100_000)))
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
            // One that was under way already set its timer before it ended: that was this one.
            if refreshTimer == nil { scheduleRefresh() }
        } catch {
            // Otherwise the session ends when its token does, and the next one says why.
            if error.isRetriable { refreshAfter(.seconds(5)) }
        }
    }
}
