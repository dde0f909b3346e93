import Foundation
import ParleyClient
import TestSupport

import enum Schema.Access

/// The access of each request, and the verdicts that do not follow from it.
enum Rows {
    static let all: [Row] =
        accounts + people + conversations + requests + groups + messaging + others + ofEvents + ofSuggestions + ofPushes
        + ofGateways
    static let byMethod = Dictionary(grouping: all, by: \.method)

    private static let ofBlocks: Set<Caller> = [.blocked, .blocker]
    private static let ofMembers: Set<Caller> = [.member, .admin, .owner, .creator, .otherDevice]

    private static let signedInCallers = Set(Caller.withSession).subtracting([.notSignedIn])
    /// An ID token that says who made it, and nothing that is true.
    private static let strangeToken =
        Data(#"{"alg":"RS256"}"#.utf8).base64URL + "."
        + Data(#"{"iss":"https://nobody.example","sub":"a","aud":"a","iat":1,"exp":1}"#.utf8).base64URL + ".AAAA"

    static let accounts: [Row] = [
        Row("conversations.Register", .anyone) { scene throws(ParleyError) in
            _ = try await register(scene)
        },
        Row("conversations.GetChallenge", .anyone) { scene throws(ParleyError) in
            _ = try await scene.client.call(ConversationsMethods.getChallenge, key: "", .init())
        },
        Row("conversations.SignIn", .anyone) { scene throws(ParleyError) in
            let made = try await register(scene)
            _ = try await scene.client.call(
                ConversationsMethods.signIn, key: made.user.username,
                .with { ($0.username, $0.password) = (made.user.username, Device.password) })
        },
        Row("conversations.RefreshTokens", .anyone) { scene throws(ParleyError) in
            let made = try await register(scene)
            _ = try await scene.client.call(
                ConversationsMethods.refreshTokens, key: "", .with { $0.refreshToken = made.refreshToken })
        },
        Row(ConversationsMethods.listIssuers, .anyone) { _ in .init() },
        Row(
            ConversationsMethods.signInWithToken, .anyone,
            except: [(Set(Caller.withSession), .refused("issuer_unknown"), "this cluster has no issuer")]
        ) { scene in .with { ($0.id, $0.token) = (Data(scene.newID.bytes), strangeToken) } },
        Row(
            ConversationsMethods.signInWithCode, .anyone,
            except: [(Set(Caller.withSession), .refused("code_refused"), "no page gave this code")]
        ) { scene in .with { ($0.id, $0.code) = (Data(scene.newID.bytes), "none") } },
        Row(ConversationsMethods.listIdentities, .own) { _ in .init() },
        Row(
            ConversationsMethods.linkIdentity, .own,
            except: [(signedInCallers, .refused("issuer_unknown"), "this cluster has no issuer")]
        ) { scene in .with { ($0.token, $0.owner) = (strangeToken, .password(scene.password)) } },
        Row(
            ConversationsMethods.unlinkIdentity, .own,
            names: [.identity],
            except: [(signedInCallers, .refused("not_found"), "no caller has an identity")]
        ) { scene in .with { ($0.identity, $0.owner) = (scene.identity, .password(scene.password)) } },
        Row(ConversationsMethods.changePassword, .own) { scene in
            .with { ($0.newPassword, $0.owner) = (scene.password, .password(scene.password)) }
        },
        Row(ConversationsMethods.beginDeviceLink, .anyone) { _ in .init() },
        Row(
            ConversationsMethods.getDeviceLink, .own,
            except: [(signedInCallers, .refused("code_refused"), "no device has this code")]
        ) { _ in .with { $0.code = "none" } },
        Row(
            ConversationsMethods.approveDeviceLink, .own,
            except: [(signedInCallers, .refused("code_refused"), "no device has this code")]
        ) { _ in .with { $0.code = "none" } },
        Row(
            ConversationsMethods.finishDeviceLink, .anyone,
            except: [(Set(Caller.withSession), .refused("code_refused"), "no device has this code")]
        ) { _ in .with { $0.code = "none" } },
        Row(
            ConversationsMethods.requestPasswordReset, .anyone,
            except: [(Set(Caller.withSession), .refused("mail_off"), "this cluster sends no mail")]
        ) { _ in .with { $0.email = "nobody@example.org" } },
        Row(
            ConversationsMethods.resetPassword, .anyone,
            except: [(Set(Caller.withSession), .refused("mail_off"), "this cluster sends no mail")]
        ) { scene in
            .with { ($0.email, $0.code, $0.newPassword) = ("nobody@example.org", "2222-2222", scene.password) }
        },
        Row(
            ConversationsMethods.requestEmailCode, .own,
            except: [(signedInCallers, .refused("mail_off"), "this cluster sends no mail")]
        ) { _ in .init() },
        Row(
            ConversationsMethods.confirmEmail, .own,
            except: [(signedInCallers, .refused("mail_off"), "this cluster sends no mail")]
        ) { _ in .with { $0.code = "2222-2222" } },
        Row(ConversationsMethods.signOut, .own, spends: .caller) { _ in .init() },
        Row(ConversationsMethods.listDevices, .own) { _ in .init() },
        Row("conversations.RevokeDevice", .own, names: [.device]) { scene throws(ParleyError) in
            var device = scene.device
            if device == nil, !scene.username.isEmpty {
                device = try await scene.client.call(
                    ConversationsMethods.signIn, key: scene.username,
                    .with { ($0.username, $0.password) = (scene.username, scene.password) }
                ).device
            }
            let revoked = device ?? "none"
            _ = try await scene.client.call(
                ConversationsMethods.revokeDevice, key: scene.user, .with { $0.device = revoked })
        },
        Row(ConversationsMethods.eraseAccount, .own, spends: .caller) { scene in .with { $0.password = scene.password }
        },
    ]

    static let people: [Row] = [
        Row(ConversationsMethods.getProfile, .own) { _ in .init() },
        Row(ConversationsMethods.updateProfile, .own) { scene in .with { $0.displayName = scene.caller.rawValue } },
        Row(ConversationsMethods.findUser, .signedIn) { scene in .with { $0.username = scene.bystanderName } },
        Row(ConversationsMethods.getUsers, .signedIn) { scene in .with { $0.users = [scene.other, scene.bystander] } },
        Row(ConversationsMethods.searchUsers, .signedIn) { _ in .with { $0.query = "matrix" } },
        Row(ConversationsMethods.blockUser, .signedIn, spends: .conversation) { scene in .with { $0.user = scene.other }
        },
        Row(ConversationsMethods.unblockUser, .own, spends: .conversation) { scene in .with { $0.user = scene.other } },
        Row(ConversationsMethods.listBlocked, .own) { _ in .init() },
        Row(ConversationsMethods.listReports, .own) { _ in .init() },
        Row(ConversationsMethods.listImported, .own) { _ in .init() },
        Row(
            ConversationsMethods.createReport, .signedIn, absent: "not_found", formersToo: true, names: [.conversation]
        ) { scene in
            .with {
                ($0.id, $0.user, $0.conversation) = (Data(scene.newID.bytes), scene.other, scene.conversation)
                ($0.seq, $0.reason) = (1, .spam)
            }
        },
    ]

    static let conversations: [Row] = [
        Row(
            ConversationsMethods.startDirect, .signedIn, spends: .conversation,
            except: [(ofBlocks, .refused("user_blocked"), "either of the two blocks the other")]
        ) { scene in .with { $0.user = scene.other } },
        Row(
            ConversationsMethods.getConversation, .member, absent: "not_found", formersToo: true,
            names: [.conversation], except: [([.invited], .allowed, "sees the invitation")]
        ) {
            scene in .with { $0.conversation = scene.conversation }
        },
        Row(ConversationsMethods.getConversations, .own) { scene in .with { $0.conversations = [scene.conversation] } },
        Row(ConversationsMethods.findConversation, .own) { scene in .with { $0.users = [scene.other] } },
        Row(ConversationsMethods.sync, .own) { _ in .init() },
    ]

    static let requests: [Row] = [
        Row(ConversationsMethods.listRequests, .own) { _ in .init() },
        Row(
            ConversationsMethods.acceptRequest, .recipient, spends: .conversation, names: [.conversation],
            except: [
                (
                    ofMembers.union([.partner, .blocked, .blocker]), .allowed,
                    "accepted before; accepting again changes nothing"
                )
            ]
        ) { scene in .with { $0.conversation = scene.conversation } },
        Row(
            ConversationsMethods.declineRequest, .recipient, spends: .conversation, names: [.conversation],
            except: [
                ([.decliner], .allowed, "declining again changes nothing"),
                (ofMembers, .refused("not_pending"), "a member of the group"),
            ]
        ) { scene in .with { $0.conversation = scene.conversation } },
        Row(ConversationsMethods.withdrawRequest, .requester, spends: .conversation, names: [.conversation]) { scene in
            .with { $0.conversation = scene.conversation }
        },
        Row(ConversationsMethods.markRequestsRead, .own) { scene in
            .with { $0.conversations = [scene.conversation] }
        },
    ]

    static let groups: [Row] = [
        Row(
            ConversationsMethods.createGroup, .signedIn,
            except: [([.blocker], .refused("user_blocked"), "the caller blocks the other")]
        ) { scene in .with { ($0.id, $0.name, $0.users) = (Data(scene.newID.bytes), "made", [scene.other]) } },
        Row(ConversationsMethods.updateGroup, .ownerOrAdmin, spends: .conversation, names: [.conversation]) { scene in
            .with { ($0.conversation, $0.name) = (scene.conversation, "renamed") }
        },
        Row(ConversationsMethods.listMembers, .member, absent: "not_found", names: [.conversation]) { scene in
            .with { $0.conversation = scene.conversation }
        },
        Row(ConversationsMethods.addMembers, .ownerOrAdmin, spends: .conversation, names: [.conversation]) { scene in
            .with { ($0.conversation, $0.users) = (scene.conversation, [scene.bystander]) }
        },
        Row(ConversationsMethods.listInvitations, .ownerOrAdmin, names: [.conversation]) { scene in
            .with { $0.conversation = scene.conversation }
        },
        Row(
            ConversationsMethods.withdrawInvitation, .ownerOrAdmin, spends: .conversation, names: [.conversation],
            except: [([.creator, .otherDevice], .allowed, "the inviter")]
        ) { scene in .with { ($0.conversation, $0.user) = (scene.conversation, scene.invited) } },
        Row(ConversationsMethods.removeMember, .ownerOrAdmin, spends: .conversation, names: [.conversation]) { scene in
            .with { ($0.conversation, $0.user) = (scene.conversation, scene.other) }
        },
        Row(ConversationsMethods.setMemberRole, .owner, spends: .conversation, names: [.conversation]) { scene in
            .with { ($0.conversation, $0.user, $0.role) = (scene.conversation, scene.other, .admin) }
        },
        Row(ConversationsMethods.transferOwnership, .owner, spends: .conversation, names: [.conversation]) { scene in
            .with { ($0.conversation, $0.user) = (scene.conversation, scene.other) }
        },
        Row(
            ConversationsMethods.leaveGroup, .member, absent: "not_found", formersToo: true, ofGroupsOnly: true,
            spends: .conversation, names: [.conversation]
        ) { scene in .with { $0.conversation = scene.conversation } },
    ]

    private static func register(_ scene: Scene) async throws(ParleyError) -> Parley_V1_SignedIn {
        let name = "matrix" + String(UInt64.random(in: .min ... .max), radix: 36)
        let id = await scene.client.newID()
        return try await scene.client.call(
            ConversationsMethods.register, key: name,
            .with { ($0.id, $0.username, $0.password) = (Data(id.bytes), name, Device.password) })
    }
}

extension Data {
    /// In base64 for URLs, without padding.
    fileprivate var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
