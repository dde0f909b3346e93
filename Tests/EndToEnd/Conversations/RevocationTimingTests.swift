import ParleyClient
import TestSupport
import Testing

@Suite("A1 O1: how soon sessions close")
struct RevocationTimingTests {
    @Test("A1 a revocation that was committed but never published closes sessions on every gateway within 2 s")
    func unpublishedRevocation() async throws {
        let cluster = try await TestCluster()
        let phone = try await cluster.person("alice")
        let elsewhere = try await cluster.session(of: phone, gateway: 1)
        let tablet = try await cluster.device(of: phone, gateway: 1)
        let sockets = try await raw(cluster, phone)
        try await SideDoor.revoke(
            in: cluster.endpoints.database, lane: 60, user: phone.user, device: phone.client.welcome.device)
        let closing = await measured { await areRevoked(sockets) }
        #expect(closing.isWithin(.seconds(2)), "\(closing)")
        for client in [phone.client, elsewhere.client] {
            try await eventually("the client is signed out for good") { await client.endedBy?.code == "revoked" }
        }
        let late = cluster.newClient(1)
        let token = await phone.client.credentials?.accessToken
        #expect(
            try await refusal { () async throws(ParleyError) in try await late.connect(token: token) }.code == "revoked"
        )
        #expect(try await tablet.client.getPresence([tablet.user]).count == 1)
        await cluster.end()
    }

    @Test("A1 sessions close within 2 s even if the replica that acknowledged the revocation dies immediately")
    func killedAfterRevocation() async throws {
        let cluster = try await TestCluster(.init(replicas: ["conversations": 2]))
        let phone = try await cluster.person("alice")
        for round in 1...4 {
            let tablet = try await cluster.device(of: phone, gateway: 1)
            let sockets = try await raw(cluster, tablet)
            try await phone.client.revokeDevice(tablet.client.welcome.device)
            let closing = try await measured {
                try await cluster.cluster.kill("conversations-\(round % 2 + 1)")
                await areRevoked(sockets)
            }
            #expect(closing.isWithin(.seconds(2)), "round \(round): \(closing)")
            try await cluster.cluster.waitUntilReady()
            try await eventually("the phone is served") { await phone.client.isReady }
        }
        await cluster.end()
    }

    private enum Ending: String, CaseIterable {
        case signOut, signOutEverywhere, revokeDevice, suspend, operatorSignsOut, remove
    }

    @Test(
        "A1 O1 sessions on every gateway close within 2 s of signing out, revoking, and what the operator does",
        arguments: Ending.allCases)
    private func ended(by ending: Ending) async throws {
        let cluster = try await TestCluster.shared
        let phone = try await cluster.person("alice")
        let tablet = try await cluster.device(of: phone, gateway: 1)
        let (sockets, admin) = (try await raw(cluster, phone), try Operator(of: cluster))
        defer { admin.program.remove() }
        let reason = ["--reason", "a test"]
        switch ending {
        case .signOut: try await phone.client.signOut()
        case .signOutEverywhere: try await tablet.client.signOut(everywhere: true)
        case .revokeDevice: try await tablet.client.revokeDevice(phone.client.welcome.device)
        case .suspend: try await admin.done(["suspend", phone.username] + reason)
        case .operatorSignsOut: try await admin.done(["sign-out", phone.username] + reason)
        case .remove: try await admin.done(["remove", phone.username, "--yes"] + reason)
        }
        let closing = await measured { await areRevoked(sockets) }
        #expect(closing.isWithin(.seconds(2)), "\(ending): \(closing)")
    }
}

/// Checks that the gateways close the sessions because they are revoked.
private func areRevoked(_ sockets: [RawSocket]) async {
    for socket in sockets {
        #expect(await socket.closing() == RawSocket.Closing(goodbye: "revoked", code: 4003))
    }
}

/// Opens a raw session of the device at each gateway.
private func raw(_ cluster: TestCluster, _ device: Device) async throws -> [RawSocket] {
    let token = await device.client.credentials?.accessToken ?? ""
    return try await onThread {
        try (0..<2).map { gateway in
            let socket = try RawSocket(cluster.url(gateway))
            try socket.hello(token)
            return socket
        }
    }
}
