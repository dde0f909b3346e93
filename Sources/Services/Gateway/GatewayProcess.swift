import NIOCore
import Schema
import ServiceKit

/// The gateway as a process, with its settings and the configuration made from them.
public enum GatewayProcess {
    static var settings: [Setting] {
        [
            Setting("listen.http", .address, default: "127.0.0.1:8080", "address where clients connect"),
            Setting(
                "listen.tls-certificate.file", .text,
                "PEM file of the certificate for TLS (wss, https), with the intermediate certificates after it; "
                    + "default: no TLS, as behind a proxy that terminates it"),
            Setting("listen.tls-key.file", .text, "PEM file of the certificate's private key"),
            Setting(
                "listen.threads", .integer(0...64), default: "0", "threads that serve connections; 0: one for each core"
            ),
            Setting(
                "listen.address-header", .text,
                "behind proxies: header with the client's address, such as X-Forwarded-For"),
            Setting(
                "listen.trusted-proxies", .text,
                "proxies trusted to set that header: addresses or networks, separated by commas, such as 10.0.0.0/8,::1"
            ),
            Setting(
                "listen.origins", .text,
                "web pages that may use the gateway, besides its own and those of its host: origins separated by "
                    + "commas, such as https://chat.example.com, or * for all. Apps, which send no origin, always may"
            ),
        ]
            + GatewayLimit.all.map(\.setting)
            + ServiceList.names.flatMap { service in
                [
                    Setting(
                        "\(service).requests", .endpoints, required: true,
                        "where \(service) accepts requests; each address of a name is a replica"),
                    Setting(
                        "\(service).updates", .endpoints, required: true,
                        "where \(service) publishes Updates; each address of a name is a replica"),
                ]
            } + LinkSettings.settings
    }

    private static var fixedLimits: [Limit] {
        let limits = GatewayLimits()
        let pause = limits.pauseMax.components.seconds
        return [
            Limit(
                limits.frameBytes, "bytes of a frame", per: "session",
                beyond: .words("the session ends with 4006")),
            Limit(
                SessionHandler.fragmentsMax, "WebSocket frames of a message", per: "session",
                beyond: .words("the session ends with 4005")),
            Limit(
                limits.framesOfRefused, "frames that a refused request counts as", per: "session",
                beyond: .words("reading pauses, \(pause) s at most")),
            Limit(
                limits.readBytes, "bytes read in one turn of the event loop, except of a body that a service wants",
                per: "connection",
                beyond: .words("the rest waits for the next turn")),
            Limit(
                limits.helloTimeout.components.seconds, "seconds until hello", per: "session",
                beyond: .words("the session ends with 1001")),
            Limit(
                limits.silenceTimeout.components.seconds, "seconds of silence", per: "session",
                beyond: .words("the session ends with 1001")),
            Limit(
                limits.takeTimeout.components.seconds, "seconds in which nothing that is sent is taken",
                per: "connection", beyond: .words("the connection ends")),
            Limit(
                limits.sessionBufferBytes, "bytes in the kernel that wait to be sent", per: "session",
                beyond: .words("they wait in the gateway (`limits.queue-bytes`)")),
            Limit(
                limits.responseBufferBytes, "bytes in the kernel that wait to be sent", per: "HTTP connection",
                beyond: .words("the next request waits")),
            Limit(
                limits.downloadBufferBytes, "bytes in the kernel that wait to be sent", per: "download from a service",
                beyond: .words("the next piece waits")),
            Limit(
                limits.sessionBufferBytes, "bytes in the kernel that wait to be read", per: "signed-in session",
                beyond: .words("the client waits")),
            Limit(
                limits.requestBufferBytes, "bytes in the kernel that wait to be read",
                per: "HTTP connection, or session that is not signed in",
                beyond: .words("the client waits")),
            Limit(
                limits.uploadBufferBytes, "bytes in the kernel that wait to be read", per: "body that a service wants",
                beyond: .words("the client waits")),
            Limit(
                limits.handshakeTimeout.components.seconds, "seconds until a complete HTTP request, TLS included",
                per: "connection", beyond: .words("the connection ends")),
            Limit(limits.headerBytes, "bytes of headers", per: "HTTP request", beyond: .words("431")),
            Limit(limits.headerFieldBytes, "bytes of a header", per: "HTTP request", beyond: .words("431")),
            Limit(limits.headerFields, "headers", per: "HTTP request", beyond: .words("431")),
            Limit(
                limits.requestsPerConnection, "HTTP requests", per: "connection",
                beyond: .words("the connection ends after the last response")),
            Limit(
                limits.keepAliveTimeout.components.seconds, "seconds between a response and the next request",
                per: "connection", beyond: .words("the connection ends")),
            Limit(
                limits.exchangeSilence.components.seconds, "seconds in which a transfer does not move",
                per: "transfer", beyond: .words("it ends")),
            Limit(
                Edge.turnedAwayMax, "connections beyond the limit that get an answer", per: "gateway",
                beyond: .words("the connection ends")),
            Limit(
                limits.deadlineMax.components.seconds, "seconds until a request is answered", per: "request",
                beyond: .words("deadline, with the wait")),
        ]
    }

