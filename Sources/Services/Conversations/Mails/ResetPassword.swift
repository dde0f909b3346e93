import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Whether people are found by an address.
enum FindingByEmail: String, CaseIterable, Sendable {
    case yes, confirmed, no
}

/// New passwords and confirmed addresses, by codes that are mailed (A6).
extension ConversationsService {
    /// Mails a code for a new password. Nothing of what happens until the reply depends on whose the address is: the
    /// queue looks for that.
    /// - Throws: ``Refusal`` `invalid`, `mail_off`, `rate_limited`.
    func requestPasswordReset(_ request: RequestPasswordResetRequest, _ call: RequestContext) async throws -> Done {
        try mails.requireOn()
        let address = try ProfileRules.wholeEmail(request.email)
        try await countMail(to: address, at: Address.place(of: call.caller.address))
        try await mails.add(.reset, to: address, of: nil)
        return Done()
    }

    /// Sets a new password with a mailed code.
    ///
    /// The password is hashed before the code is looked at, so that right and wrong codes and addresses take as long.
    /// - Throws: ``Refusal`` `invalid`, `mail_off`, `rate_limited`, `code_refused`.
    func resetPassword(_ request: ResetPasswordRequest, _ call: RequestContext) async throws -> Done {
        try mails.requireOn()
        let address = try ProfileRules.wholeEmail(request.email)
        let password = try AccountRules.password(request.newPassword, field: "new_password")
        let place = Address.place(of: call.caller.address)
        try await countCode(at: place)
        let hash = try await registerQueue.hashed(password, for: place)
        let tried = try await tried(request.code, .reset, address, nil)
        guard let tried, let account = tried.account else { throw Refusal.codeRefused }
        try await context.journal.change { change in
            guard try await change.first(ConversationsStore.lockAccount, .number(account)) != nil,
                try await change.first(MailsStore.confirmed, .text(address))?.account == account,
                try await self.use(tried, in: change)
            else { throw Refusal.codeRefused }
            try await change.execute(IdentitiesStore.setPassword, .number(account), .text(hash))
            // As signing out everywhere: whoever knew the old password is out.
            _ = try await change.query(ConversationsStore.lockDevices, .number(account), .null)
            let now = try await Self.now(in: change)
            try await change.execute(ConversationsStore.revokeAllDevices, .number(account), .number(now))
            change.publish(Self.revocation(account: account, device: "", at: now))
        }
        return Done()
    }

    /// Mails a code to the caller's address.
    /// - Throws: ``Refusal`` `invalid`, `guest_may_not`, `mail_off`, `rate_limited`.
    func requestEmailCode(_ request: RequestEmailCodeRequest, _ call: RequestContext) async throws -> Done {
        try mails.requireOn()
        let account = call.caller.account
        let profile = try await getProfile(.init(), call)
        // Guests cost nothing: nobody is to send mails to strangers by them.
        if profile.guest { throw Refusal.guestMayNot(.email) }
        guard !profile.email.isEmpty else {
            throw Refusal.invalid("email", "must be in your profile first")
        }
        if profile.emailConfirmed { return Done() }
        let perHour = context.settings.integer("limits.mails-per-recipient")
        try await attempts.count([SignInLimit(SignInKeys.mail(of: account), perHour, SignInLimit.hour)])
        try await countMail(to: profile.email, at: Address.place(of: call.caller.address))
        try await mails.add(.confirm, to: profile.email, of: account)
        return Done()
    }

    /// Confirms the caller's address with a mailed code.
    /// - Throws: ``Refusal`` `code_refused`, `mail_off`, `rate_limited`.
    func confirmEmail(_ request: ConfirmEmailRequest, _ call: RequestContext) async throws -> Profile {
        try mails.requireOn()
        let account = call.caller.account
        let before = try await getProfile(.init(), call)
        if before.emailConfirmed { return before }
        try await countCode(at: Address.place(of: call.caller.address))
        guard !before.email.isEmpty, let tried = try await tried(request.code, .confirm, before.email, account) else {
            throw Refusal.codeRefused
        }
        // Others may confirm it at the same moment, of whom each is seen by the next try: as many as get a code.
        for _ in 0..<context.settings.integer("limits.mails-per-recipient") {
            do {
                return try await confirm(before.email, of: account, by: tried)
            } catch let error as DatabaseError where error.code == .uniqueViolation {}
        }
        return try await confirm(before.email, of: account, by: tried)
    }

    private func confirm(_ email: String, of account: AccountNumber, by tried: TriedCode) async throws -> Profile {
        try await context.journal.change { change in
            guard let locked = try await change.first(PeopleStore.lockProfile, .number(account)) else {
                throw Refusal.unauthenticated
            }
            guard locked.email == email, try await self.use(tried, in: change) else { throw Refusal.codeRefused }
            let now = try await Self.now(in: change)
            for other in try await change.query(
                MailsStore.unconfirmOthers, .text(email), .number(account))
            {
                try await self.publishProfile(of: other, in: change)
            }
            try await change.execute(MailsStore.confirm, .number(account), .number(now))
            return try await self.publishProfile(of: account, in: change)
        }
    }

    // MARK: Steps

    /// Counts a mail. The place comes first: one beyond its limit must not use up what others may send.
    private func countMail(to address: String, at place: String) async throws {
        let settings = context.settings
        try await attempts.count([
            SignInLimit(
                SignInKeys.mail(from: place), settings.integer("limits.mails-per-address"), SignInLimit.hour),
            SignInLimit(
                SignInKeys.mail(to: address), settings.integer("limits.mails-per-recipient"), SignInLimit.hour),
        ])
    }

    private func countCode(at place: String) async throws {
        let limit = context.settings.integer("limits.code-tries-per-address")
        try await attempts.count([SignInLimit(SignInKeys.code(place), limit)])
    }

    /// A code that was right, which is still to be used up.
    private struct TriedCode {
        var kind: MailKind
        var key: [UInt8]
        var hash: [UInt8]
        var account: AccountNumber?
    }

    /// Tries a code, which counts. Returns nil if it is wrong, or there is none.
    private func tried(
        _ typed: String, _ kind: MailKind, _ address: String, _ account: AccountNumber?
    ) async throws -> TriedCode? {
        guard let key = MailedCode.key(kind, address, account) else { return nil }
        let hash = MailedCode.hash(MailedCode.meant(typed), key)
        let stored = try await context.database.first(
            MailsStore.tryCode, .int16(kind.rawValue), .bytes(key), .number(context.clock.now))
        guard let stored, stored.hash == hash else { return nil }
        return TriedCode(kind: kind, key: key, hash: hash, account: stored.account)
    }

    private func use(_ code: TriedCode, in change: Change) async throws -> Bool {
        try await change.first(
            MailsStore.useCode, .int16(code.kind.rawValue), .bytes(code.key), .bytes(code.hash)) != nil
    }
}

extension Refusal {
    static let codeRefused = Refusal(
        .codeRefused, "This code is wrong, was used, or is too old. Ask for another.", field: "code")
}
