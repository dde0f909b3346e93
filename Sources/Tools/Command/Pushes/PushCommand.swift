import ArgumentParser
import ParleyClient

struct PushCommand: PersonCommand {
    enum Level: String, ExpressibleByArgument, CaseIterable {
        case all, mentions, none

        var sent: Parley_V1_PushLevel {
            switch self {
            case .all: .allMessages
            case .mentions: .mentionsOnly
            case .none: .noMessages
            }
        }

        init(_ level: Parley_V1_PushLevel) { self = Self.allCases.first { $0.sent == level } ?? .all }
    }

    enum Content: String, ExpressibleByArgument, CaseIterable {
        case full, names, none

        var sent: Parley_V1_PushContent {
            switch self {
            case .full: .fullText
            case .names: .namesOnly
            case .none: .noContent
            }
        }

        init(_ content: Parley_V1_PushContent) { self = Self.allCases.first { $0.sent == content } ?? .full }
    }

    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Show which of your devices get pushes, and change of what you are told.",
        discussion: """
            Apps register their devices. Without options it shows them, with what became of the last push to each. \
            --test sends one that says so to each of them, or to one, and tells what the push service said: that shows \
            whether pushes arrive.

            Examples:
              parley push
              parley push --level mentions --content names
              parley push --test
              parley push --test --device DEVICE
              parley push --forget DEVICE
            """)

    @Option(help: ArgumentHelp("Of which messages you are told.", valueName: "all|mentions|none")) var level: Level?
    @Option(help: ArgumentHelp("What a push says of a message.", valueName: "full|names|none")) var content: Content?
    @Flag(help: "Send a push to your devices, and wait for what became of it.") var test = false
    @Option(help: ArgumentHelp("Send it to this device only.", valueName: "device")) var device: String?
    @Option(help: ArgumentHelp("End pushes to this device.", valueName: "device")) var forget: String?
    @OptionGroup var connection: ConnectionOptions

    /// How long a test waits for the push service.
    private static let patience: Duration = .seconds(20)

    private struct DeviceJSON: Encodable {
        var device: String
        var over: String
        var app: String
        var encrypted: Bool
        var registeredAt: String
        var lastSentAt: String?
        var lastResult: String?
    }

    private struct PushJSON: Encodable {
        var level: String
        var content: String
        var serverSendsOver: [String]
        var devices: [DeviceJSON]
    }

    func validate() throws {
        guard device == nil || test else { throw ValidationError("--device is for --test: say it, too.") }
    }

    func run(as me: Person) async throws {
        if level != nil || content != nil {
            _ = try await me.client.updatePushSettings(
                .with {
                    if let level { $0.level = level.sent }
                    if let content { $0.content = content.sent }
                })
        }
        if let forget { try await me.client.unregisterPush(forget) }
        let settings = try await me.client.getPushSettings()
        let reply = test ? try await tested(me) : try await me.client.pushDevices()
        let over = reply.transports.map(Self.word)
        if me.isJSON {
            return Output.json(
                PushJSON(
                    level: Level(settings.level).rawValue, content: Content(settings.content).rawValue,
                    serverSendsOver: over,
                    devices: reply.devices.map { device in
                        DeviceJSON(
                            device: device.device, over: Self.word(device.transport), app: device.app,
                            encrypted: device.encrypted, registeredAt: Times.iso(device.registeredAtUs),
                            lastSentAt: device.lastSentUs == 0 ? nil : Times.iso(device.lastSentUs),
                            lastResult: device.lastResult.isEmpty ? nil : device.lastResult)
                    }))
        }
        Output.line("Told of: \(Level(settings.level).rawValue). Says: \(Content(settings.content).rawValue).")
        Output.line(
            over.isEmpty
                ? "This server has no key of a push service, and sends nothing."
                : "This server sends over \(over.joined(separator: ", ")).")
        if reply.devices.isEmpty { Output.line("No device is registered for pushes.") }
        for device in reply.devices { Output.line(Self.line(of: device)) }
    }

    /// Sends a push to the devices that are asked for.
    /// - Returns: the devices, once the push services have answered.
    private func tested(_ me: Person) async throws -> Parley_V1_ListPushDevicesReply {
        let before = try await me.client.pushDevices()
        let meant = before.devices.filter { device == nil || $0.device == device }
        guard !meant.isEmpty else {
            throw Failure(
                .notFound,
                device == nil
                    ? "No device is registered for pushes. An app registers its own."
                    : "No such device is registered for pushes. \"parley push\" lists them.")
        }
        for one in meant { try await me.client.testPush(one.device) }
        let end = ContinuousClock.now + Self.patience
        while true {
            let now = try await me.client.pushDevices()
            let waiting = meant.filter { one in
                now.devices.contains { $0.device == one.device && $0.lastSentUs == one.lastSentUs }
            }
            guard !waiting.isEmpty else { return now }
            guard ContinuousClock.now < end else {
                throw Failure(
                    .unavailable,
                    "No push service has answered for \(waiting.map(\.device).joined(separator: ", ")). "
                        + "The server goes on trying; its log says why.")
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    private static func line(of device: Parley_V1_PushDevice) -> String {
        let last =
            device.lastSentUs == 0
            ? "nothing sent yet" : "\(device.lastResult) at \(Times.minute(device.lastSentUs))"
        let app = device.app.isEmpty ? "" : " to \(PlainText.shown(device.app))"
        return "\(device.device): \(word(device.transport))\(app)\(device.encrypted ? ", encrypted" : ""); \(last)"
    }

    private static func word(_ transport: Parley_V1_PushTransport) -> String {
        switch transport {
        case .apns: "apns"
        case .apnsSandbox: "apns-sandbox"
        case .fcm: "fcm"
        case .fcmInstallation: "fcm-installation"
        case .webPush: "web"
        case .unspecified, .UNRECOGNIZED: "another service"
        }
    }
}
