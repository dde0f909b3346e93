import CCurl
import Synchronization

/// A mail on its way to a mail server, on a thread of its own: libcurl waits for what a server says of a whole mail,
/// and to QUIT, without going on with anything else, which would hold up the loop for minutes.
final class MailTransfer: @unchecked Sendable {
    // Sendable: one thread alone uses it after init, apart from what is atomic.
    private let handle: UnsafeMutableRawPointer
    private let mail: SMTPRequest
    private let timeout: Duration?
    private let isCancelled = Atomic(false)
    private var recipients: UnsafeMutablePointer<curl_slist>?
    private var left: ArraySlice<UInt8>
    private var end: ContinuousClock.Instant?

    /// - Throws: ``HTTPFailure/invalid(_:)``.
    init(_ mail: SMTPRequest, _ options: HTTPClient.Options) throws(HTTPFailure) {
        guard let handle = curl_easy_init() else { throw .unreachable("libcurl: out of memory") }
        (self.handle, self.mail, left, timeout) = (handle, mail, mail.message[...], options.timeout)
        for text in [mail.server, mail.from, mail.recipient, mail.user, mail.password]
        where text.utf8.contains(where: { $0 < 32 || $0 == 127 }) {
            throw .invalid("a control character in “\(text.prefix(80))”")
        }
        guard ["smtp", "smtps"].contains(mail.server.prefix { $0 != ":" }.lowercased()) else {
            throw .invalid("“\(mail.server.prefix(80))” is not an smtp URL")
        }
        setConnection(options)
        setMail()
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(recipients)
    }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }  // lives as the handle

    private static func of(_ context: UnsafeMutableRawPointer?) -> MailTransfer? {
        context.map { Unmanaged<MailTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func setConnection(_ options: HTTPClient.Options) {
        func milliseconds(_ time: Duration) -> Int { max(1, Int(time / .milliseconds(1))) }
        _ = parley_curl_set_text(handle, CURLOPT_URL, mail.server)
        _ = parley_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        _ = parley_curl_set_text(handle, CURLOPT_PROXY, "")
        _ = parley_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        _ = parley_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(options.connectTimeout))
        if let timeout { _ = parley_curl_set_long(handle, CURLOPT_TIMEOUT_MS, milliseconds(timeout)) }
        _ = parley_curl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
        _ = parley_curl_set_long(handle, CURLOPT_LOW_SPEED_TIME, max(1, Int(options.silence.components.seconds)))
        // The connection ends while ``isOver`` is still asked, not with the handle.
        _ = parley_curl_set_long(handle, CURLOPT_FORBID_REUSE, 1)
        if let authorities = options.authorities {
            _ = parley_curl_set_text(handle, CURLOPT_CAINFO, authorities)
            _ = parley_curl_set_text(handle, CURLOPT_CAPATH, nil)
        }
        let security =
            switch mail.security {
            case .none: CURLUSESSL_NONE
            case .ifOffered: CURLUSESSL_TRY
            case .required: CURLUSESSL_ALL
            }
        _ = parley_curl_set_long(handle, CURLOPT_USE_SSL, Int(security.rawValue))
        guard !mail.user.isEmpty else { return }
        _ = parley_curl_set_text(handle, CURLOPT_USERNAME, mail.user)
        _ = parley_curl_set_text(handle, CURLOPT_PASSWORD, mail.password)
    }

    private func setMail() {
        _ = parley_curl_set_text(handle, CURLOPT_MAIL_FROM, "<\(mail.from)>")
        recipients = curl_slist_append(nil, "<\(mail.recipient)>")
        _ = parley_curl_set_pointer(handle, CURLOPT_MAIL_RCPT, recipients)
        _ = parley_curl_set_long(handle, CURLOPT_UPLOAD, 1)
        _ = parley_curl_set_offset(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(mail.message.count))
        _ = parley_curl_set_pointer(handle, CURLOPT_READDATA, context)
        _ = parley_curl_set_function(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
            let room = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            return MailTransfer.of(context)?.give(room) ?? Int(CURL_READFUNC_ABORT)
        }
        // What a server says besides is not for standard output.
        _ = parley_curl_set_function(handle, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
        _ = parley_curl_set_pointer(handle, CURLOPT_XFERINFODATA, context)
        _ = parley_curl_set_progress(handle) { context, _, _, _, _ in MailTransfer.of(context)?.isOver ?? true ? 1 : 0 }
    }

    private func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(room.count, left.count)
        room.copyBytes(from: left.prefix(count))
        left = left.dropFirst(count)
        return count
    }

    /// Asked by libcurl at least each second.
    private var isOver: Bool {
        isCancelled.load(ordering: .relaxed) || end.map { ContinuousClock.now > $0 } ?? false
    }

    /// Ends what ``run()`` does on another thread.
    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Sends the mail. Blocks the thread.
    func run() throws {
        end = timeout.map { .now + $0 }
        let code = curl_easy_perform(handle)
        guard code != CURLE_OK else { return }
        if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
        throw SMTPFailure(code, reply: parley_curl_status(handle), String(cString: curl_easy_strerror(code)))
    }
}
