import Logging
import Metrics
import NIOCore
import NIOSSL
import Reactor
import Schema
import ServiceKit
import Synchronization

/// The PEM files of the certificate that the gateway presents to clients, and of its key.
public struct CertificateFiles: Sendable {
    /// The path of the server's certificate, followed by the intermediate certificates up to a trusted root.
    public var certificate: String
    /// The path of the private key, readable only by the process's account and group.
    public var key: String

    public init(certificate: String, key: String) {
        (self.certificate, self.key) = (certificate, key)
    }
}

/// The certificate and key for new TLS connections, as last read from valid files.
struct EdgeIdentity: Sendable {
    /// Why the files cannot be used, and what to do.
    struct Problem: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    private static let fileBytesMax = 1 << 20
    /// How long a client may take for the closing handshake of TLS before the connection is cut.
    private static let shutdownTimeout = TimeAmount.seconds(1)

    let context: NIOSSLContext
    /// Seconds since 1970.
    let expiresAt: Int64

    /// Reads both files and checks that clients can accept the certificate. Takes some milliseconds.
    static func read(_ files: CertificateFiles, at now: Timestamp) throws(Problem) -> EdgeIdentity {
        let chain = try chain(files.certificate)
        let key = try key(files.key)
        guard let own = chain.first else { throw Problem(description: "\(files.certificate) contains no certificate") }
        try check(own, at: files.certificate, now: now.seconds)
        guard let context = try? context(chain, key) else {
            throw Problem(
                description: "the key in \(files.key) does not belong to the first certificate in "
                    + "\(files.certificate): give matching files, with the server's own certificate first")
        }
        return EdgeIdentity(context: context, expiresAt: Int64(own.notValidAfter))
    }

    private static func chain(_ path: String) throws(Problem) -> [NIOSSLCertificate] {
        let bytes = try contents(of: path)
        do {
            return try NIOSSLCertificate.fromPEMBytes(bytes)
        } catch {
            throw Problem(
                description: "\(path) is not a certificate in PEM: give the server's certificate followed by the "
                    + "intermediate certificates (certbot calls that file fullchain.pem)")
        }
    }

    private static func key(_ path: String) throws(Problem) -> NIOSSLPrivateKey {
        if File.isOpenToOthers(path) {
            throw Problem(
                description: "\(path) can be read by others: chmod 600 it, and get a new key and certificate if "
                    + "somebody may have read it")
        }
        let bytes = try contents(of: path)
        guard let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) else {
            let isLocked = String(decoding: bytes, as: UTF8.self).contains("ENCRYPTED")
            throw Problem(
                description: isLocked
                    ? "the key in \(path) is encrypted with a passphrase: give a key without one"
                    : "\(path) is not a private key in PEM: give the key's file (certbot calls it privkey.pem)")
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
                    "the certificate in \(path) expired on \(UTC.text(Int64(own.notValidAfter))): get a new one")
        }
        guard Int64(own.notValidBefore) <= now else {
            throw Problem(
                description:
                    "the certificate in \(path) is not valid before \(UTC.text(Int64(own.notValidBefore))): wait until "
                    + "then, or correct this machine's clock")
        }
    }

    /// Those of TLS 1.2: no CBC, and no key exchange without forward secrecy. TLS 1.3 has neither.
    private static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20"

    private static func context(_ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuites = ciphers
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = shutdownTimeout
        return try NIOSSLContext(configuration: configuration)
    }
}

/// The certificate of this gateway for new connections, replaced when its files change. Running sessions keep the
/// certificate they began with.
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
    /// The stamps of the files that `current` was read from.
    private var used: [File.Stamp?]
    /// The last problem logged; empty if the files are valid.
    private var loggedProblem = ""
    private var repetition: Reactor.Repetition?
    private var isChecking = false

    /// - Parameter interval: the time between two checks of the files.
    /// - Throws: ``StartRefused`` with code 64; its message says what to do.
    init(_ files: CertificateFiles, every interval: Duration, clock: WallClock, log: Logger) throws(StartRefused) {
        (self.files, self.interval, self.clock, self.log) = (files, interval, clock, log)
        // Taken before the files are read, so that the next check notices a change meanwhile.
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

    /// Creates the TLS handler of one new connection.
    nonisolated func handler() -> NIOSSLServerHandler {
        var configuration = NIOSSLServerHandler.Configuration()
        // Most connections are idle most of the time.
        configuration.maximumPreservedOutboundBufferCapacity = 4096
        return NIOSSLServerHandler(context: current.withLock { $0 }, configuration: configuration)
    }

    func start() {
        repetition = Reactor.shared.every(interval) { [weak self] in
            Task.onLoop { await self?.checkFiles() }
        }
    }

    func stop() { repetition?.cancel() }

    /// Switches to the certificate in the files if they are new and valid. Invalid files may be half written, so they
    /// are read again at every check; the same problem is logged once.
    func checkFiles() async {
        guard !isChecking else { return }
        isChecking = true
        defer { isChecking = false }
        let (files, used, now) = (files, used, clock.now)
        // nil if the files have not changed.
        let found = try? await pool.run { () -> (stamps: [File.Stamp?], Result<EdgeIdentity, EdgeIdentity.Problem>)? in
            let stamps = Self.stamps(files)
            guard stamps != used else { return nil }
            return (stamps, Result { () throws(EdgeIdentity.Problem) in try EdgeIdentity.read(files, at: now) })
        }
        guard let (stamps, result) = found else {
            loggedProblem = ""
            return
        }
        switch result {
        case .success(let identity):
            (self.used, loggedProblem) = (stamps, "")
            current.withLock { $0 = identity.context }
            expiresAt = identity.expiresAt
            log.notice(
                "new connections use the new certificate",
                metadata: ["file": "\(files.certificate)", "until": "\(UTC.text(identity.expiresAt))"])
        case .failure(let problem):
            guard loggedProblem != problem.description else { return }
            loggedProblem = problem.description
            log.error(
                "the new certificate cannot be used; the previous one stays in use",
                metadata: ["why": "\(problem)", "file": "\(files.certificate)"])
        }
    }

    private nonisolated static func stamps(_ files: CertificateFiles) -> [File.Stamp?] {
        [File.Stamp(files.certificate), File.Stamp(files.key)]
    }
}
