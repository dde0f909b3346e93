// swift-tools-version: 6.2
import PackageDescription

// The table of targets, with what each is for and which arrows are allowed, stands in Sources/README.md;
// Tests/HouseTests holds the code against it.

let http: [Target.Dependency] = ["NIOCore", "NIOPosix", "NIOHTTP1"].map { .product(name: $0, package: "swift-nio") }
let nio = http + [.product(name: "NIOWebSocket", package: "swift-nio")]
let locks: Target.Dependency = .product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let tls: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let log: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let tracing: Target.Dependency = .product(name: "Tracing", package: "swift-distributed-tracing")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let configuration: Target.Dependency = .product(name: "Configuration", package: "swift-configuration")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let swiftProtobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")

/// `make test-sabotage`: one promise broken on purpose, for the torture to notice. Here, so that only our own code is
/// built again.
let sabotage: [SwiftSetting] = Context.environment["PARLEY_SABOTAGE"].map { [.define("SABOTAGE_\($0)")] } ?? []

/// Warnings are errors in our own code where PARLEY_WARNINGS is `errors`, as the Makefile sets it. For others they are
/// not: Xcode and SwiftPM's new build system turn the warnings of a package off that is named by its URL, and the
/// compiler refuses both together.
let warnings: [SwiftSetting] =
    Context.environment["PARLEY_WARNINGS"] == "errors" ? [.treatAllWarnings(as: .error)] : []

let strict = warnings + sabotage

/// - Parameters:
///   - embeds: a folder whose files it finds as values, `SQLFiles.all` or `WebFiles.all`.
///   - plugins: those that make more of its code.
func room(
    _ name: String, _ path: String, _ dependencies: [Target.Dependency], resources: [Resource] = [],
    embeds: String? = nil, plugins: [Target.PluginUsage] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: path, exclude: embeds.map { [$0] } ?? [], resources: resources,
        swiftSettings: strict, plugins: plugins + (embeds.map { _ in ["EmbedFiles"] } ?? []))
}

