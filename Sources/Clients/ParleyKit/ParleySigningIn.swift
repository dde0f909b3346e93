import ParleyClient

/// How a sign-in begins and ends on this device.
extension Parley {
    /// Returns the page to show to a person before they register, where registering takes a token from it, such as
    /// that of a CAPTCHA; nil: it takes none.
    public func registrationPage() async throws(Refusal) -> String? {
        let challenge = try await askAsAnyone { client throws(ParleyError) in try await client.challenge() }
        return challenge.kind == .token ? challenge.page : nil
    }

    /// Asks what somebody may ask who is not signed in, once the first attempt to connect is over.
    func askAsAnyone<Answer: Sendable>(
        _ request: @Sendable (ParleyClient) async throws(ParleyError) -> Answer
    ) async throws(Refusal) -> Answer {
        await leaving?.value
        await firstAttempt?.value
        guard let client, !isClosed else { throw .wasClosed }
        do {
            return try await request(client)
        } catch {
            throw refusal(error)
        }
    }

    /// Why a request of somebody who is not signed in did not work: without a connection, what keeps it from coming.
    private func refusal(_ error: ParleyError) -> Refusal {
        let refusal = Refusal(error)
        return refusal.code == .offline ? problem ?? refusal : refusal
    }

    func enter(
        _ request: @Sendable (ParleyClient) async throws(ParleyError) -> Parley_V1_SignedIn
    ) async throws(Refusal) {
        guard accountState != .signedIn, !isSigningIn else { throw .alreadySignedIn }
        isSigningIn = true
        defer { isSigningIn = false }
        await leaving?.value
        await firstAttempt?.value
        guard let client, !isClosed else { throw .wasClosed }
        if let problem, problem.code == .otherServer { throw problem }
        let signedIn: Parley_V1_SignedIn
        do {
            signedIn = try await request(client)
        } catch {
            throw refusal(error)
        }
        (ending, problem) = (nil, nil)
        let (me, before) = (UserID(rawValue: signedIn.user.id), account?.me)
        await open(me)
        if let before, before != me { removeWhatEnded(before) }
        guard account?.isLeading ?? false else {
            connecting?.cancel()
            self.client = nil
            await client.close()
            return watch()
        }
        await follow()
    }

    /// Removes what is kept of a person whose sign-in others ended, unless it is to stay.
    func removeWhatEnded(_ user: UserID) {
        guard !options.keepsEndedAccounts else { return }
        do throws(Refusal) {
            try removeFile(of: user)
        } catch {
            note(error, of: .writing)
        }
    }

    func removeFile(of user: UserID) throws(Refusal) {
        guard case .folder(let folder) = options.storage else { return }
        try Account.removeFile(of: user, in: folder, downloads: options.downloadFolder)
    }

    /// Ends the sign-in of this device, and tells the server when it can be told.
    func endSignIn(_ signOut: Credentials.PendingSignOut, of account: Account) async throws(Refusal) {
        var ended: Credentials?
        do {
            ended = ending == nil ? try await credentials.load() : nil
            ended?.signOut = signOut
            if let ended { try await credentials.save(ended) }
        } catch {
            throw Refusal(ofCredentials: error)
        }
        defer { if let ended { sayGoodbye(ended) } }
        try await remove(account)
    }

    /// Tells the server of a sign-out that it does not know of yet.
    func sayGoodbye(_ ended: Credentials) {
        farewell?.cancel()
        farewell = Task { [weak self, server, clientOptions] in
            await Farewell(ended, server: server, options: clientOptions).say()
            if !Task.isCancelled { await self?.forget(ended) }
        }
    }

    /// Removes a sign-in that has ended, unless another took its place. If it cannot be removed, the server is told
    /// again at the next start.
    private func forget(_ ended: Credentials) async {
        do {
            guard let found = try await credentials.loadAny(), found.signOut != nil, found.device == ended.device else {
                return
            }
            try await credentials.save(nil)
            note(nil, of: .credentials)
        } catch {
            note(Refusal(ofCredentials: error), of: .credentials)
        }
    }

    /// Forgets the person who was signed in, also on this device.
    func remove(_ account: Account) async throws(Refusal) {
        await leave()
        (ending, problem) = (nil, nil)
        defer { connect() }
        try removeFile(of: account.me)
    }

    /// Forgets the person who was signed in, on this object.
    func leave() async {
        connecting?.cancel()
        following?.cancel()
        await client?.close()
        client = nil
        await closeAccount()
    }

    func closeAccount() async {
        let old = account
        outbox.close()
        delivered.stop()
        cards.forget()
        overviews.forget()
        (account, user, presence) = (nil, nil, [:])
        for states in shownStates.values { states.forget(in: self) }
        (ownPresence, ownPresenceVersion, activity, watched) = (nil, 0, nil, ([], nil))
        pushSettings = nil
        for list in lists { list.empty() }
        conversations.close()
        badgeCounter?.begin()
        directory.forget()
        (isFromCache, storageProblem, storageProblems) = (true, nil, [:])
        await old?.close()
    }
}