    /// Runs the gateway; called from `main`.
    public static func run() async -> Never {
        await ParleyProcess.run(name: "gateway", settings: settings, fixed: fixedLimits) { process in
            let gateway = try Gateway(configuration(process), clock: process.clock, log: process.log)
            gateway.onWaiting = { [notify = process.notify] in notify.status($0) }
            return gateway
        }
    }

    private static func configuration(_ process: ProcessContext) throws -> GatewayConfiguration {
        let settings = process.settings
        let threads = settings.integer("listen.threads")
        let clientAddress = try clientAddress(settings)
        let certificate = try certificate(settings)
        let origins = try origins(settings, isEncrypted: certificate != nil)
        let security = try LinkSettings.security(
            settings, role: .gateway, connectsTo: ServiceList.names,
            endpoints: ServiceList.names.flatMap { settings.list("\($0).requests") + settings.list("\($0).updates") })
        var configuration = GatewayConfiguration(
            instance: process.instance, listen: settings.text("listen.http"), certificate: certificate,
            services: ServiceList.all.map { service in
                GatewayConfiguration.Service(
                    name: service.name, requests: settings.list("\(service.name).requests"),
                    updates: settings.list("\(service.name).updates"), journals: service.journals,
                    isKeyedByCaller: service.isKeyedByCaller)
            },
            limits: GatewayLimit.limits(settings), clientAddress: clientAddress,
            eventLoops: threads > 0 ? threads : System.coreCount, security: security)
        configuration.origins = origins
        return configuration
    }

    /// - Throws: ``StartRefused`` with code 64; its message says what to do.
    private static func origins(_ settings: Settings, isEncrypted: Bool) throws(StartRefused) -> AllowedOrigins {
        let (allowed, wrong) = AllowedOrigins.list(settings.list("listen.origins"), isEncrypted: isEncrypted)
        guard let allowed else {
            throw StartRefused(
                "listen.origins: \"\(wrong)\" is not an origin such as https://chat.example.com (without a path), or * "
                    + "alone", code: 64)
        }
        return allowed
    }

    /// - Throws: ``StartRefused`` with code 64; its message says what to do.
    private static func certificate(_ settings: Settings) throws(StartRefused) -> CertificateFiles? {
        let files = (settings.text("listen.tls-certificate.file"), settings.text("listen.tls-key.file"))
        guard files.0.isEmpty == files.1.isEmpty else {
            throw StartRefused(
                "listen.tls-certificate.file and listen.tls-key.file go together: set both for TLS, or neither",
                code: 64)
        }
        return files.0.isEmpty ? nil : CertificateFiles(certificate: files.0, key: files.1)
    }

    /// - Throws: ``StartRefused`` with code 64; its message says what to do.
    private static func clientAddress(_ settings: Settings) throws(StartRefused) -> ClientAddress {
        let (header, proxies) = (settings.text("listen.address-header"), settings.text("listen.trusted-proxies"))
        let (blocks, wrong) = AddressBlock.list(proxies)
        guard let blocks else {
            throw StartRefused(
                "listen.trusted-proxies: \"\(wrong)\" is not an address or network such as 10.0.0.0/8 or ::1", code: 64)
        }
        guard header.isEmpty == blocks.isEmpty else {
            throw StartRefused(
                "listen.address-header and listen.trusted-proxies go together: set both or neither, since otherwise "
                    + "any client could forge its address", code: 64)
        }
        return ClientAddress(header: header, proxies: blocks)
    }
}
