import Foundation
import ParleyClient
import TestSupport
import Testing

extension OperatedClusters {
    @Test("O1 a person sends only so many messages a day and keeps only so many bytes of files; deleting frees them")
    func quotas() async throws {
        let cluster = try await TestCluster(
            .init(
                gateways: 1,
                settings: [
                    "messaging": [
                        "PARLEY_LIMITS_MESSAGES_PER_DAY": "6", "PARLEY_LIMITS_FILE_BYTES_PER_PERSON": "1000",
                        "PARLEY_FILES_UNUSED_SECONDS": "0",
                    ]
                ], repeats: false))
        let people = try await cluster.people(2)
        let (alice, bob) = (people[0], people[1])
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id

        // Files.
        let first = try await alice.client.upload(Array(repeating: 7, count: 600), to: talk, name: "a.bin")
        let file = try await alice.client.send(first, to: talk)
        let unfit = try await refusal { () async throws(ParleyError) in
            try await alice.client.upload(Array(repeating: 7, count: 401), to: talk, name: "b.bin")
        }
        #expect(unfit.code == "quota_reached" && unfit.field == "size_bytes")
        // Requests at the same time count together: one of the two fits.
        async let one = fits(alice, 300, in: talk)
        async let two = fits(alice, 300, in: talk)
        #expect(try await [one, two].filter(\.self).count == 1)
        var usage = try await alice.client.usage()
        #expect(usage.fileBytes == 900 && usage.fileBytesMax == 1000)
        let forwarded = try await refusal { () async throws(ParleyError) in
            try await alice.client.forward(file.seq, of: talk, to: talk)
        }
        #expect(forwarded.code == "quota_reached")
        try await alice.client.delete(file.seq, of: talk)
        usage = try await alice.client.usage()
        #expect(usage.fileBytes == 300)
        #expect(try await fits(alice, 700, in: talk))
        #expect(try await bob.client.usage().fileBytes == 0)

        let parley = try Program()
        defer { parley.remove() }
        let signedIn = try await parley.run(
            ["login", alice.username, "--url", cluster.url()], environment: ["PARLEY_PASSWORD": alice.password])
        #expect(signedIn.status == 0, "\(signedIn.errors)")
        let shown = try await parley.run(["usage", "--url", cluster.url()])
        #expect(shown.output == "Files: 1000 bytes of 1000 bytes\nMessages today: 1 of 6\n", "\(shown.errors)")

        // Messages. One was the file.
        let id = await alice.client.newID()
        _ = try await alice.client.send("2", to: talk, id: id)
        for number in 3...6 { _ = try await alice.client.send("\(number)", to: talk) }
        let refused = try await refusal { () async throws(ParleyError) in try await alice.client.send("7", to: talk) }
        #expect(refused.code == "quota_reached" && refused.retryAfterMs > 0)
        #expect(try await alice.client.send("2", to: talk, id: id).duplicate, "what was sent is sent")
        usage = try await alice.client.usage()
        #expect(usage.messages == 6 && usage.messagesMax == 6 && usage.dayEndsUs % 86_400_000_000 == 0)
        _ = try await bob.client.send("mine", to: talk)
        // Another process knows it, a few seconds later.
        try await eventually("the count is stored") {
            try await Watcher(cluster.endpoints.database).number(
                "SELECT max(messages) FROM messaging.usage") == 6
        }
        try await cluster.cluster.kill("messaging-1")
        try await cluster.cluster.waitUntilReady()
        try await eventually("the quota is reached again") {
            do throws(ParleyError) {
                _ = try await alice.client.send("again", to: talk)
                return false
            } catch {
                return error.code == "quota_reached"
            }
        }
        await cluster.end()
    }

    private func fits(_ person: Device, _ count: Int, in talk: String) async throws -> Bool {
        do throws(ParleyError) {
            _ = try await person.client.call(
                MessagingMethods.createAttachment, key: talk,
                AttachmentTests.room(Int64(count), "text/plain", in: talk, await person.client.newID()))
            return true
        } catch {
            #expect(error.code == "quota_reached")
            return false
        }
    }

    @Test("O1 what goes out because of one person is limited: the bytes of their messages and edits times the readers")
    func delivered() async throws {
        let cluster = try await TestCluster(
            .init(
                gateways: 1,
                settings: [
                    "messaging": [
                        "PARLEY_LIMITS_DELIVERED_BYTES_PER_SECOND": "10000",
                        "PARLEY_LIMITS_DELIVERED_BYTES_BURST": "200000",
                    ]
                ], postgres: StatementCounter.postgresSettings, repeats: false))
        let people = try await cluster.people(11)
        let group = try await people[0].client.createGroup(name: "crowd", users: people.dropFirst().map(\.user))
            .conversation.id
        // Counting costs the database nothing with each message.
        let counter = try await StatementCounter(cluster)
        let statements = try await counter.count { _ = try await people[0].client.send("short", to: group) }
        await counter.close()
        #expect(statements.values.map(\.self) == [1] && statements.keys.first?.contains("send_batch") == true)
        let text = String(repeating: "x", count: 10_000)
        var sent: [Int64] = []
        var refused: ParleyError?
        for _ in 0..<5 where refused == nil {
            do throws(ParleyError) {
                sent.append(try await people[0].client.send(text, to: group).seq)
            } catch {
                refused = error
            }
        }
        // Two cost 220,000 bytes.
        #expect(sent.count == 2)
        #expect(refused?.code == "rate_limited" && (1...30_000).contains(refused?.retryAfterMs ?? 0))
        let edit = try await refusal { () async throws(ParleyError) in
            try await people[0].client.edit(sent[0], of: group, text: "y")
        }
        #expect(edit.code == "rate_limited")
        _ = try await people[1].client.send("others go on", to: group)
        try await eventually("it flows back") {
            (try? await people[0].client.send("short", to: group)) != nil
        }
        await cluster.end()
    }
}
