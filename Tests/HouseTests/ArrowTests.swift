import Testing

@Suite("Imports between rooms")
struct ArrowTests {
    /// Our own modules that each room may import.
    private static let arrows: [String: Set<String>] = [
        "Platform/Schema": ["CSchema", "CProtobuf"],
        "Language": [],
        "Platform/Reactor": ["CZeroMQ"],
        "Platform/Wire": ["Schema", "Reactor"],
        "Platform/Postgres": ["Reactor", "CPostgres"],
        "Platform/HTTPClient": ["Reactor", "CCurl"],
        "Platform/Signatures": ["CCrypto"],
        "Platform/Mail": ["HTTPClient", "Reactor"],
        "Platform/LanguageModel": ["Language", "HTTPClient", "Reactor"],
        "Platform/PushSenders": ["HTTPClient", "Reactor", "Signatures"],
        "Platform/Monitor": [],
        "Platform/ServiceKit": ["Wire", "Postgres", "Monitor", "Reactor", "Schema", "CSodium"],
        "Services/Gateway": ["ServiceKit", "Monitor", "Wire", "Reactor", "Schema"],
        "Services/Conversations": [
            "ServiceKit", "Wire", "Postgres", "Reactor", "Schema", "HTTPClient", "Mail", "Signatures",
        ],
        "Services/Messaging": ["ServiceKit", "Wire", "Postgres", "Reactor", "Schema", "HTTPClient", "CZlib"],
        "Services/Presence": ["ServiceKit", "Wire", "Postgres", "Reactor", "Schema"],
        "Services/Entities": ["ServiceKit", "Wire", "Postgres", "Reactor", "Schema", "Language", "LanguageModel"],
        "Services/Notifications": ["ServiceKit", "Wire", "Postgres", "Reactor", "Schema", "PushSenders"],
        "Clients/ParleyClient": [],
        "Clients/ParleyKit": ["ParleyClient"],
        "Tools/Cluster": ["Postgres", "Reactor", "Schema"],
        "Tools/Import": ["Schema", "Signatures"],
        "Tools/Command": [
            "Cluster", "Import", "Language", "LanguageModel", "ParleyClient", "Postgres", "Reactor", "Schema",
        ],
        "Tools/Programs": [],
        "Tools/EmbedFiles": [],
        "Plugins/EmbedFiles": [],
        "Lab/Torture": ["Cluster", "ParleyClient", "Postgres", "Reactor", "Wire", "Schema"],
        "Lab/Conformance": ["ParleyClient"],
        "Lab/Commands": [
            "CCounters", "Cluster", "Command", "Conformance", "Language", "ParleyClient", "ParleyKit", "Postgres",
            "Reactor",
            "Schema", "Torture",
        ],
        "Lab/parley-lab": ["LabCommand"],
        "Executables/parley": ["Command"],
        "Executables/parley-gateway": ["GatewayService"],
        "Executables/parley-conversations": ["ConversationsService", "ServiceKit"],
        "Executables/parley-messaging": ["MessagingService", "ServiceKit"],
        "Executables/parley-presence": ["PresenceService", "ServiceKit"],
        "Executables/parley-entities": ["EntitiesService", "ServiceKit"],
        "Executables/parley-notifications": ["NotificationsService", "ServiceKit"],
    ]

    private static let ours: Set<String> = [
        "CZeroMQ", "CPostgres", "CProtobuf", "CSodium", "CCurl", "CZlib", "CCrypto", "CSchema", "CCounters",
        "Schema", "Language", "LanguageModel", "Mail", "Signatures", "PushSenders", "Reactor", "Wire", "Postgres",
        "HTTPClient", "Monitor", "ServiceKit",
        "GatewayService", "ConversationsService", "MessagingService", "PresenceService", "EntitiesService",
        "NotificationsService",
        "ParleyClient", "ParleyKit",
        "Cluster", "Command", "Conformance", "Import", "LabCommand", "Torture", "TestSupport",
    ]

    @Test("every room imports only the modules it may")
    func rooms() {
        #expect(SourceFile.all.count > 100)
        for file in SourceFile.all {
            guard let allowed = Self.arrows[file.room] else {
                Issue.record("\(file.path) is in a room that the table of arrows does not list")
                continue
            }
            for (module, _) in file.imports where Self.ours.contains(module) {
                #expect(allowed.contains(module), "\(file.path) imports \(module)")
            }
        }
    }

    @Test("each C module has one importer")
    func oneImporter() {
        for module in Self.ours where module.first == "C" && module.dropFirst().first?.isUppercase == true {
            let rooms = Set(SourceFile.all.filter { $0.imports.contains { $0.module == module } }.map(\.room))
            #expect(rooms.count == 1, "\(module): \(rooms.sorted())")
        }
    }

    @Test(
        "only HTTP, the gateway and the client side import SwiftNIO, and fewer of them NIOSSL and swift-protobuf"
    )
    func libraries() {
        for file in SourceFile.all {
            for (module, _) in file.imports {
                if module.hasPrefix("NIO") {
                    #expect(
                        [
                            "Platform/Monitor", "Services/Gateway", "Clients/ParleyClient", "Clients/ParleyKit",
                            "Tools/Command", "Lab/Commands", "Lab/Conformance", "Lab/Torture",
                        ].contains(
                            file.room),
                        "\(file.path)")
                }
                if module == "NIOSSL" {
                    #expect(["Services/Gateway", "Clients/ParleyClient"].contains(file.room), "\(file.path)")
                }
                if module == "SwiftProtobuf" {
                    #expect(file.room.hasPrefix("Clients/") || file.room == "Lab/Conformance", "\(file.path)")
                }
                if module == "GRDB" { #expect(file.room == "Clients/ParleyKit", "\(file.path)") }
            }
        }
    }

    @Test("Platform, Language and Services import no Foundation, and FoundationEssentials only with a reason")
    func foundation() {
        for file in SourceFile.all where file.isServed {
            for (module, rest) in file.imports where module.hasPrefix("Foundation") {
                #expect(module == "FoundationEssentials" && rest.contains("//"), "\(file.path) imports \(module)")
            }
        }
    }

    @Test("every target of the package is a room of the table")
    func targets() throws {
        let package = try text(of: "Package.swift")
        for match in package.matches(of: /(?:room|process)\(\s*"([\w-]+)"(?:,\s*"Sources\/([\w\/]+)")?/)
        where match.1 != "TestSupport" {
            let room = match.2.map(String.init) ?? "Executables/\(match.1)"
            #expect(Self.arrows[room] != nil, "\(room)")
        }
    }
}
