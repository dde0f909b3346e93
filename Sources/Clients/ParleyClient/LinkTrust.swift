import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS

extension Link {
    /// The authorities that a server's certificate must be signed by. The certificate is always checked: its signature,
    /// the host of the URL and its period of validity.
    public enum Trust: Hashable, Sendable {
        /// The authorities that this system trusts.
        case system
        /// Only the certificates in this PEM file, such as those of your own authority. The file is read for each
        /// connection.
        case file(String)
        /// Only these certificates, in PEM.
        case pem(String)
    }
}

/// Sets up TLS on connections to servers.
enum LinkTLS {
    /// Contexts by trust, kept because making one reads all authorities of the system, which takes about 20 ms.
    private static let contexts = NIOLockedValueBox<[Link.Trust: NIOSSLContext]>([:])
    private static let contextsMax = 16
    /// How long the server has to end TLS after the client did; then the connection is dropped.
    private static let shutdownTimeout = TimeAmount.seconds(1)

    /// Returns the TLS context for an address; nil without TLS.
    /// - Returns: a future that fails with ``ParleyError`` `invalid_authorities`.
    static func context(
        for address: LinkAddress, _ trust: Link.Trust, on eventLoop: any EventLoop
    ) -> EventLoopFuture<NIOSSLContext?> {
        guard address.isSecure else { return eventLoop.makeSucceededFuture(nil) }
        if let known = contexts.withLockedValue({ $0[trust] }) { return eventLoop.makeSucceededFuture(known) }
        return NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { try context(trust) }
    }

    private static func context(_ trust: Link.Trust) throws -> NIOSSLContext {
        guard case .file(let path) = trust else { return try known(trust) ?? make(trust) }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw ParleyError.invalidAuthorities("The file \(path) cannot be read.")
        }
        let read = Link.Trust.pem(String(decoding: bytes, as: UTF8.self))
        do {
            return try known(read) ?? make(read)
        } catch is ParleyError {
            throw ParleyError.invalidAuthorities("The file \(path) contains no certificates in PEM.")
        }
    }

    private static func known(_ trust: Link.Trust) -> NIOSSLContext? { contexts.withLockedValue { $0[trust] } }

    private static func make(_ trust: Link.Trust) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = shutdownTimeout
        if case .pem(let text) = trust {
            guard let authorities = try? NIOSSLCertificate.fromPEMBytes(Array(text.utf8)) else {
                throw ParleyError.invalidAuthorities("The text contains no certificates in PEM.")
            }
            configuration.trustRoots = .certificates(authorities)
        }
        let made = try NIOSSLContext(configuration: configuration)
        contexts.withLockedValue { contexts in
            if contexts.count >= contextsMax { contexts = [:] }
            contexts[trust] = made
        }
        return made
    }

    /// Adds TLS to a new connection.
    /// - Parameter context: nil: no TLS.
    static func add(_ context: NIOSSLContext?, to channel: any Channel, of address: LinkAddress) throws {
        guard let context else { return }
        // For an IP address no server name is sent (only names may be), and the certificate must list the address.
        let isIP = (try? SocketAddress(ipAddress: address.host, port: 0)) != nil
        let tls = try NIOSSLClientHandler(context: context, serverHostname: isIP ? nil : address.host)
        try channel.pipeline.syncOperations.addHandlers([tls, HandshakeJudge(tls, address, isIP: isIP)])
    }
}

/// Translates the errors of a failed handshake into ``ParleyError``. It removes itself with the first bytes received.
///
/// It also makes one check that NIOSSL does not. For a host name, NIOSSL accepts a certificate for the IP address that
/// the name resolves to. Someone who can forge name lookups could then present a valid certificate for their own
/// address.
private final class HandshakeJudge: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let tls: NIOSSLClientHandler
    private let address: LinkAddress
    private let isIP: Bool

    init(_ tls: NIOSSLClientHandler, _ address: LinkAddress, isIP: Bool) {
        (self.tls, self.address, self.isIP) = (tls, address, isIP)
    }

    /// Checks the name when the handshake completes; no data is sent before that.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.handshakeCompleted) = event as? TLSUserEvent, !isIP, !isForName {
            context.fireErrorCaught(wrongHost)
            return context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    private var isForName: Bool {
        tls.peerCertificate?._subjectAlternativeNames().contains { name in
            name.nameType == .dnsName
                && CertificateName(String(decoding: Array(name.contents), as: UTF8.self)).matches(address.host)
        } ?? false
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(data)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(problem(error) ?? error)
    }

    private func problem(_ error: any Error) -> ParleyError? {
        switch error {
        case let error as NIOSSLExtraError
        where error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch:
            return wrongHost
        case NIOSSLError.handshakeFailed(let why): return problem(ofHandshake: "\(why)")
        default: return nil
        }
    }

    private var wrongHost: ParleyError {
        ParleyError(
            .certificateWrongHost,
            "The certificate of \(address.authority) is not for \(address.host). Use a name that it is for.")
    }

    private func problem(ofHandshake why: String) -> ParleyError {
        let server = address.authority
        if why.contains("CERTIFICATE_VERIFY_FAILED") { return problem(ofCertificate: tls.peerCertificate) }
        if why.contains("WRONG_VERSION_NUMBER") || why.contains("HTTP_REQUEST") {
            return .unavailable("\(server) does not speak TLS. Use ws:// instead of wss:// in the URL.")
        }
        if why.contains("EOF during handshake") {
            return .unavailable("\(server) closed the connection during the TLS handshake.")
        }
        return .unavailable("The TLS handshake with \(server) failed: \(why)")
    }

    private func problem(ofCertificate certificate: NIOSSLCertificate?) -> ParleyError {
        let (server, now) = (address.authority, Date().timeIntervalSince1970)
        func text(_ time: time_t) -> String { Date(timeIntervalSince1970: TimeInterval(time)).ISO8601Format() }
        if let certificate, TimeInterval(certificate.notValidAfter) < now {
            return ParleyError(
                .certificateExpired,
                "The certificate of \(server) expired on \(text(certificate.notValidAfter)). "
                    + "The server's operator must renew it.")
        }
        if let certificate, TimeInterval(certificate.notValidBefore) > now {
            return ParleyError(
                .certificateExpired,
                "The certificate of \(server) is valid only from \(text(certificate.notValidBefore)). "
                    + "Check this machine's clock.")
        }
        return ParleyError(
            .certificateUntrusted,
            "The certificate of \(server) is not signed by a trusted authority.")
    }
}

/// A name in a certificate: a host name, or `*.example.org` for the host names one label below (RFC 9525 §6.3).
struct CertificateName {
    private let labels: [Substring]

    init(_ text: String) { labels = Self.labels(text) }

    func matches(_ host: String) -> Bool {
        let wanted = Self.labels(host)
        guard wanted.count == labels.count, !wanted.contains("") else { return false }
        return wanted == labels || labels.count > 2 && labels[0] == "*" && wanted.dropFirst() == labels.dropFirst()
    }

    private static func labels(_ text: String) -> [Substring] {
        let text = text.lowercased()
        return (text.hasSuffix(".") ? text.dropLast() : text[...]).split(
            separator: ".", omittingEmptySubsequences: false)
    }
}

extension ParleyError {
    static func invalidAuthorities(_ why: String) -> ParleyError {
        ParleyError(.invalidAuthorities, "The trusted authorities cannot be loaded. \(why)")
    }

    /// Whether the server's certificate does not prove that it is the server of the URL.
    var isOfCertificate: Bool { code.hasPrefix("certificate_") }
}
