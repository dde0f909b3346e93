import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization

extension Link {
    /// Who must vouch for a server's certificate. It is always checked: that one of these signed it, that it is for the
    /// host of the URL, and that it is valid now.
    public enum Trust: Hashable, Sendable {
        /// Those that this system trusts.
        case system
        /// The certificates in this file (PEM) and no others: authorities of your own. It is read for each connection.
        case file(String)
        /// These certificates (PEM) and no others.
        case pem(String)
    }
}

/// TLS of connections to servers.
enum LinkTLS {
    /// Making a context reads all that a system trusts, which takes some 20 ms.
    private static let contexts = Mutex<[Link.Trust: NIOSSLContext]>([:])
    private static let contextsMax = 16
    /// For a server to take its leave after we did; what it has not ended by then is cut.
    private static let leave = TimeAmount.seconds(1)

    /// - Returns: nil where no TLS is spoken; fails with ``ParleyError`` `invalid_authorities`.
    static func context(
        for address: LinkAddress, _ trust: Link.Trust, on eventLoop: any EventLoop
    ) -> EventLoopFuture<NIOSSLContext?> {
        guard address.isSecure else { return eventLoop.makeSucceededFuture(nil) }
        if let known = contexts.withLock({ $0[trust] }) { return eventLoop.makeSucceededFuture(known) }
        return NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { try context(trust) }
    }

    private static func context(_ trust: Link.Trust) throws -> NIOSSLContext {
        guard case .file(let path) = trust else { return try known(trust) ?? make(trust) }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw ParleyError.invalidAuthorities("The file \(path) cannot be read")
        }
        let read = Link.Trust.pem(String(decoding: bytes, as: UTF8.self))
        do {
            return try known(read) ?? make(read)
        } catch let error as ParleyError {
            throw ParleyError.invalidAuthorities("\(path): \(error.message)")
        }
    }

    private static func known(_ trust: Link.Trust) -> NIOSSLContext? { contexts.withLock { $0[trust] } }

    private static func make(_ trust: Link.Trust) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = leave
        if case .pem(let text) = trust {
            guard let authorities = try? NIOSSLCertificate.fromPEMBytes(Array(text.utf8)) else {
                throw ParleyError.invalidAuthorities("There are no certificates in PEM")
            }
            configuration.trustRoots = .certificates(authorities)
        }
        let made = try NIOSSLContext(configuration: configuration)
        contexts.withLock { contexts in
            if contexts.count >= contextsMax { contexts = [:] }
            contexts[trust] = made
        }
        return made
    }

    /// Puts TLS first in a new connection.
    /// - Parameter context: nil: nothing is added.
    static func add(_ context: NIOSSLContext?, to channel: any Channel, of address: LinkAddress) throws {
        guard let context else { return }
        // An address is looked for in the certificate as what it is, and not told: names only are.
        let isIP = (try? SocketAddress(ipAddress: address.host, port: 0)) != nil
        let tls = try NIOSSLClientHandler(context: context, serverHostname: isIP ? nil : address.host)
        try channel.pipeline.syncOperations.addHandlers([tls, HandshakeJudge(tls, address, isIP: isIP)])
    }
}

/// Turns what TLS says of a failed handshake into words; goes with the first bytes that come through.
///
/// It asks one thing more than NIOSSL, for which a name is also right when the certificate is for the address that it
/// leads to: who can lie about names could show an honest certificate of an address of their own.
private final class HandshakeJudge: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let tls: NIOSSLClientHandler
    private let address: LinkAddress
    private let isIP: Bool

    init(_ tls: NIOSSLClientHandler, _ address: LinkAddress, isIP: Bool) {
        (self.tls, self.address, self.isIP) = (tls, address, isIP)
    }

    /// Nothing is sent before this.
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
            code: "certificate_wrong_host",
            message: "The certificate of \(address.authority) is not for \(address.host): use the name that it is for")
    }

    private func problem(ofHandshake why: String) -> ParleyError {
        let place = address.authority
        if why.contains("CERTIFICATE_VERIFY_FAILED") { return problem(ofCertificate: tls.peerCertificate) }
        if why.contains("WRONG_VERSION_NUMBER") || why.contains("HTTP_REQUEST") {
            return .unavailable("\(place) does not speak TLS: its URL begins with ws:// rather than wss://")
        }
        if why.contains("EOF during handshake") {
            return .unavailable("\(place) ended the connection while TLS began")
        }
        return .unavailable("There is no TLS with \(place): \(why)")
    }

    private func problem(ofCertificate certificate: NIOSSLCertificate?) -> ParleyError {
        let (place, now) = (address.authority, Date().timeIntervalSince1970)
        func text(_ time: time_t) -> String { Date(timeIntervalSince1970: TimeInterval(time)).ISO8601Format() }
        if let certificate, TimeInterval(certificate.notValidAfter) < now {
            return ParleyError(
                code: "certificate_expired",
                message: "The certificate of \(place) ran out on \(text(certificate.notValidAfter))")
        }
        if let certificate, TimeInterval(certificate.notValidBefore) > now {
            return ParleyError(
                code: "certificate_expired",
                message: "The certificate of \(place) is valid from \(text(certificate.notValidBefore)) only: "
                    + "is this machine's clock right?")
        }
        return ParleyError(
            code: "certificate_untrusted",
            message: "Nobody who is trusted here vouches for the certificate of \(place)")
    }
}

/// A name that a certificate is for: a host's, or `*.example.org` for those one step below (RFC 9525 §6.3). Pure.
struct CertificateName {
    private let labels: [Substring]

    init(_ text: String) { labels = Self.labels(text) }

    func matches(_ host: String) -> Bool {
        let asked = Self.labels(host)
        guard asked.count == labels.count, !asked.contains("") else { return false }
        return asked == labels || labels.count > 2 && labels[0] == "*" && asked.dropFirst() == labels.dropFirst()
    }

    private static func labels(_ text: String) -> [Substring] {
        let text = text.lowercased()
        return (text.hasSuffix(".") ? text.dropLast() : text[...]).split(
            separator: ".", omittingEmptySubsequences: false)
    }
}

extension ParleyError {
    static func invalidAuthorities(_ why: String) -> ParleyError {
        ParleyError(code: "invalid_authorities", message: "The authorities to trust are of no use: \(why)")
    }

    /// The server could not show that it is the one of the URL.
    var isOfCertificate: Bool { code.hasPrefix("certificate_") }
}
