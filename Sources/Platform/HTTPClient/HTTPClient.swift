import CCurl
import Glibc
import Reactor

/// Sends HTTP requests on the reactor, over libcurl. Connections stay open for later requests.
///
/// Every request is bounded: in time, in the size of the reply, and in the number of requests under way. Redirects are
/// not followed, and proxies of the environment are not used.
///
/// ```swift
/// let client = HTTPClient(.init(requestsMax: 64))
/// let reply = try await client.send(HTTPRequest("PUT", url, headers: [("x-kind", "text")], body: .bytes(text)))
/// ```
@ReactorActor
public final class HTTPClient {
    public struct Options: Sendable {
        /// Further requests are refused with ``HTTPFailure/overloaded``.
        public var requestsMax: Int
        /// Requests beyond this number of connections wait for one.
        public var connectionsMax: Int
        public var connectTimeout: Duration
        /// A transfer that is slower than 1 KiB/s for this long fails.
        public var silence: Duration
        /// The whole request, from waiting for a connection to the last byte of the reply; nil: no limit.
        public var timeout: Duration?
        /// Whether private addresses and those of this machine may be reached. Turn it off for URLs that people give.
        public var mayReachInside: Bool
        /// A file of certificates in PEM: the authorities that alone are trusted; nil: those of the system.
        public var authorities: String?
        /// Whether requests to a host share connections, many at a time, where it speaks HTTP/2. Those that begin
        /// together wait to learn whether it does.
        public var multiplexes: Bool
        /// Of ``connectionsMax``, the most to one host; nil: all of them.
        public var connectionsPerHostMax: Int?

        /// The most requests at a time on one connection, if the host allows as many.
        static let streamsMax = 1000

        public init(
            requestsMax: Int = 256, connectionsMax: Int = 32, connectTimeout: Duration = .seconds(5),
            silence: Duration = .seconds(20), timeout: Duration? = nil, mayReachInside: Bool = false,
            authorities: String? = nil, multiplexes: Bool = false, connectionsPerHostMax: Int? = nil
        ) {
            (self.requestsMax, self.connectionsMax) = (requestsMax, connectionsMax)
            (self.connectTimeout, self.silence, self.timeout) = (connectTimeout, silence, timeout)
            (self.mayReachInside, self.authorities, self.multiplexes) = (mayReachInside, authorities, multiplexes)
            self.connectionsPerHostMax = connectionsPerHostMax
        }
    }

    let options: Options
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer  // Only the reactor's thread uses it after init.
    /// By libcurl's handle.
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var watches: [curl_socket_t: Reactor.Watch] = [:]
    private var timer: Reactor.Timer?
    private let mails: WorkPool
    /// When each connection last brought a reply, by its port on this side. A later one with it takes its place.
    private var heard: [Int: ContinuousClock.Instant] = [:]

    public nonisolated init(_ options: Options = Options()) {
        self.options = options
        mails = WorkPool(threads: options.requestsMax, queue: 1)
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        // It returns null only without memory, of which it needs a few hundred bytes.
        guard let multi = curl_multi_init() else { fatalError("libcurl: out of memory") }
        self.multi = multi
        parley_curl_multi_set(
            multi, Unmanaged.passUnretained(self).toOpaque(),  // libcurl calls it until deinit only.
            { _, socket, what, context, _ in
                let client = HTTPClient.of(context)
                ReactorActor.assumeIsolated { client?.watch(socket, what) }
                return 0
            },
            { _, milliseconds, context in
                let client = HTTPClient.of(context)
                ReactorActor.assumeIsolated { client?.setTimer(milliseconds) }
                return 0
            }, options.connectionsMax, options.connectionsPerHostMax ?? 0, Options.streamsMax)
    }

    isolated deinit {
        if let timer { Reactor.shared.cancel(timer) }
        for watch in watches.values { Reactor.shared.unwatch(watch) }
        // Closing connections would call back.
        parley_curl_multi_set(multi, nil, nil, nil, 0, 0, Options.streamsMax)
        curl_multi_cleanup(multi)
    }

