import ServiceKit

/// The gateway as a process: its settings, and what is made of them.
public enum GatewayProcess {
    /// The services behind a gateway. One more here is one more prefix of methods.
    private static let services = ["conversations", "messaging", "presence", "entities"]

    static var settings: [Setting] {
        let limits = GatewayLimits()
        return [
            Setting("listen.http", .address, default: "127.0.0.1:8080", "where clients connect"),
            Setting(
                "listen.tls-certificate.file", .text,
                "with it clients speak TLS (wss, https): the file of the certificate, in PEM, with those between it and the root; "
                    + "default: they do not, as behind a proxy that does"),
            Setting("listen.tls-key.file", .text, "the file of the certificate's private key, in PEM"),
            Setting("listen.threads", .integer(1...64), default: "1", "threads that serve connections"),
            Setting(
                "listen.address-header", .text,
                "behind proxies: the header in which they say whom they speak for, such as X-Forwarded-For"),
            Setting(
                "listen.trusted-proxies", .text,
                "whose word about that is believed: addresses and networks, separated by commas, such as 10.0.0.0/8,::1"
            ),
            Setting(
                "limits.connections", .integer(1...1_000_000), default: "\(limits.connections)", "connections at most"),
            Setting(
                "limits.requests-per-second", .integer(1...1_000_000), default: "\(limits.requestsPerSecond)",
                "requests of a session, on average"),
            Setting(
                "limits.requests-burst", .integer(1...1_000_000), default: "\(limits.requestsBurst)",
                "requests of a session, at once"),
            Setting(
                "limits.requests-in-flight", .integer(1...10_000), default: "\(limits.requestsInFlight)",
                "requests of a session not answered yet"),
            Setting(
                "limits.queue-bytes", .integer(16_384...1_073_741_824), default: "\(limits.queueBytes)",
                "what may wait to be written to a session"),
            Setting(
                "limits.exchanges", .integer(1...100_000), default: "\(limits.exchanges)",
                "files uploaded and downloaded at once; each takes up to 512 KiB of memory"),
            Setting(
                "limits.text-bytes", .integer(1...16384), default: "\(limits.textBytes)",
                "as set for messaging; clients are told"),
        ]
            + services.flatMap { service in
                [
                    Setting(
                        "\(service).requests", .endpoints, required: true,
                        "where \(service) takes requests; each address of a name is a replica"),
                    Setting(
                        "\(service).updates", .endpoints, required: true,
                        "where \(service) tells of changes; each address of a name is a replica"),
                ]
            } + LinkSettings.settings
    }

    /// The whole of the gateway's `main`.
    public static func run() async -> Never {
        await ParleyProcess.run(name: "gateway", settings: settings) { process in
            try Gateway(configuration(process), clock: process.clock, log: process.log)
        }
    }

    private static func configuration(_ process: ProcessContext) throws -> GatewayConfiguration {
        let settings = process.settings
        var limits = GatewayLimits()
        limits.connections = settings.integer("limits.connections")
        limits.requestsPerSecond = settings.integer("limits.requests-per-second")
        limits.requestsBurst = settings.integer("limits.requests-burst")
        limits.requestsInFlight = settings.integer("limits.requests-in-flight")
        limits.queueBytes = settings.integer("limits.queue-bytes")
        limits.exchanges = settings.integer("limits.exchanges")
        limits.textBytes = settings.integer("limits.text-bytes")
        let clientAddress = try clientAddress(settings)
        let certificate = try certificate(settings)
        let security = try LinkSettings.security(
            settings, role: .gateway, asks: services,
            endpoints: services.flatMap { settings.list("\($0).requests") + settings.list("\($0).updates") })
        return GatewayConfiguration(
            instance: process.instance, listen: settings.text("listen.http"), certificate: certificate,
            services: services.map { service in
                GatewayConfiguration.Service(
                    name: service, requests: settings.list("\(service).requests"),
                    updates: settings.list("\(service).updates"), journals: service != "presence",
                    path: service == "messaging" ? "/v1/files/" : "")
            },
            limits: limits, clientAddress: clientAddress,
            eventLoops: settings.integer("listen.threads"), security: security)
    }

    /// - Throws: ``StartRefused`` with 64 and what to do.
    private static func certificate(_ settings: Settings) throws(StartRefused) -> CertificateFiles? {
        let files = (settings.text("listen.tls-certificate.file"), settings.text("listen.tls-key.file"))
        guard files.0.isEmpty == files.1.isEmpty else {
            throw StartRefused(
                "listen.tls-certificate.file and listen.tls-key.file go together: give both for TLS, or neither",
                code: 64)
        }
        return files.0.isEmpty ? nil : CertificateFiles(certificate: files.0, key: files.1)
    }

    /// - Throws: ``StartRefused`` with 64 and what to do.
    private static func clientAddress(_ settings: Settings) throws(StartRefused) -> ClientAddress {
        let (header, proxies) = (settings.text("listen.address-header"), settings.text("listen.trusted-proxies"))
        let (blocks, wrong) = AddressBlock.list(proxies)
        guard let blocks else {
            throw StartRefused(
                "listen.trusted-proxies: \"\(wrong)\" is no address or network, such as 10.0.0.0/8 or ::1", code: 64)
        }
        guard header.isEmpty == blocks.isEmpty else {
            throw StartRefused(
                "listen.address-header and listen.trusted-proxies go together: anybody could say any address otherwise",
                code: 64)
        }
        return ClientAddress(header: header, proxies: blocks)
    }
}
