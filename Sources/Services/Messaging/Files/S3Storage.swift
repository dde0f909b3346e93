import CCurl
import Glibc
import ServiceKit
import Synchronization

/// A bucket of any S3-compatible store. The functions block, so they are called on threads of a pool. Requests name the
/// bucket in the path, and objects have their names as keys, without a prefix.
final class S3Storage: FileStorage {
    static var settings: [Setting] {
        [
            Setting(
                "files.s3-endpoint", .text,
                "S3 endpoint for files, https://HOST[:PORT]; if empty, files stay in files.folder"),
            Setting("files.s3-bucket", .text, "S3 bucket"),
            Setting("files.s3-region", .text, default: "us-east-1", "region of the bucket"),
            Setting("files.s3-key-id", .text, "id of the access key"),
            Setting("files.s3-secret", .secret, "secret of the access key"),
        ]
    }

    private let endpoint: String
    private let host: String
    private let bucket: String
    private let signature: S3Signature
    /// Unused handles with their open connections.
    private let idle = Mutex<[CurlHandle]>([])

    /// Returns nil if no S3 endpoint is configured.
    init?(_ settings: Settings) {
        var endpoint = settings.text("files.s3-endpoint")
        guard !endpoint.isEmpty else { return nil }
        while endpoint.last == "/" { endpoint.removeLast() }
        self.endpoint = endpoint
        host = endpoint.split(separator: "/").last.map(String.init) ?? ""
        bucket = settings.text("files.s3-bucket")
        signature = S3Signature(
            region: settings.text("files.s3-region"), keyID: settings.text("files.s3-key-id"),
            secret: settings.text("files.s3-secret"))
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    }

    func keep(_ object: String, of spool: FileSpool) throws(FileFailure) {
        let path = spool.whole(object)
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileSpool.failure("open", path) }
        defer { close(file) }
        let size = Int64(lseek(file, 0, SEEK_END))
        // The request names the hash of its content, so that a store that receives other bytes refuses it.
        let source = DescriptorSource(file)
        let hash = Hex.text(Sodium.sha256 { source.next(256 * 1024) })
        guard source.offset == size else { throw FileSpool.failure("read", path) }
        source.offset = 0
        let answer = try run("PUT", object, payload: hash, sending: (source, size))
        guard answer.status == 200 else { throw failure("store", object, answer.status) }
        spool.remove(object)
    }

    func read(_ object: String, at offset: Int64, _ count: Int) throws(FileFailure) -> [UInt8] {
        guard count > 0 else { return [] }
        let answer = try run("GET", object, range: "bytes=\(offset)-\(offset + Int64(count) - 1)", receiving: count)
        switch answer.status {
        case 200 where offset == 0, 206: return answer.body
        case 416: return []
        default: throw failure("read", object, answer.status)
        }
    }

    func size(_ object: String) throws(FileFailure) -> Int64? {
        let answer = try run("HEAD", object)
        switch answer.status {
        case 200: return answer.length
        case 404: return nil
        default: throw failure("inspect", object, answer.status)
        }
    }

    func remove(_ object: String) throws(FileFailure) {
        let answer = try run("DELETE", object)
        guard answer.status == 204 || answer.status == 200 || answer.status == 404 else {
            throw failure("remove", object, answer.status)
        }
    }

    private func failure(_ doing: String, _ object: String, _ status: Int) -> FileFailure {
        switch status {
        case 404: .missing
        case 507: .full
        case 500...: .unreachable("S3 answered \(status) when asked to \(doing) \(object)")
        default: .broken("S3 answered \(status) when asked to \(doing) \(object)")
        }
    }

    // MARK: One request

    private struct Answer {
        var status: Int
        var length: Int64
        var body: [UInt8]
    }

    private static let emptyHash = S3Signature.hash([])

    private func run(
        _ method: String, _ object: String, payload: String = emptyHash, range: String? = nil,
        sending: (source: DescriptorSource, size: Int64)? = nil, receiving count: Int = 64 * 1024
    ) throws(FileFailure) -> Answer {
        let path = "/\(bucket)/\(object)"
        let time = WallClock.system.now.seconds
        var headers: [(name: String, value: String)] = [
            ("host", host), ("x-amz-content-sha256", payload), ("x-amz-date", S3Signature.stamp(time)),
        ]
        if let range { headers.append(("range", range)) }
        let authorization = signature.authorization(
            method, path: path, headers: headers, payload: payload, time: time)
        headers.append(("authorization", authorization))
        // Send the body without waiting for "100 Continue". Its size is known, so it is not sent in chunks.
        headers.append(("expect", ""))

        let known = idle.withLock { $0.popLast() }
        let handle = if let known { known } else { try CurlHandle() }
        let sink = BoundedSink(limit: count)
        let code = handle.perform(
            method, "\(endpoint)\(path)", headers.map { $0.value.isEmpty ? "\($0.name):" : "\($0.name): \($0.value)" },
            sending: sending, into: sink)
        guard code == CURLE_OK else {
            throw .unreachable("S3 cannot be reached: \(String(cString: curl_easy_strerror(code)))")
        }
        let answer = Answer(status: handle.status, length: handle.length, body: sink.bytes)
        idle.withLock { $0.append(handle) }
        return answer
    }
}

