import NIOCore
import Schema
import ServiceKit

/// The gateway as a process, with its settings and the configuration made from them.
public enum GatewayProcess {
    static var settings: [Setting] {
        let limits = GatewayLimits()
        return [
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
                "limits.connections", .integer(1...1_000_000), default: "\(limits.connections)",
                "maximum number of connections"),
            Setting(
                "limits.anonymous-per-address", .integer(1...1_000_000), default: "\(limits.anonymousPerAddress)",
                "sessions of one address, or of one /64 of IPv6, that are not signed in"),
            Setting(
                "limits.anonymous-seconds", .integer(1...86_400), default: "60",
                "how long a session may be open without signing in"),
            Setting(
                "limits.newcomers-per-address", .integer(0...1_000_000), default: "\(limits.newcomersPerAddress)",
                "connections of one address, or of one /64 of IPv6, that are not sessions yet; 0: a tenth of all"),
            Setting(
                "limits.sessions-per-account", .integer(1...1_000_000), default: "\(limits.sessionsPerAccount)",
                "signed-in sessions of one account; beyond it, the oldest of the device with the most ends"),
            Setting(
                "limits.sessions-per-device", .integer(1...1_000_000), default: "\(limits.sessionsPerDevice)",
                "signed-in sessions of one device; beyond it, the oldest ends"),
            Setting(
                "limits.requests-per-second", .integer(1...1_000_000), default: "\(limits.requestsPerSecond)",
                "requests per second of one session, on average"),
            Setting(
                "limits.requests-burst", .integer(1...1_000_000), default: "\(limits.requestsBurst)",
                "requests of one session in a burst"),
            Setting(
                "limits.requests-in-flight", .integer(1...10_000), default: "\(limits.requestsInFlight)",
                "unanswered requests of one session"),
            Setting(
                "limits.frames-per-second", .integer(1...1_000_000), default: "\(limits.framesPerSecond)",
                "WebSocket frames of one session per second, on average, of any kind; beyond it, reading pauses"),
            Setting(
                "limits.frames-burst", .integer(1...1_000_000), default: "\(limits.framesBurst)",
                "WebSocket frames of one session in a burst"),
            Setting(
                "limits.account-requests-per-second", .integer(1...1_000_000),
                default: "\(limits.accountRequestsPerSecond)",
                "requests per second of all sessions of one account, on average; at least those of one session"),
            Setting(
                "limits.account-requests-burst", .integer(1...1_000_000), default: "\(limits.accountRequestsBurst)",
                "requests of all sessions of one account in a burst"),
            Setting(
                "limits.account-frames-per-second", .integer(1...1_000_000),
                default: "\(limits.accountFramesPerSecond)",
                "WebSocket frames per second of all sessions of one account, on average"),
            Setting(
                "limits.account-frames-burst", .integer(1...1_000_000), default: "\(limits.accountFramesBurst)",
                "WebSocket frames of all sessions of one account in a burst"),
            Setting(
                "limits.queue-bytes", .integer(16_384...1_073_741_824), default: "\(limits.queueBytes)",
                "bytes that may wait to be written to one session"),
            Setting(
                "limits.exchanges", .integer(1...100_000), default: "\(limits.exchanges)",
                "concurrent HTTP requests to services, such as uploads; each takes up to 512 KiB of memory"),
            Setting(
                "limits.exchanges-per-account", .integer(1...100_000), default: "\(limits.exchangesPerAccount)",
                "concurrent uploads of one account, and as many downloads"),
            Setting(
                "limits.exchange-bytes-per-second", .integer(0...1_000_000_000),
                default: "\(limits.exchangeBytesPerSecond)",
                "bytes per second of an upload or download after 10 s, on average, while few places are left"),
            Setting(
                "limits.text-bytes", .integer(1...16384), default: "\(limits.textBytes)",
                "maximum size of a message text, as set for messaging; sent to clients"),
        ]
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

    /// Runs the gateway; called from `main`.
    public static func run() async -> Never {
        await ParleyProcess.run(name: "gateway", settings: settings) { process in
            try Gateway(configuration(process), clock: process.clock, log: process.log)
        }
    }

    private static func configuration(_ process: ProcessContext) throws -> GatewayConfiguration {
        let settings = process.settings
        var limits = GatewayLimits()
        limits.connections = settings.integer("limits.connections")
        limits.anonymousPerAddress = settings.integer("limits.anonymous-per-address")
        limits.anonymousTimeout = .seconds(settings.integer("limits.anonymous-seconds"))
        limits.requestsPerSecond = settings.integer("limits.requests-per-second")
        limits.requestsBurst = settings.integer("limits.requests-burst")
        limits.requestsInFlight = settings.integer("limits.requests-in-flight")
        limits.framesPerSecond = settings.integer("limits.frames-per-second")
        limits.framesBurst = settings.integer("limits.frames-burst")
        limits.newcomersPerAddress = settings.integer("limits.newcomers-per-address")
        limits.sessionsPerAccount = settings.integer("limits.sessions-per-account")
        limits.sessionsPerDevice = settings.integer("limits.sessions-per-device")
        limits.accountRequestsPerSecond = settings.integer("limits.account-requests-per-second")
        limits.accountRequestsBurst = settings.integer("limits.account-requests-burst")
        limits.accountFramesPerSecond = settings.integer("limits.account-frames-per-second")
        limits.accountFramesBurst = settings.integer("limits.account-frames-burst")
        limits.queueBytes = settings.integer("limits.queue-bytes")
        limits.exchanges = settings.integer("limits.exchanges")
        limits.exchangesPerAccount = settings.integer("limits.exchanges-per-account")
        limits.exchangeBytesPerSecond = settings.integer("limits.exchange-bytes-per-second")
        limits.textBytes = settings.integer("limits.text-bytes")
        let threads = settings.integer("listen.threads")
        let clientAddress = try clientAddress(settings)
        let certificate = try certificate(settings)
        let security = try LinkSettings.security(
            settings, role: .gateway, connectsTo: ServiceList.names,
            endpoints: ServiceList.names.flatMap { settings.list("\($0).requests") + settings.list("\($0).updates") })
        return GatewayConfiguration(
            instance: process.instance, listen: settings.text("listen.http"), certificate: certificate,
            services: ServiceList.all.map { service in
                GatewayConfiguration.Service(
                    name: service.name, requests: settings.list("\(service.name).requests"),
                    updates: settings.list("\(service.name).updates"), journals: service.journals)
            },
            limits: limits, clientAddress: clientAddress,
            eventLoops: threads > 0 ? threads : System.coreCount, security: security)
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