func process(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/Executables/\(name)", swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

let package = Package(
    name: "parley",
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [
        .library(name: "ParleyKit", targets: ["ParleyKit"]),
        .library(name: "ParleyClient", targets: ["ParleyClient"]),
        // Loaded into the programs by `parley-lab bench hops`.
        .library(name: "parley-hops", type: .dynamic, targets: ["CHops"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // Clients: neither ZeroMQ nor libpq; also for Apple's systems.
        room(
            "ParleyClient", "Sources/Clients/ParleyClient",
            [swiftProtobuf, tls, locks, .product(name: "NIOTLS", package: "swift-nio")] + nio),
        room(
            "ParleyKit", "Sources/Clients/ParleyKit",
            ["ParleyClient", swiftProtobuf, locks, grdb, .product(name: "NIOCore", package: "swift-nio")],
            // What Apple asks of an SDK: which system calls it makes, and why.
            resources: [.copy("PrivacyInfo.xcprivacy")]),
        tests("ParleyKitTests", ["ParleyClient", "ParleyKit", "TestSupport", swiftProtobuf, locks, grdb]),
    ]
)

// The server, the command and their tests are for Linux. Apps on Apple's systems depend on this package, too, and its
// `platforms` hold for all its targets.
#if os(Linux)
    package.dependencies += [
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["CommandLineArguments"]),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ]
    package.targets += [
        // C: one importer each.
        .systemLibrary(name: "CZeroMQ", path: "Sources/C/CZeroMQ"),
        .systemLibrary(name: "CPostgres", path: "Sources/C/CPostgres"),
        .systemLibrary(name: "CProtobuf", path: "Sources/C/CProtobuf"),
        .systemLibrary(name: "CSodium", path: "Sources/C/CSodium"),
        .systemLibrary(name: "CCurl", path: "Sources/C/CCurl"),
        .systemLibrary(name: "CZlib", path: "Sources/C/CZlib"),
        .systemLibrary(name: "CCrypto", path: "Sources/C/CCrypto"),
        .target(name: "CSchema", dependencies: ["CProtobuf"], path: "Sources/C/CSchema"),

        // Language: what a message says. It knows neither the platform nor a service.
        room("Language", "Sources/Language", []),

        // Platform: knows no feature.
        room("Schema", "Sources/Platform/Schema", ["CSchema", "CProtobuf"]),
        room("Reactor", "Sources/Platform/Reactor", ["CZeroMQ"]),
        room("Wire", "Sources/Platform/Wire", ["Schema", "Reactor", log]),
        room("Postgres", "Sources/Platform/Postgres", ["Reactor", "CPostgres", log]),
        room("HTTPClient", "Sources/Platform/HTTPClient", ["Reactor", "CCurl"]),
        room("Signatures", "Sources/Platform/Signatures", ["CCrypto"]),
        room("PushSenders", "Sources/Platform/PushSenders", ["HTTPClient", "Reactor", "Signatures"]),
        room("Mail", "Sources/Platform/Mail", ["HTTPClient", "Reactor"]),
        room("LanguageModel", "Sources/Platform/LanguageModel", ["Language", "HTTPClient", "Reactor"]),
        room("Monitor", "Sources/Platform/Monitor", http + [locks]),
        room(
            "ServiceKit", "Sources/Platform/ServiceKit",
            [
                "Wire", "Postgres", "Monitor", "Reactor", "Schema", "CSodium", log, metrics, tracing, lifecycle,
                unixSignals, configuration,
            ], embeds: "SQL"),

        // While building: files become Swift.
        .executableTarget(name: "embed-files", path: "Sources/Tools/EmbedFiles", swiftSettings: strict),
        .plugin(
            name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed-files"],
            path: "Sources/Plugins/EmbedFiles"),

        // Services: one process each; never one on another.
        room(
            "GatewayService", "Sources/Services/Gateway",
            ["ServiceKit", "Monitor", "Wire", "Reactor", "Schema", log, metrics, tls] + nio, embeds: "Web"),
        room(
            "ConversationsService", "Sources/Services/Conversations",
            ["ServiceKit", "HTTPClient", "Mail", "Signatures"],
            embeds: "SQL"),
        room(
            "MessagingService", "Sources/Services/Messaging", ["ServiceKit", "HTTPClient", "CZlib"], embeds: "SQL"),
        room("PresenceService", "Sources/Services/Presence", ["ServiceKit"], embeds: "SQL"),
        room(
            "EntitiesService", "Sources/Services/Entities", ["ServiceKit", "Language", "LanguageModel"], embeds: "SQL"),
        room(
            "NotificationsService", "Sources/Services/Notifications", ["ServiceKit", "PushSenders"], embeds: "SQL"),

        // Tools: what the command does.
        room(
            "Cluster", "Sources/Tools/Cluster", ["Postgres", "Reactor", "Schema", log],
            resources: [.embedInCode("Bootstrap.sql")]
        ),
        room("Import", "Sources/Tools/Import", ["Schema", "Signatures"]),
        room(
            "Command", "Sources/Tools/Command",
            [
                "Cluster", "Import", "Language", "LanguageModel", "ParleyClient", "Postgres", "Reactor", "Schema",
                argumentParser, log,
            ] + nio),

        process("parley-gateway", ["GatewayService"]),
        process("parley-conversations", ["ConversationsService", "ServiceKit"]),
        process("parley-messaging", ["MessagingService", "ServiceKit"]),
        process("parley-presence", ["PresenceService", "ServiceKit"]),
        process("parley-entities", ["EntitiesService", "ServiceKit"]),
        process("parley-notifications", ["NotificationsService", "ServiceKit"]),
        process("parley", ["Command"]),

        // What `make run` and the images build: the programs above and nothing else.
        room(
            "Programs", "Sources/Tools/Programs",
            [
                "parley-gateway", "parley-conversations", "parley-messaging",
                "parley-presence", "parley-entities",
                "parley-notifications", "parley",
            ]),

        // The lab: what measures, breaks and attacks Parley. No operator needs it.
        room(
            "Torture", "Sources/Lab/Torture",
            ["Cluster", "ParleyClient", "Postgres", "Reactor", "Wire", "Schema", log] + nio),
        room(
            "Conformance", "Sources/Lab/Conformance", ["ParleyClient", swiftProtobuf] + nio, plugins: ["EmbedFiles"]),
        .target(
            name: "CCounters", path: "Sources/Lab/CCounters", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CHops", path: "Sources/Lab/CHops"),
        room(
            "LabCommand", "Sources/Lab/Commands",
            [
                "CCounters", "Cluster", "Command", "Conformance", "Language", "ParleyClient", "ParleyKit", "Postgres",
                "Reactor", "Schema", "Torture", argumentParser, log,
            ] + nio),
        .executableTarget(
            name: "parley-lab", dependencies: ["LabCommand"], path: "Sources/Lab/parley-lab", swiftSettings: strict),

        room(
            "TestSupport", "Tests/TestSupport",
            ["Cluster", "ParleyClient", "Postgres", "Reactor", swiftProtobuf, log] + http),
        // The client under test of `parley-lab conformance`.
        .executableTarget(
            name: "conformance-client", dependencies: ["ParleyClient", swiftProtobuf] + nio,
            path: "Tests/ConformanceClient", swiftSettings: strict),
        // An app that tests kill.
        .executableTarget(
            name: "kit-client", dependencies: ["ParleyKit"], path: "Tests/KitClient", swiftSettings: strict),
        tests("SchemaTests", ["Schema"]),
        tests("LanguageTests", ["Language"]),
        tests("ReactorTests", ["Reactor", "TestSupport"]),
        tests("HTTPClientTests", ["HTTPClient", "Reactor", "TestSupport"]),
        tests("PushSendersTests", ["PushSenders", "Signatures", "HTTPClient", "Reactor", "TestSupport"]),
        tests("LanguageModelTests", ["Language", "LanguageModel", "TestSupport"]),
        tests("WireTests", ["Wire", "Reactor", "Schema", "TestSupport"]),
        tests("PostgresTests", ["Postgres", "Reactor", "TestSupport"]),
        tests(
            "ServiceKitTests",
            [
                "ServiceKit", "Monitor", "Wire", "Postgres", "Reactor", "Schema", "TestSupport", log, metrics, tracing,
            ]),
        tests(
            "GatewayTests",
            ["GatewayService", "ServiceKit", "Monitor", "Wire", "Reactor", "Schema", "TestSupport", log]),
        tests(
            "MessagingTests",
            [
                "MessagingService", "ConversationsService", "EntitiesService", "NotificationsService",
                "PresenceService", "ServiceKit", "Wire", "Postgres", "Reactor", "Schema", "TestSupport", log,
            ]),
        tests(
            "ServicesTests",
            [
                "ConversationsService", "MessagingService", "PresenceService", "EntitiesService",
                "NotificationsService", "PushSenders", "ServiceKit", "Wire", "Schema", "Signatures",
            ]),
        tests("SignaturesTests", ["Signatures"]),
        tests("ImportTests", ["Import", "TestSupport"]),
        tests("MailTests", ["Mail", "HTTPClient", "Reactor", "TestSupport"]),
        tests("ParleyClientTests", ["ParleyClient", "TestSupport", swiftProtobuf, tls] + nio),
        tests("ToolsTests", ["Cluster", "Command", "Conformance", "LabCommand", "TestSupport"]),
        tests("TortureTests", ["Torture"] + nio),
        tests("HouseTests", ["TestSupport", "Postgres", "Reactor", "Schema"]),
        tests(
            "EndToEnd",
            ["TestSupport", "Cluster", "ParleyClient", "ParleyKit", "Postgres", "Reactor", "Wire", "Schema", log]),
    ]

    // Decoders against strangers (Tests/Fuzz). What the test replays, Tests/Fuzz/run searches with: then the same
    // sources are a library, instrumented, under libFuzzer's own `main`.
    let faced: [Target.Dependency] =
        [
            "GatewayService", "MessagingService", "ConversationsService", "EntitiesService", "Language", "Cluster",
            "ServiceKit", "Wire", "Reactor", "Schema", .product(name: "NIOEmbedded", package: "swift-nio"),
        ] + nio
    if Context.environment["PARLEY_FUZZ"] == nil {
        package.targets.append(
            .testTarget(
                name: "FuzzTests", dependencies: faced, path: "Tests/Fuzz",
                exclude: ["Driver", "corpus", "cases", "run", "README.md"], swiftSettings: strict))
    } else {
        package.targets += [
            .target(name: "FuzzTargets", dependencies: faced, path: "Tests/Fuzz/Targets", swiftSettings: strict),
            .executableTarget(name: "parley-fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Driver"),
        ]
    }
#endif