/// A libcurl easy handle, used by one thread at a time. It keeps its connection for the next request.
private final class CurlHandle: @unchecked Sendable {
    // Sendable: only the thread that took it out of the list of idle handles uses it.
    private let handle: UnsafeMutableRawPointer

    init() throws(FileFailure) {
        guard let handle = curl_easy_init() else { throw .broken("libcurl cannot create a handle") }
        self.handle = handle
    }

    deinit { curl_easy_cleanup(handle) }

    var status: Int { parley_curl_status(handle) }
    var length: Int64 { Int64(parley_curl_length(handle)) }

    func perform(
        _ method: String, _ url: String, _ headers: [String], sending: (source: DescriptorSource, size: Int64)?,
        into sink: BoundedSink
    ) -> CURLcode {
        curl_easy_reset(handle)
        _ = parley_curl_set_text(handle, CURLOPT_URL, url)
        _ = parley_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        _ = parley_curl_set_text(handle, CURLOPT_PROXY, "")
        _ = parley_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        _ = parley_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, 5000)
        // Abort a stalled transfer, but not a slow one.
        _ = parley_curl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1024)
        _ = parley_curl_set_long(handle, CURLOPT_LOW_SPEED_TIME, 20)
        var list: UnsafeMutablePointer<curl_slist>?
        for header in headers { list = curl_slist_append(list, header) }
        defer { curl_slist_free_all(list) }
        _ = parley_curl_set_pointer(handle, CURLOPT_HTTPHEADER, list)
        switch method {
        case "HEAD": _ = parley_curl_set_long(handle, CURLOPT_NOBODY, 1)
        case "PUT": _ = parley_curl_set_long(handle, CURLOPT_UPLOAD, 1)
        case "GET": break
        default: _ = parley_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, method)
        }
        // The source and the sink live until this function returns, and libcurl does not call them after that.
        _ = parley_curl_set_pointer(handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(sink).toOpaque())
        _ = parley_curl_set_function(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let sink = Unmanaged<BoundedSink>.fromOpaque(context).takeUnretainedValue()
            return sink.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        guard let (source, size) = sending else { return withExtendedLifetime(sink) { curl_easy_perform(handle) } }
        _ = parley_curl_set_offset(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(size))
        _ = parley_curl_set_pointer(handle, CURLOPT_READDATA, Unmanaged.passUnretained(source).toOpaque())
        _ = parley_curl_set_function(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let source = Unmanaged<DescriptorSource>.fromOpaque(context).takeUnretainedValue()
            return source.fill(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        }
        return withExtendedLifetime((source, sink)) { curl_easy_perform(handle) }
    }
}

/// Reads a file's bytes in order, on one thread.
private final class DescriptorSource {
    private let file: CInt
    var offset: Int64 = 0

    init(_ file: CInt) { self.file = file }

    /// - Returns: the number of bytes read. It is zero at the end and also on an error: the store then receives too few
    ///   bytes and refuses them.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = max(0, pread(file, buffer.baseAddress, buffer.count, off_t(offset)))
        offset += Int64(count)
        return count
    }

    func next(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = fill(UnsafeMutableRawBufferPointer(buffer))
        }
    }
}

/// The body of a reply, up to a limit. A longer body ends the request.
private final class BoundedSink {
    private let limit: Int
    private(set) var bytes: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    func take(_ piece: UnsafeRawBufferPointer) -> Int {
        guard bytes.count + piece.count <= limit else { return 0 }
        bytes.append(contentsOf: piece)
        return piece.count
    }
}
