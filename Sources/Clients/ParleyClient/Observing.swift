// Streams of Updates and states, and the observers inside this library.
extension ParleyClient {
    /// The Updates from now on, in order of arrival. Each use of this property returns a new, independent stream. The
    /// stream ends when the client stops, or when its reader falls more than ``Options/updatesHeldMax`` behind; then
    /// take a new stream and sync. Updates are missed between sessions: sync whenever ``states`` gives `ready`.
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

    /// The states of the client, beginning with the current one. Each use of this property returns a new, independent
    /// stream. A slow reader gets only the latest 16 states. The stream ends when the client stops.
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

    package func add(_ observer: any SessionObserver) {
        observers.append(observer)
        if case .ready = state {
            observer.sessionBegan(welcome)
        } else if session?.beganEarly ?? false {
            observer.sessionBegan(welcome)
        }
    }

    package func remove(_ observer: any SessionObserver) {
        observers.removeAll { $0 === observer }
    }

    /// Passes on what a reply contained, in place of the Update that the server does not send to this session.
    func notifyObservers(_ body: (any SessionObserver) -> Void) {
        for observer in observers { body(observer) }
    }
}

/// Observes a client on the client's event loop.
package protocol SessionObserver: AnyObject, Sendable {
    /// A session began. Updates before it may have been missed. From the second session of the same person on, it is
    /// not welcomed yet, and may still fail: only requests with ``ParleyClient/repeats`` set to false are made already.
    func sessionBegan(_ welcome: Parley_V1_Welcome)
    /// The session ended: none of its requests is answered any more.
    func sessionEnded()
    /// An Update, in order of arrival.
    func received(_ update: Update)
    /// A message from a reply to this session.
    func learned(_ message: Parley_V1_Message)
    /// A conversation from a reply to this session.
    func learned(_ conversation: Parley_V1_Conversation)
    /// An inbox state from a reply to this session.
    func learned(_ state: Parley_V1_InboxState)
    /// A message state from a reply to this session.
    func learned(_ state: Parley_V1_MessageState)
    /// This conversation may have changed: there was no reply, or an incomplete one.
    func unsure(of conversation: String)
    /// My inbox and message states may have changed: there was no reply.
    func unsureOfOwnState()
    /// The client stopped for good.
    func stopped(_ problem: ParleyError)
}
