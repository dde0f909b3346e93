import CCurl
import Glibc
import Reactor

/// One request under way, with libcurl's handle for it.
@ReactorActor
final class Transfer {
    nonisolated(unsafe) let handle: UnsafeMutableRawPointer  // Only the reactor's thread uses it.
    var continuation: CheckedContinuation<HTTPReply, any Error>?

    private let request: HTTPRequest
    private let mayReachInside: Bool
    private let resumed: @ReactorActor () -> Void
    let begun = ContinuousClock.now
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var headers: [String: String] = [:]
    /// Of all heads, also interim ones.
    private var headBytes = 0
    private var body: [UInt8] = []
    private var failure: HTTPFailure?

    // The body to send.
    private var piece: ArraySlice<UInt8> = []
    private var left: Int64 = 0
    private var fetching: Task<Void, Never>?

    /// The bytes of a streamed body that are held at a time.
    private static let pieceBytes = 256 * 1024
    /// A reply with longer headers is refused.
    static let headBytesMax = 64 * 1024

    /// - Parameter resumed: called after a paused transfer may go on.
    /// - Throws: ``HTTPFailure/invalid(_:)``.
    init(
        _ request: HTTPRequest, _ options: HTTPClient.Options, resumed: @escaping @ReactorActor () -> Void
    ) throws(HTTPFailure) {
        guard let handle = curl_easy_init() else { throw .unreachable("libcurl: out of memory") }
        (self.handle, self.request, self.resumed) = (handle, request, resumed)
        mayReachInside = options.mayReachInside
        for text in [request.method, request.url] + request.headers.flatMap({ [$0.name, $0.value] })
        where text.utf8.contains(where: { $0 < 32 || $0 == 127 }) {
            throw .invalid("a control character in “\(text.prefix(80))”")
        }
        let scheme = request.url.prefix { $0 != ":" }.lowercased()
        guard ["http", "https"].contains(scheme) else {
            throw .invalid("“\(request.url.prefix(80))” is not an http URL")
        }
        setOptions(options)
        setHeaders()
        setBody()
    }

