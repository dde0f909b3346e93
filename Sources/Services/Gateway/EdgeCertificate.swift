import Logging
import Metrics
import NIOCore
import NIOSSL
import Reactor
import ServiceKit
import Synchronization

/// Where the certificate is that the gateway shows to clients, and its key: files in PEM.
public struct CertificateFiles: Sendable {
    /// The server's own certificate, then those between it and a root that clients trust.
    public var certificate: String
    /// Nobody but the process's account and group may read it.
    public var key: String

    public init(certificate: String, key: String) {
        (self.certificate, self.key) = (certificate, key)
    }
}

/// What connections begin TLS with: as the files had it when they were last looked at and were right.
struct EdgeIdentity: Sendable {
    /// Why files cannot be used, with what to do.
    struct Problem: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    private static let fileBytesMax = 1 << 20
    /// For a client to take its leave; what it does not end by then is cut.
    private static let leave = TimeAmount.seconds(1)

    let context: NIOSSLContext
    /// Seconds since 1970.
    let expiresAt: Int64

    /// Reads both files and checks that clients can accept what is in them. Takes some milliseconds.
    /// - Parameter now: microseconds since 1970.
    static func read(_ files: CertificateFiles, at now: Int64) throws(Problem) -> EdgeIdentity {
        let chain = try chain(files.certificate)
        let key = try key(files.key)
        guard let own = chain.first else { throw Problem(description: "\(files.certificate) has no certificate in it") }
        try check(own, at: files.certificate, now: now / 1_000_000)
        guard let context = try? context(chain, key) else {
            throw Problem(
                description: "the key in \(files.key) is not that of the first certificate in \(files.certificate): "
                    + "give the two files that belong together, with the server's own certificate first")
        }
        return EdgeIdentity(context: context, expiresAt: Int64(own.notValidAfter))
    }

    private static func chain(_ path: String) throws(Problem) -> [NIOSSLCertificate] {
        let bytes = try contents(of: path)
        do {
            return try NIOSSLCertificate.fromPEMBytes(bytes)
        } catch {
            throw Problem(
                description: "\(path) is no certificate in PEM: give the server's certificate and those between it and "
                    + "the root (certbot calls that fullchain.pem)")
        }
    }

    private static func key(_ path: String) throws(Problem) -> NIOSSLPrivateKey {
        if File.isOpenToOthers(path) {
            throw Problem(
                description: "others can read \(path), so it is no secret: chmod 600 it, and get a new key and "
                    + "certificate if they may have")
        }
        let bytes = try contents(of: path)
        guard let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) else {
            let isLocked = String(decoding: bytes, as: UTF8.self).contains("ENCRYPTED")
            throw Problem(
                description: isLocked
                    ? "the key in \(path) is locked by a passphrase: give one without"
                    : "\(path) is no private key in PEM (certbot calls it privkey.pem)")
        }
        return key
    }

    private static func contents(of path: String) throws(Problem) -> [UInt8] {
        do {
            return try File.read(path, limit: fileBytesMax)
        } catch {
            throw Problem(description: error.description)
        }
    }

    private static func check(_ own: NIOSSLCertificate, at path: String, now: Int64) throws(Problem) {
        guard Int64(own.notValidAfter) > now else {
            throw Problem(
                description:
                    "the certificate in \(path) ran out on \(UTC.text(Int64(own.notValidAfter))): get a new one")
        }
        guard Int64(own.notValidBefore) <= now else {
            throw Problem(
                description:
                    "the certificate in \(path) is valid from \(UTC.text(Int64(own.notValidBefore))) only: wait "
                    + "for that, or set this machine's clock right")
        }
    }

    private static func context(_ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = leave
        return try NIOSSLContext(configuration: configuration)
    }
}

/// The certificate of this gateway: what new connections begin with, replaced when its files are. Running sessions go
/// on with what they began with.
@ReactorActor
final class EdgeCertificate {
    private nonisolated let current: Mutex<NIOSSLContext>

    private let files: CertificateFiles
    private let interval: Duration
    private let clock: WallClock
    private let log: Logger
    private let pool = WorkPool(threads: 1, queue: 1)
    private let expires = Gauge(label: "parley_gateway_certificate_expires_seconds")
    /// Seconds since 1970.
    private(set) var expiresAt: Int64 { didSet { expires.record(expiresAt) } }
    /// Of the files that `current` is made of.
    private var used: [File.Stamp?]
    /// What was last said of files that cannot be used; empty: they can.
    private var complaint = ""
    private var repetition: Reactor.Repetition?
    private var isLooking = false

    /// - Parameter interval: between two looks at the files.
    /// - Throws: ``StartRefused`` with 64 and what to do.
    init(_ files: CertificateFiles, every interval: Duration, clock: WallClock, log: Logger) throws(StartRefused) {
        (self.files, self.interval, self.clock, self.log) = (files, interval, clock, log)
        // Before they are read: what changes meanwhile is noticed with the next look.
        used = Self.stamps(files)
        do {
            let identity = try EdgeIdentity.read(files, at: clock.now)
            current = Mutex(identity.context)
            expiresAt = identity.expiresAt
            expires.record(expiresAt)
        } catch {
            throw StartRefused(
                "listen.tls-certificate.file and listen.tls-key.file: \(error.description)", code: 64)
        }
    }

    /// For one new connection.
    nonisolated func handler() -> NIOSSLServerHandler {
        var configuration = NIOSSLServerHandler.Configuration()
        // Most connections are idle most of the time.
        configuration.maximumPreservedOutboundBufferCapacity = 4096
        return NIOSSLServerHandler(context: current.withLock { $0 }, configuration: configuration)
    }

    func start() {
        repetition = Reactor.shared.every(interval) { [weak self] in
            Task.immediate { @ReactorActor in await self?.look() }
        }
    }

    func stop() { repetition?.cancel() }

    /// Takes over what is in the files when that is new and right. Files that are wrong are looked at again each time:
    /// they may have been half written, and said of once.
    func look() async {
        guard !isLooking else { return }
        isLooking = true
        defer { isLooking = false }
        let (files, used, now) = (files, used, clock.now)
        // nil: they are those in use.
        let found = try? await pool.run { () -> (stamps: [File.Stamp?], Result<EdgeIdentity, EdgeIdentity.Problem>)? in
            let stamps = Self.stamps(files)
            guard stamps != used else { return nil }
            return (stamps, Result { () throws(EdgeIdentity.Problem) in try EdgeIdentity.read(files, at: now) })
        }
        guard let (stamps, result) = found else {
            complaint = ""
            return
        }
        switch result {
        case .success(let identity):
            (self.used, complaint) = (stamps, "")
            current.withLock { $0 = identity.context }
            expiresAt = identity.expiresAt
            log.notice(
                "new connections get the new certificate",
                metadata: ["file": "\(files.certificate)", "until": "\(UTC.text(identity.expiresAt))"])
        case .failure(let problem):
            guard complaint != problem.description else { return }
            complaint = problem.description
            log.error(
                "the new certificate is of no use, the one before stays",
                metadata: ["why": "\(problem)", "file": "\(files.certificate)"])
        }
    }

    private nonisolated static func stamps(_ files: CertificateFiles) -> [File.Stamp?] {
        [File.Stamp(files.certificate), File.Stamp(files.key)]
    }
}
