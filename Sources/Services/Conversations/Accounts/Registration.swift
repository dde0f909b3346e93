import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Who can create an account.
enum RegistrationMode: String, CaseIterable, Sendable {
    case open
    case closed
    /// Whoever has a code of the operator.
    case invited
}

extension ConversationsService {
    /// Decides, before any password is hashed, whether a new account can be made.
    /// - Throws: ``Refusal`` `registration_closed`, `registration_code_refused`.
    func requireRegistration(code: String) async throws {
        switch registration {
        case .open: return
        case .closed:
            throw Refusal(.registrationClosed, "This server takes no new accounts. Ask whoever runs it.")
        case .invited:
            let isGood = try await context.database.first(
                RegistrationStore.code, .text(RegistrationCode.letters(of: code)), .number(context.clock.now))
            guard isGood != nil else { throw Refusal.registrationCodeRefused(isMissing: code.isEmpty) }
        }
    }

    /// Uses a code up by one account, in the account's transaction.
    /// - Throws: ``Refusal`` `registration_code_refused` if others used it up meanwhile.
    func useCode(_ code: String, in transaction: some Queryable) async throws {
        guard registration == .invited else { return }
        let used = try await transaction.first(
            RegistrationStore.useCode, .text(RegistrationCode.letters(of: code)), .number(context.clock.now))
        guard used != nil else { throw Refusal.registrationCodeRefused(isMissing: false) }
    }
}

/// What a registration code consists of. Pure.
enum RegistrationCode {
    /// Returns its letters and digits, in lower case: people write codes with and without hyphens.
    static func letters(of code: String) -> String {
        String(code.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }
}

extension Refusal {
    static func registrationCodeRefused(isMissing: Bool) -> Refusal {
        Refusal(
            .registrationCodeRefused,
            isMissing
                ? "Creating an account here takes a code. Ask whoever runs this server for one."
                : "This code is not valid, or not any more. Ask whoever runs this server for another.",
            field: "code")
    }

    /// The operator suspended the account.
    static func accountSuspended(_ suspension: Suspension, now: Timestamp) -> Refusal {
        let wait = suspension.until.map { max($0 - now, .seconds(1)) }
        let end = wait.map { " for another \(Self.inWords($0))" } ?? ""
        return Refusal(.accountSuspended, "This account is suspended\(end): \(suspension.reason)", retryAfter: wait)
    }

    private static func inWords(_ wait: Duration) -> String {
        let minutes = (wait.microseconds + 59_999_999) / 60_000_000
        return switch minutes {
        case ..<120: "\(minutes) min"
        case ..<2880: "\((minutes + 59) / 60) h"
        default: "\((minutes + 1439) / 1440) days"
        }
    }
}

/// The SQL of registration codes.
enum RegistrationStore {
    /// $1 letters of the code, $2 now. Returns a row if it can be used.
    static let code = Statement(
        """
        SELECT uses_left
        FROM conversations.registration_codes
        WHERE hash = sha256(convert_to($1, 'UTF8'))
            AND uses_left > 0
            AND expires_at > $2
        """
    ) { row in try row.int32(0) }

    /// $1 letters of the code, $2 now. Returns no row if it cannot be used any more.
    static let useCode = Statement(
        """
        UPDATE conversations.registration_codes
        SET uses_left = uses_left - 1
        WHERE hash = sha256(convert_to($1, 'UTF8'))
            AND uses_left > 0
            AND expires_at > $2
        RETURNING uses_left
        """
    ) { row in try row.int32(0) }
}
