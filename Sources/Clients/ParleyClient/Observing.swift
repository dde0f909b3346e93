// What comes unasked: Updates, where the client stands, and who follows both.
extension ParleyClient {
    /// A new reading of the Updates from now on, in order of arrival. Each use of this property is a reading of its
    /// own. It ends when its reader is ``Options/updatesHeldMax`` behind (then sync, and take another) and when the
    /// client stops. Updates are missed between sessions: sync when ``states`` says `ready`.
    public var updates: AsyncStream<Update> {
        lastReader += 1
        let number = lastReader
        let (stream, continuation) = AsyncStream.makeStream(
            of: Update.self, bufferingPolicy: .bufferingOldest(options.updatesHeldMax))
        if case .stopped = state {
            continuation.finish()
            return stream
        }
        updateReaders[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.forgetReader(number) }
        }
        return stream
    }

    /// A new reading of where the client stands, beginning with now.
    public var states: AsyncStream<State> {
        lastReader += 1
        let number = lastReader
        let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(16))
        continuation.yield(state)
        if case .stopped = state {
            continuation.finish()
            return stream
        }
        stateReaders[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.forgetReader(number) }
        }
        return stream
    }

    func forgetReader(_ number: Int) {
        updateReaders[number] = nil
        stateReaders[number] = nil
    }

    func add(_ observer: any SessionObserver) {
        observers.append(observer)
        if case .ready = state { observer.sessionBegan(welcome) }
    }

    func remove(_ observer: any SessionObserver) {
        observers.removeAll { $0 === observer }
    }

    /// Tells what a reply to this session said, in place of the Update that the server leaves out for it.
    func notifyObservers(_ body: (any SessionObserver) -> Void) {
        for observer in observers { body(observer) }
    }
}

/// Follows a client on its own thread.
protocol SessionObserver: AnyObject, Sendable {
    /// A session is good. What happened before it may have been missed.
    func sessionBegan(_ welcome: Parley_V1_Welcome)
    /// A change, in order of arrival.
    func received(_ update: Update)
    /// A message as a reply to this session gave it.
    func learned(_ message: Parley_V1_Message)
    /// A conversation as a reply to this session gave it.
    func learned(_ conversation: Parley_V1_Conversation)
    /// How a conversation stands for me, as a reply to this session gave it.
    func learned(_ state: Parley_V1_InboxState)
    /// What I did with a message, as a reply to this session gave it.
    func learned(_ state: Parley_V1_MessageState)
    /// Something of this conversation may have changed: no answer came, or one that does not say it all.
    func unsure(of conversation: String)
    /// Something of my own may have changed: no answer came.
    func unsureOfOwn()
    /// The client stopped for good.
    func stopped(_ problem: ParleyError)
}
