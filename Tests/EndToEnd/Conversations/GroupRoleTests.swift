import ParleyClient
import TestSupport
import Testing

@Suite("C9 C10: who may change a group", .timeLimit(.minutes(10 * patience)))
struct GroupRoleTests {
    /// A group of an owner, an admin and a member; somebody who left it, and somebody who never belonged.
    private struct Scene {
        let cluster: TestCluster
        let owner, admin, member, left, stranger: Device
        let group: String

        init() async throws {
            cluster = try await TestCluster.shared
            owner = try await cluster.person("owner")
            admin = try await cluster.person("admin", gateway: 1)
            member = try await cluster.person("member", gateway: 1)
            left = try await cluster.person("left")
            stranger = try await cluster.person("stranger")
            let made = try await owner.client.createGroup(
                name: "trip", users: [admin.user, member.user, left.user], photoURL: "https://example.com/a.jpg")
            #expect(made.conversation.photoURL == "https://example.com/a.jpg" && made.conversation.memberCount == 4)
            group = made.conversation.id
            try await owner.client.setMemberRole(.admin, of: admin.user, in: group)
            try await left.client.leaveGroup(group)
        }
    }

    private func expect(
        _ code: String, _ body: () async throws(ParleyError) -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let refused = try await refusal(body)
        #expect(refused.code == code, sourceLocation: sourceLocation)
    }

    @Test("C9 C10 owner and admins change a group's name and photo, together or one of them; all devices see it")
    func namesAndPhotos() async throws {
        let scene = try await Scene()
        let (group, owner, admin) = (scene.group, scene.owner.client, scene.admin.client)
        let others = [
            try await scene.cluster.device(of: scene.owner, gateway: 1),
            try await scene.cluster.device(of: scene.admin),
        ]
        let renamed = try await admin.updateGroup(group, name: "  Sea ").conversation
        #expect(renamed.name == "Sea" && renamed.photoURL == "https://example.com/a.jpg")
        #expect(try await admin.updateGroup(group, name: "Sea").conversation == renamed, "the same again")
        #expect(try await admin.updateGroup(group).conversation == renamed, "no field given")
        let bare = try await owner.updateGroup(group, photoURL: "").conversation
        #expect(bare.photoURL.isEmpty && bare.name == "Sea")
        try await owner.updateGroup(group, name: "Lake", photoURL: "https://example.com/b.jpg")
        let devices = [scene.owner, scene.admin, scene.member] + others
        for device in devices {
            let now = try await device.client.getConversation(group)
            #expect(now.name == "Lake" && now.photoURL == "https://example.com/b.jpg")
            try await eventually("the device has the last change") { await device.updates.newest(of: group) == now }
            let synced = try await device.client.syncConversations().conversations
            #expect(synced.first { $0.id == group } == now, "a fresh Sync equals the result of the Updates")
        }
        try await noGaps(of: devices, late: true)
    }

    @Test("C9 C10 members, former members and strangers cannot change a group's name; nobody can make it invalid")
    func refusedNames() async throws {
        let scene = try await Scene()
        let (group, owner) = (scene.group, scene.owner.client)
        let direct = try await owner.startDirect(with: scene.admin.user).conversation.id
        for (device, code) in [(scene.member, "forbidden"), (scene.left, "not_found"), (scene.stranger, "not_found")] {
            try await expect(code) { () async throws(ParleyError) in
                try await device.client.updateGroup(group, name: "Mine")
            }
        }
        for name in [" ", "a\u{0}"] {
            try await expect("invalid") { () async throws(ParleyError) in
                try await owner.updateGroup(group, name: name)
            }
        }
        try await expect("invalid") { () async throws(ParleyError) in
            try await owner.updateGroup(group, photoURL: "http://example.com/a.jpg")
        }
        try await expect("invalid") { () async throws(ParleyError) in try await owner.updateGroup(direct, name: "Mine")
        }
    }

    @Test("C9 only the owner appoints admins, and only members; the owner's own role changes by transfer alone")
    func refusedRoles() async throws {
        let scene = try await Scene()
        let group = scene.group
        for (device, of, role, code) in [
            (scene.admin, scene.member, .admin, "forbidden"), (scene.member, scene.member, .admin, "forbidden"),
            (scene.stranger, scene.admin, .admin, "not_found"), (scene.owner, scene.left, .admin, "not_found"),
            (scene.owner, scene.admin, .owner, "invalid"), (scene.owner, scene.owner, .member, "invalid"),
        ] as [(Device, Device, Parley_V1_MemberRole, String)] {
            try await expect(code) { () async throws(ParleyError) in
                try await device.client.setMemberRole(role, of: of.user, in: group)
            }
        }
    }

    @Test("C9 only the owner hands the group over, to another member; repeating it changes nothing")
    func transfer() async throws {
        let scene = try await Scene()
        let group = scene.group
        for (device, to, code) in [
            (scene.admin, scene.member, "forbidden"), (scene.member, scene.member, "forbidden"),
            (scene.owner, scene.owner, "invalid"), (scene.owner, scene.left, "not_found"),
            (scene.stranger, scene.stranger, "not_found"),
        ] {
            try await expect(code) { () async throws(ParleyError) in
                try await device.client.transferOwnership(group, to: to.user)
            }
        }
        for _ in 0..<2 { try await scene.owner.client.transferOwnership(group, to: scene.admin.user) }
        let roles = try await scene.member.client.getConversation(group).members.map { ($0.user.id, $0.role) }
        #expect(roles.map(\.0) == [scene.admin.user, scene.owner.user, scene.member.user], "owner, admins, members")
        #expect(roles.map(\.1) == [.owner, .admin, .member])
        #expect(try await scene.member.client.allMembers(of: group).map(\.user.id) == roles.map(\.0))
        for _ in 0..<2 { try await scene.admin.client.setMemberRole(.member, of: scene.owner.user, in: group) }
        try await expect("forbidden") { () async throws(ParleyError) in
            try await scene.owner.client.updateGroup(group, name: "x")
        }
        try await noGaps(of: [scene.owner, scene.admin, scene.member])
    }

    @Test("C9 a person who left keeps the group as it was, gets no later Update and cannot list its members")
    func whoLeft() async throws {
        let scene = try await Scene()
        let (group, left) = (scene.group, scene.left)
        try await scene.owner.client.updateGroup(group, name: "Lake", photoURL: "https://example.com/b.jpg")
        try await scene.owner.client.transferOwnership(group, to: scene.admin.user)
        let held = try await left.client.getConversation(group)
        #expect(held.leftAtUs > 0 && held.name == "trip" && held.photoURL == "https://example.com/a.jpg", "as it was")
        #expect(held.members.isEmpty && held.memberCount == 0 && held.section == .left)
        #expect(try await left.client.syncConversations().conversations == [held])
        try await noGaps(of: [left])
        #expect(await left.updates.newest(of: group) == held, "no later Update")
        for device in [left, scene.stranger] {
            try await expect("not_found") { () async throws(ParleyError) in
                _ = try await device.client.members(of: group)
            }
        }
        try await expect("invalid") { () async throws(ParleyError) in
            _ = try await scene.owner.client.members(of: group, cursor: "x")
        }
    }
}
