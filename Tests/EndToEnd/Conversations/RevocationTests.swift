import ParleyClient
import TestSupport
import Testing

extension OwnClusters {
    @Test("A1 a revocation that was committed and told to nobody closes sessions on every gateway within 2 s")
    func untoldRevocation() async throws {
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
            try await eventually("it is signed out for good") { await client.endedBy?.code == "revoked" }
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
    @Test("A1 the replica that acknowledged a revocation dies at that moment: sessions close within 2 s all the same")
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

/// A session of the same device at each gateway, by hand.
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
