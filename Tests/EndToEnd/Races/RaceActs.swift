import Foundation
import ParleyClient
import TestSupport

/// Something that one person does in a ``RaceScene`` and that shows or hides something.
struct RaceAct: Sendable {
    /// The request, by its name in frames; empty: of the operator.
    var method: String
    var name: String
    var actor: RaceScene.Person
    /// Does it, from one of the actor's sessions.
    var act: @Sendable (RaceScene, ParleyClient) async throws -> Void

    private init(
        _ name: String, _ method: String, by actor: RaceScene.Person,
        _ act: @escaping @Sendable (RaceScene, ParleyClient) async throws -> Void
    ) {
        (self.name, self.method, self.actor, self.act) = (name, method, actor, act)
    }

    static let all = ofConversations + ofMessages + ofEvents

    private static let ofConversations: [RaceAct] = [
        RaceAct("add the stranger", "conversations.AddMembers", by: .admin) { scene, client in
            _ = try await client.addMembers([scene[.stranger].user], to: scene.group)
        },
        RaceAct("add the invited guest", "conversations.AddMembers", by: .admin) { scene, client in
            _ = try await client.addMembers([scene[.guest].user], to: scene.group)
        },
        RaceAct("withdraw the invitation", "conversations.WithdrawInvitation", by: .owner) { scene, client in
            try await client.withdrawInvitation(of: scene[.guest].user, into: scene.group)
        },
        RaceAct("accept the invitation", "conversations.AcceptRequest", by: .guest) { scene, client in
            _ = try await client.acceptRequest(scene.group)
        },
        RaceAct("decline the invitation", "conversations.DeclineRequest", by: .guest) { scene, client in
            try await client.declineRequest(scene.group)
        },
        RaceAct("leave", "conversations.LeaveGroup", by: .member) { scene, client in
            try await client.leaveGroup(scene.group)
        },
        RaceAct("leave as the owner", "conversations.LeaveGroup", by: .owner) { scene, client in
            try await client.leaveGroup(scene.group)
        },
        RaceAct("remove the member", "conversations.RemoveMember", by: .owner) { scene, client in
            try await client.removeMember(scene[.member].user, from: scene.group)
        },
        RaceAct("accept the request", "conversations.AcceptRequest", by: .member) { scene, client in
            _ = try await client.acceptRequest(scene.request)
        },
        RaceAct("decline the request", "conversations.DeclineRequest", by: .member) { scene, client in
            try await client.declineRequest(scene.request)
        },
        RaceAct("withdraw the request", "conversations.WithdrawRequest", by: .stranger) { scene, client in
            try await client.withdrawRequest(scene.request)
        },
        RaceAct("start the requested talk", "conversations.StartDirect", by: .member) { scene, client in
            _ = try await client.startDirect(with: scene[.stranger].user)
        },
        RaceAct("block the stranger", "conversations.BlockUser", by: .member) { scene, client in
            _ = try await client.block(scene[.stranger].user)
        },
        RaceAct("block the owner", "conversations.BlockUser", by: .member) { scene, client in
            _ = try await client.block(scene[.owner].user)
        },
        RaceAct("unblock the stranger", "conversations.UnblockUser", by: .admin) { scene, client in
            try await client.unblock(scene[.stranger].user)
        },
        RaceAct("erase the member", "conversations.EraseAccount", by: .member) { scene, client in
            try await client.erase(password: scene[.member].password)
        },
        RaceAct("suspend the member", "", by: .member) { scene, _ in
            let command = try Operator(of: scene.cluster)
            defer { command.program.remove() }
            try await command.done(["suspend", scene[.member].username, "--reason", "a race"])
        },
    ]

    private static let ofMessages: [RaceAct] = [
        RaceAct("send to the group", "messaging.SendMessage", by: .admin) { scene, client in
            _ = try await client.send("three", to: scene.group)
        },
        RaceAct("send as the member", "messaging.SendMessage", by: .member) { scene, client in
            _ = try await client.send("mine", to: scene.group)
        },
        RaceAct("edit", "messaging.EditMessage", by: .member) { scene, client in
            _ = try await client.edit(scene.seqs[0], of: scene.group, text: "one and a half")
        },
        RaceAct("delete", "messaging.DeleteMessage", by: .owner) { scene, client in
            _ = try await client.delete(scene.seqs[0], of: scene.group)
        },
        RaceAct("clear", "messaging.ClearConversation", by: .member) { scene, client in
            _ = try await client.clear(scene.group)
        },
        RaceAct("hide", "messaging.UpdateMessageState", by: .member) { scene, client in
            _ = try await client.hide([scene.seqs[1]], of: scene.group)
        },
        RaceAct("let old messages disappear", "messaging.SetRetention", by: .owner) { scene, client in
            try await client.setRetention(of: scene.group, seconds: 86_400, alsoOld: true)
        },
    ]

    private static let ofEvents: [RaceAct] = [
        RaceAct("invite the group", "entities.InviteConversation", by: .owner) { scene, client in
            _ = try await client.inviteConversation(scene.group, to: scene.ownEvent)
        },
        RaceAct("uninvite the group", "entities.UninviteConversation", by: .owner) { scene, client in
            _ = try await client.uninviteConversation(scene.group, from: scene.event)
        },
        RaceAct("come", "entities.AnswerEvent", by: .member) { scene, client in
            _ = try await client.answerEvent(scene.event, .accepted, from: scene.group)
        },
        RaceAct("host", "entities.AnswerEvent", by: .admin) { scene, client in
            _ = try await client.answerEvent(scene.event, .accepted, from: scene.group, hosts: true)
        },
        RaceAct("decline to come", "entities.AnswerEvent", by: .admin) { scene, client in
            _ = try await client.answerEvent(scene.event, .declined, from: scene.group)
        },
        RaceAct("no longer ask the host", "entities.SetEventHost", by: .owner) { scene, client in
            _ = try await client.setEventHost(scene[.admin].user, of: scene.event, host: false)
        },
        RaceAct("delete the event", "entities.DeleteEvent", by: .owner) { scene, client in
            _ = try await client.deleteEvent(scene.event)
        },
        RaceAct("accept the suggestion", "entities.AcceptSuggestion", by: .member) { scene, client in
            _ = try await client.acceptSuggestion(scene.suggestion)
        },
        RaceAct("share a decision", "entities.CreateDecision", by: .member) { scene, client in
            _ = try await client.createDecision(
                .with { ($0.text, $0.conversation, $0.shared) = ("we stay", scene.group, true) })
        },
        RaceAct("delete the decision", "entities.DeleteDecision", by: .admin) { scene, client in
            _ = try await client.deleteDecision(scene.decision)
        },
    ]
}
