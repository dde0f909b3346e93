import Glibc
import HTTPClient
import Reactor
import ServiceKit

/// A bucket of any S3-compatible store. Requests name the bucket in the path, and objects have their names as keys,
/// without a prefix.
struct S3Storage: FileStorage {
    nonisolated static var settings: [Setting] {
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
    private let client = HTTPClient(.init(requestsMax: 1024, connectionsMax: 16, mayReachInside: true))
    private let pools: FilePools

    /// Returns nil if no S3 endpoint is configured.
    init?(_ settings: Settings, _ pools: FilePools) {
        var endpoint = settings.text("files.s3-endpoint")
        guard !endpoint.isEmpty else { return nil }
        while endpoint.last == "/" { endpoint.removeLast() }
        self.endpoint = endpoint
        host = endpoint.split(separator: "/").last.map(String.init) ?? ""
        bucket = settings.text("files.s3-bucket")
        signature = S3Signature(
            region: settings.text("files.s3-region"), keyID: settings.text("files.s3-key-id"),
            secret: settings.text("files.s3-secret"))
        self.pools = pools
    }

    func keep(_ object: String, of spool: FileSpool) async throws {
        // The request names the hash of its content, so that a store that receives other bytes refuses it.
        let (size, hash) = try await pools.slow.run { try spool.digest(object) }
        let body = HTTPRequest.Body.stream(size: size) { [pools] offset, count in
            try await pools.quick.run { try spool.read(object, at: offset, count) }
        }
        let reply = try await run("PUT", object, payload: hash, body: body)
        guard reply.status == 200 else { throw failure("store", object, reply.status) }
        try await pools.quick.run { spool.remove(object) }
    }

    func read(_ object: String, at offset: Int64, _ count: Int) async throws -> [UInt8] {
        guard count > 0 else { return [] }
        let range = "bytes=\(offset)-\(offset + Int64(count) - 1)"
        let reply = try await run("GET", object, range: range, replyBytesMax: count)
        switch reply.status {
        case 200 where offset == 0, 206: return reply.body
        case 416: return []
        default: throw failure("read", object, reply.status)
        }
    }

    func size(_ object: String) async throws -> Int64? {
        let reply = try await run("HEAD", object)
        switch reply.status {
        case 200: return reply.contentLength
        case 404: return nil
        default: throw failure("inspect", object, reply.status)
        }
    }

    func remove(_ object: String) async throws {
        let reply = try await run("DELETE", object)
        guard reply.status == 204 || reply.status == 200 || reply.status == 404 else {
            throw failure("remove", object, reply.status)
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

    private static let emptyHash = S3Signature.hash([])

    private func run(
        _ method: String, _ object: String, payload: String = emptyHash, range: String? = nil,
        body: HTTPRequest.Body? = nil, replyBytesMax: Int = 64 * 1024
    ) async throws -> HTTPReply {
        let path = "/\(bucket)/\(object)"
        let time = WallClock.system.now.seconds
        var headers: [(name: String, value: String)] = [
            ("host", host), ("x-amz-content-sha256", payload), ("x-amz-date", S3Signature.stamp(time)),
        ]
        if let range { headers.append(("range", range)) }
        let authorization = signature.authorization(
            method, path: path, headers: headers, payload: payload, time: time)
        headers.append(("authorization", authorization))
        do {
            return try await client.send(
                HTTPRequest(method, endpoint + path, headers: headers, body: body, replyBytesMax: replyBytesMax))
        } catch let failure as HTTPFailure {
            switch failure {
            case .overloaded: throw WorkPool.Overloaded()
            case .unreachable(let why), .timedOut(let why):
                throw FileFailure.unreachable("S3 cannot be reached: \(why)")
            case .tooLarge, .invalid, .inside, .source: throw FileFailure.broken("S3: \(failure)")
            }
        }
    }
}