    isolated deinit {
        fetching?.cancel()
        curl_easy_cleanup(handle)
        curl_slist_free_all(headerList)
    }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }  // lives as the handle

    private nonisolated static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func setOptions(_ options: HTTPClient.Options) {
        func milliseconds(_ time: Duration) -> Int { max(1, Int(time / .milliseconds(1))) }
        _ = parley_curl_set_text(handle, CURLOPT_URL, request.url)
        _ = parley_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        _ = parley_curl_set_text(handle, CURLOPT_PROXY, "")
        _ = parley_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        _ = parley_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(options.connectTimeout))
        if let timeout = options.timeout {
            _ = parley_curl_set_long(handle, CURLOPT_TIMEOUT_MS, milliseconds(timeout))
        }
        _ = parley_curl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1024)
        _ = parley_curl_set_long(handle, CURLOPT_LOW_SPEED_TIME, max(1, Int(options.silence.components.seconds)))
        if let authorities = options.authorities {
            _ = parley_curl_set_text(handle, CURLOPT_CAINFO, authorities)
            _ = parley_curl_set_text(handle, CURLOPT_CAPATH, nil)
        }
        if options.multiplexes {
            _ = parley_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
            _ = parley_curl_set_long(handle, CURLOPT_PIPEWAIT, 1)
        }
        guard !options.mayReachInside else { return }
        _ = parley_curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
        _ = parley_curl_set_open(handle) { context, _, address in
            guard let address else { return curl_socket_t(CURL_SOCKET_BAD) }
            let isInside = withUnsafePointer(to: &address.pointee.addr) { NetworkAddress($0)?.isInside ?? true }
            guard !isInside else {
                let transfer = Transfer.of(context)
                ReactorActor.assumeIsolated { transfer?.failure = .inside }
                return curl_socket_t(CURL_SOCKET_BAD)
            }
            return Glibc.socket(
                address.pointee.family, address.pointee.socktype | CInt(SOCK_CLOEXEC.rawValue), address.pointee.protocol
            )
        }
    }

    private func setHeaders() {
        // An empty value would remove a header of libcurl's, and a semicolon sends one without a value. "Expect" is
        // removed, so that a body is sent without waiting for "100 Continue".
        for (name, value) in request.headers {
            headerList = curl_slist_append(headerList, value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        headerList = curl_slist_append(headerList, "Expect:")
        _ = parley_curl_set_pointer(handle, CURLOPT_HTTPHEADER, headerList)
        _ = parley_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        _ = parley_curl_set_function(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            let (line, transfer) = (UnsafeRawBufferPointer(start: bytes, count: size * count), Transfer.of(context))
            return ReactorActor.assumeIsolated { transfer?.take(header: line) ?? 0 }
        }
        _ = parley_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        _ = parley_curl_set_function(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            let (piece, transfer) = (UnsafeRawBufferPointer(start: bytes, count: size * count), Transfer.of(context))
            return ReactorActor.assumeIsolated { transfer?.take(piece) ?? 0 }
        }
    }

    private func setBody() {
        switch request.body {
        case nil where request.method == "HEAD": _ = parley_curl_set_long(handle, CURLOPT_NOBODY, 1)
        case nil: _ = parley_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
        case .bytes(let bytes):
            (piece, left) = (bytes[...], Int64(bytes.count))
            setUpload()
        case .stream(let size, _):
            left = size
            setUpload()
        }
    }

    private func setUpload() {
        _ = parley_curl_set_long(handle, CURLOPT_UPLOAD, 1)
        _ = parley_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
        _ = parley_curl_set_offset(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(left))
        _ = parley_curl_set_pointer(handle, CURLOPT_READDATA, context)
        _ = parley_curl_set_function(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
            let (room, transfer) = (
                UnsafeMutableRawBufferPointer(start: bytes, count: size * count), Transfer.of(context)
            )
            return ReactorActor.assumeIsolated { transfer?.give(room) ?? Int(CURL_READFUNC_ABORT) }
        }
    }

    // MARK: The body to send

    private func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
        guard failure == nil else { return Int(CURL_READFUNC_ABORT) }
        guard left > 0 else { return 0 }
        guard !piece.isEmpty else {
            fetch()
            return Int(CURL_READFUNC_PAUSE)
        }
        let count = min(room.count, piece.count)
        room.copyBytes(from: piece.prefix(count))
        piece = piece.dropFirst(count)
        left -= Int64(count)
        return count
    }

    private func fetch() {
        guard fetching == nil, case .stream(let size, let read) = request.body else { return }
        let (offset, count) = (size - left, Int(min(left, Int64(Self.pieceBytes))))
        fetching = Task.onLoop { [weak self] in
            let fetched: Result<[UInt8], any Error>
            do { fetched = .success(try await read(offset, count)) } catch { fetched = .failure(error) }
            self?.fetched(fetched)
        }
    }

    private func fetched(_ result: Result<[UInt8], any Error>) {
        fetching = nil
        guard continuation != nil else { return }
        switch result {
        case .success(let bytes) where bytes.isEmpty: failure = .source("it ended \(left) bytes early")
        case .success(let bytes): piece = bytes.prefix(Int(clamping: left))
        case .failure(let error): failure = .source("\(error)")
        }
        curl_easy_pause(handle, CURLPAUSE_CONT)
        resumed()
    }

    // MARK: The reply

    /// The port on this side of the connection that the request had.
    var localPort: Int { parley_curl_local_port(handle) }

    /// The connection that the request had, if it is still open. libcurl tells it only to the last that had it.
    var socket: curl_socket_t? {
        let socket = parley_curl_connection(handle)
        return socket == curl_socket_t(CURL_SOCKET_BAD) ? nil : socket
    }

    private func take(header line: UnsafeRawBufferPointer) -> Int {
        headBytes += line.count
        guard headBytes <= Self.headBytesMax else {
            failure = .tooLarge
            return 0
        }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // Of an interim reply (1xx) nothing is kept.
            headers = [:]
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].filter { !$0.isNewline }
            headers[text[..<colon].lowercased()] = String(value.drop { $0 == " " || $0 == "\t" })
        }
        return line.count
    }

    private func take(_ piece: UnsafeRawBufferPointer) -> Int {
        guard body.count + piece.count <= request.replyBytesMax else {
            failure = .tooLarge
            return 0
        }
        body.append(contentsOf: piece)
        return piece.count
    }

    func result(_ code: CURLcode) -> Result<HTTPReply, any Error> {
        if code == CURLE_OK {
            let (status, version) = (parley_curl_status(handle), parley_curl_version(handle))
            return .success(HTTPReply(status: status, headers: headers, body: body, version: version))
        }
        if let failure { return .failure(failure) }
        let why = String(cString: curl_easy_strerror(code))
        switch code {
        case CURLE_OPERATION_TIMEDOUT: return .failure(HTTPFailure.timedOut(why))
        case CURLE_URL_MALFORMAT: return .failure(HTTPFailure.invalid(why))
        default: return .failure(HTTPFailure.unreachable(why))
        }
    }

    func end(_ result: Result<HTTPReply, any Error>) {
        fetching?.cancel()
        continuation?.resume(with: result)
        continuation = nil
    }
}