    private static nonisolated func of(_ context: UnsafeMutableRawPointer?) -> HTTPClient? {
        context.map { Unmanaged<HTTPClient>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Sends a request and waits for the whole reply, of any status.
    /// - Throws: ``HTTPFailure``; after `CancellationError` the request may have taken effect.
    public func send(_ request: HTTPRequest) async throws -> HTTPReply {
        guard transfers.count < options.requestsMax else { throw HTTPFailure.overloaded }
        try Task.checkCancellation()
        let transfer = try Transfer(request, options) { [weak self] in self?.drive(CURL_SOCKET_TIMEOUT, 0) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                transfer.continuation = continuation
                transfers[transfer.handle] = transfer
                let code = curl_multi_add_handle(multi, transfer.handle)
                if code != CURLM_OK { end(transfer, .failure(HTTPFailure.unreachable("libcurl refused it: \(code)"))) }
            }
        } onCancel: {
            Task.onLoop { self.end(transfer, .failure(CancellationError())) }
        }
    }

    /// Gives a mail to a mail server, which may be inside, and waits until it has taken it.
    /// - Throws: ``SMTPFailure``, ``HTTPFailure``; after `CancellationError` the server may have taken it.
    public func send(_ mail: SMTPRequest) async throws {
        try Task.checkCancellation()
        let transfer = try MailTransfer(mail, options)
        try await withTaskCancellationHandler {
            do {
                try await mails.run { try transfer.run() }
            } catch is WorkPool.Overloaded {
                throw HTTPFailure.overloaded
            }
        } onCancel: {
            transfer.cancel()
        }
    }

    private func end(_ transfer: Transfer, _ result: Result<HTTPReply, any Error>) {
        guard transfers.removeValue(forKey: transfer.handle) != nil else { return }
        curl_multi_remove_handle(multi, transfer.handle)
        transfer.end(result)
    }

    // MARK: libcurl and the loop

    private func watch(_ socket: curl_socket_t, _ what: CInt) {
        let interest: Reactor.Interest =
            switch what {
            case CURL_POLL_IN: .readable
            case CURL_POLL_OUT: .writable
            case CURL_POLL_INOUT: [.readable, .writable]
            default: []
            }
        guard what != CURL_POLL_REMOVE else {
            if let watch = watches.removeValue(forKey: socket) { Reactor.shared.unwatch(watch) }
            return
        }
        if let watch = watches[socket] { return Reactor.shared.change(watch, to: interest) }
        watches[socket] = Reactor.shared.watch(descriptor: socket, for: interest) { [weak self] ready in
            var events: CInt = 0
            if ready.contains(.readable) { events |= CURL_CSELECT_IN }
            if ready.contains(.writable) { events |= CURL_CSELECT_OUT }
            if ready.contains(.failed) { events |= CURL_CSELECT_ERR }
            self?.drive(socket, events)
        }
    }

    private func setTimer(_ milliseconds: Int) {
        if let timer { Reactor.shared.cancel(timer) }
        // Never drives libcurl from here, since libcurl itself calls this function.
        timer =
            milliseconds < 0
            ? nil
            : Reactor.shared.after(.milliseconds(milliseconds)) { [weak self] in
                self?.timer = nil
                self?.drive(CURL_SOCKET_TIMEOUT, 0)
            }
    }

    /// Ends a connection that many requests share and that has said nothing since this one began. libcurl ends only the
    /// request, and would send the next ones into the same silence.
    private func giveUp(connectionOf transfer: Transfer) {
        guard let socket = transfer.socket else { return }
        if let last = heard[transfer.localPort], last > transfer.begun { return }
        shutdown(socket, CInt(SHUT_RDWR))
    }

    private func drive(_ socket: curl_socket_t, _ events: CInt) {
        var running: CInt = 0
        curl_multi_socket_action(multi, socket, events, &running)
        var code = CURLE_OK
        while let handle = parley_curl_multi_ended(multi, &code) {
            guard let transfer = transfers[handle] else { continue }
            if code == CURLE_OK, options.multiplexes { heard[transfer.localPort] = .now }
            if code == CURLE_OPERATION_TIMEDOUT { giveUp(connectionOf: transfer) }
            end(transfer, transfer.result(code))
        }
    }
}
