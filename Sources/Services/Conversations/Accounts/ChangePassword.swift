import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Changes the caller's password, or gives them their first one (A6).
    /// - Throws: ``Refusal`` `invalid`; those of ``evidence(_:of:)``.
    func changePassword(_ request: ChangePasswordRequest, _ call: RequestContext) async throws -> Done {
        let (account, device) = (call.caller.account, call.caller.device)
        let password = try AccountRules.password(request.newPassword, field: "new_password")
        let evidence = try await evidence(request.owner ?? .init(), of: call.caller)
        let hash = try await signInQueue.hashed(password, for: nil)
        try await context.journal.change { change in
            try await self.requireAccount(account, in: change)
            let now = try await Self.now(in: change)
            try await self.accept(evidence, of: account, at: now, in: change)
            try await change.execute(IdentitiesStore.setPassword, .number(account), .text(hash))
            guard request.endOtherDevices else { return }
            for other in try await change.query(ConversationsStore.devices, .number(account))
            where other.id != device { try await self.revoke(device: other.id, of: account, in: change) }
        }
        return Done()
    }
}
