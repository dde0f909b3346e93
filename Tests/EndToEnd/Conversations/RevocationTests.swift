import ParleyClient
import TestSupport
import Testing

extension OwnClusters {
    @Test("A1 a revocation that was committed but never published closes sessions on every gateway within 2 s")
    func unpublishedRevocation() async throws {
        let cluster = try await TestCluster()
        let phone = try await cluster.person("alice")
        let elsewhere = try await cluster.session(of: phone, gateway: 1)
        let tablet = try await cluster.device(of: phone, gateway: 1)
        let sockets = try await raw(cluster, phone)
        try await SideDoor.revoke(
            in: cluster.endpoints.database, lane: 60, user: phone.user, device: phone.client.welcome.device)
        let began = ContinuousClock.now
        for socket in sockets {
            #expect(await socket.closing() == RawSocket.Closing(goodbye: "revoked", code: 4003))
        }
        #expect(ContinuousClock.now - began < .seconds(2) * patience)
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
}

extension ReplicaClusters {
    @Test("A1 sessions close within 2 s even if the replica that acknowledged the revocation dies immediately")
    func killedAfterRevocation() async throws {
        let cluster = try await TestCluster(.init(replicas: ["conversations": 2]))
        let phone = try await cluster.person("alice")
        for round in 1...4 {
            let tablet = try await cluster.device(of: phone, gateway: 1)
            let sockets = try await raw(cluster, tablet)
            try await phone.client.revokeDevice(tablet.client.welcome.device)
            let began = ContinuousClock.now
            try await cluster.cluster.kill("conversations-\(round % 2 + 1)")
            for socket in sockets {
                #expect(await socket.closing() == RawSocket.Closing(goodbye: "revoked", code: 4003))
            }
            #expect(ContinuousClock.now - began < .seconds(2) * patience, "round \(round)")
            try await cluster.cluster.waitUntilReady()
            try await eventually("the phone is served") { await phone.client.isReady }
        }
        await cluster.end()
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
