import Foundation
import Observation
import ParleyClient
import ParleyKit
import TestSupport
import Testing

/// How a sign-in begins and ends on a device: by the person, by others, without a connection, at another server.
@MainActor
@Suite("ParleyKit, the life of an account", .timeLimit(.minutes(3)))
struct KitAccountStateTests {
    private static let nowhere = "ws://127.0.0.1:1/v1/socket"

    private func shows(_ what: String, _ isSo: @escaping @MainActor @Sendable () -> Bool) async throws {
        try await eventually(what) { @Sendable in await isSo() }
    }

    private func newName() -> String { "kit" + String(UInt64.random(in: .min ... .max), radix: 36) }

    private func code(_ action: () async throws(Refusal) -> Void) async -> Refusal.Code? {
        do throws(Refusal) {
            try await action()
            return nil
        } catch {
            return error.code
        }
    }

    private func files(_ app: AppFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: app.url.path).filter { $0.contains(".parley") }
    }

    @Test("A1 S8 while somebody is signed in nobody else gets in, and the device stays theirs")
    func second() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        var parley = await app.open(cluster.url())
        #expect(parley.accountState == .signedOut)
        let (first, second) = (newName(), newName())
        try await parley.register(username: first, password: Device.password)
        let me = try #require(parley.user)
        #expect(parley.accountState == .signedIn)
        #expect(
            await code { () throws(Refusal) in
                try await parley.register(username: second, password: Device.password)
            } == .alreadySignedIn)
        #expect(
            await code { () throws(Refusal) in
                try await parley.signIn(username: first, password: Device.password)
            } == .alreadySignedIn)
        #expect(parley.user == me && parley.accountState == .signedIn)
        await parley.close()
        parley = await app.open(cluster.url())
        #expect(parley.user == me)
        try await shows("it is still signed in") { parley.connection == .online && !parley.isFromCache }

        // Side by side, in a folder of its own.
        let beside = try AppFolder()
        let other = await beside.open(cluster.url())
        try await other.register(username: second, password: Device.password)
        try await shows("both are online") { parley.connection == .online && other.connection == .online }
        #expect(other.user != me)
        try await other.signOut()
        #expect(other.accountState == .signedOut && parley.accountState == .signedIn)
        await other.close()
        await parley.close()
    }

    @Test("A1 S8 a device that is signed out from another one says so, keeps nothing, and lets anybody in")
    func ended() async throws {
        let cluster = try await TestCluster.shared
        let (phone, tablet) = (try AppFolder(), try AppFolder())
        let parley = await phone.open(cluster.url())
        let name = newName()
        try await parley.register(username: name, password: Device.password)
        var options = Parley.Options(folder: tablet.url)
        options.keepsEndedAccounts = true
        let keeping = await Parley.open(cluster.url(), options: options)
        try await keeping.signIn(username: name, password: Device.password)
        _ = try await keeping.addReminder("tea", dueAt: Date(timeIntervalSinceNow: 86_400))
        try await shows("it is stored by the server") { keeping.unsent.isEmpty }

        // From a third device: all others.
        let third = await (try AppFolder()).open(cluster.url())
        try await third.signIn(username: name, password: Device.password)
        try await third.signOut(everywhere: true)
        await third.close()
        for device in [parley, keeping] {
            try await shows("it says so") {
                if case .ended(let why) = device.accountState { why.code == .revoked } else { false }
            }
        }
        try await shows("nothing is left of the one") { parley.user == nil && parley.inbox.conversations.isEmpty }
        try await eventually("its files are gone") { @Sendable in try await self.files(phone) == [] }
        #expect(await code { () throws(Refusal) in try await parley.signOut() } == .unauthenticated)
        #expect(try !files(tablet).isEmpty && keeping.reminders.map(\.title) == ["tea"])

        // The person is back on one; on the other somebody else.
        try await keeping.signIn(username: name, password: Device.password)
        #expect(keeping.accountState == .signedIn && keeping.reminders.map(\.title) == ["tea"])
        try await parley.register(username: newName(), password: Device.password)
        #expect(parley.accountState == .signedIn && parley.reminders.isEmpty)
        await parley.close()
        await keeping.close()
    }

    @Test("A1 S8 whoever signs in as soon as an app says that their sign-in ended is signed in")
    func again() async throws {
        let cluster = try await TestCluster.shared
        let parley = await (try AppFolder()).open(cluster.url())
        let name = newName()
        try await parley.register(username: name, password: Device.password)
        for _ in 1...5 {
            let other = await (try AppFolder()).open(cluster.url())
            try await other.signIn(username: name, password: Device.password)
            try await other.signOut(everywhere: true)
            await other.close()
            await end(of: parley)
            try await parley.signIn(username: name, password: Device.password)
            #expect(parley.accountState == .signedIn)
        }
        await parley.close()
    }

    /// Returns at the moment at which an app shows that the sign-in ended.
    private func end(of parley: Parley) async {
        while true {
            if case .ended = parley.accountState { return }
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = parley.accountState
                } onChange: {
                    continuation.resume()
                }
            }
        }
    }

    @Test("A1 S8 signing out works without a connection, and the server learns of it later, after a restart too")
    func offline() async throws {
        let cluster = try await TestCluster.shared
        let (phone, tablet) = (try AppFolder(), try AppFolder())
        let name = newName()
        var parley = await phone.open(cluster.url())
        try await parley.register(username: name, password: Device.password, deviceName: "phone")
        let other = await tablet.open(cluster.url())
        try await other.signIn(username: name, password: Device.password, deviceName: "tablet")
        #expect(try await other.devices().count == 2)
        await parley.close()

        parley = await phone.open(Self.nowhere)
        #expect(parley.accountState == .signedIn)
        _ = try await parley.addReminder("tea", dueAt: Date(timeIntervalSinceNow: 86_400))
        #expect(await code { () throws(Refusal) in try await parley.signOut() } == .unsentWork)
        try await parley.signOut(discardingUnsent: true)
        #expect(parley.accountState == .signedOut && parley.reminders.isEmpty)
        #expect(try files(phone) == [])
        await parley.close()
        #expect(try await other.devices().count == 2)

        parley = await phone.open(cluster.url())
        #expect(parley.accountState == .signedOut)
        try await eventually("the server knows") { @Sendable in try await other.devices().map(\.name) == ["tablet"] }
        try await eventually("nothing is left to tell") { @Sendable in
            let kept = phone.url.appendingPathComponent("credentials.json").path
            return !FileManager.default.fileExists(atPath: kept)
        }
        try await parley.signIn(username: name, password: Device.password)
        await parley.close()
        await other.close()
    }

    @Test("A1 S8 a sign-in is never sent to another server, which gets no byte")
    func otherServer() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        var parley = await app.open(cluster.url())
        try await parley.register(username: newName(), password: Device.password)
        let me = try #require(parley.user)
        await parley.close()

        let listener = try SilentListener()
        parley = await Parley.open("ws://127.0.0.1:\(listener.port)", options: Parley.Options(folder: app.url))
        try await shows("it is refused") { parley.problem?.code == .otherServer }
        #expect(parley.user == nil)
        #expect(parley.problem?.message.contains(cluster.url().prefix(18)) ?? false, "\(parley.problem?.message ?? "")")
        #expect(
            await code { () throws(Refusal) in
                try await parley.signIn(username: "alice", password: Device.password)
            } == .otherServer)
        try await Task.sleep(for: .milliseconds(500))
        #expect(!listener.wasReached)
        await parley.close()

        // The same server elsewhere, and with its URL written in another way.
        parley = await app.open(Self.nowhere)
        #expect(parley.user == me)
        await parley.close()
        var options = Parley.Options(folder: app.url)
        options.formerServers = [Self.nowhere]
        parley = await Parley.open(cluster.url().replacing("/v1/socket", with: "/"), options: options)
        try await shows("it is signed in") { parley.connection == .online && parley.user == me }
        await parley.close()
    }
}

/// A server that accepts nobody, and knows whether anybody came.
private final class SilentListener {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(descriptor, raw, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, raw, &length) == 0
            }
        }
        guard descriptor >= 0, bound else { throw POSIXError(.EADDRNOTAVAIL) }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    var wasReached: Bool {
        let connection = accept(descriptor, nil, nil)
        if connection >= 0 { close(connection) }
        return connection >= 0
    }
}
