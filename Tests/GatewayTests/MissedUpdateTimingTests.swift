import Schema
import ServiceKit
import TestSupport
import Testing

@testable import GatewayService

/// How soon the gateway recovers Updates that never reached it.
@Suite(.serialized) struct MissedUpdateTimingTests: LosingUpdates {
    @Test("M3 a heartbeat reveals a lost last Update, also in an unknown lane; it is delivered within a second")
    func lostLast() async throws {
        try await with { peers, address in
            let alice = try signIn(address, Peers.token(1))
            await peers.beat()
            await peers.commit(to: [1], position: 1, lane: 9, isLost: true)
            let arriving = try await measured {
                await peers.beat()
                let lost = try positions(alice, 1)
                #expect(lost == [1])
            }
            #expect(arriving.isWithin(.seconds(1)), "\(arriving)")
            #expect(arriving.took >= .milliseconds(300), "the owner's own Update may still arrive")
        }
    }

    @Test("A1 a revocation whose Update was lost closes the device's sessions within 2 s")
    func lostRevocation() async throws {
        try await with { peers, address in
            let phone = try signIn(address, Peers.token(1, device: "phone"))
            let tablet = try signIn(address, Peers.token(1, device: "tablet"))
            await peers.change { peers in
                peers.beat("conversations")
                let revoked = DeviceRevoked(account: 1, device: "phone", atUs: WallClock.system.now.rawValue)
                peers.commit(
                    UpdateHeader(stream: "control", control: Control(control: .deviceRevoked(revoked))),
                    of: "conversations", isLost: true)
            }
            let closing = await measured {
                await peers.beat("conversations")
                #expect(phone.readClose() == (4003, 4003))
            }
            #expect(closing.isWithin(.seconds(2)), "\(closing)")
            #expect(try isUndisturbed(tablet))
        }
    }
}
