import HTTPClient
import Reactor

/// How mails leave: a mail server, or a program of the operator's that takes them.
public enum MailTransport: Sendable {
    case server(url: String, user: String, password: String, security: SMTPRequest.Security, authorities: String?)
    /// A program and its arguments. It reads the mail from standard input, and its recipient is the last argument.
    case command([String])
}

/// Why a mail was not taken.
public struct MailFailure: Error, CustomStringConvertible {
    /// Whether another try is of no use.
    public let isFinal: Bool
    public let description: String
}

/// Sends mails, one try each.
@ReactorActor
public final class MailSender {
    /// The most mails at a time.
    public nonisolated static let sentMax = 8

    private let transport: MailTransport
    private let from: MailAddress
    private let timeout: Duration
    private let client: HTTPClient

    /// - Parameter timeout: of one try.
    public nonisolated init(_ transport: MailTransport, from: MailAddress, timeout: Duration = .seconds(120)) {
        (self.transport, self.from, self.timeout) = (transport, from, timeout)
        var options = HTTPClient.Options(
            requestsMax: Self.sentMax, connectionsMax: Self.sentMax, connectTimeout: .seconds(10),
            silence: .seconds(60), timeout: timeout, mayReachInside: true)
        if case .server(_, _, _, _, let authorities) = transport { options.authorities = authorities }
        client = HTTPClient(options)
    }

    /// Sends a mail, and waits until somebody else answers for it.
    /// - Parameters:
    ///   - id: what names the mail.
    ///   - seconds: now, in Unix time.
    /// - Throws: ``MailFailure``, or `CancellationError`, after which it may have been sent.
    public func send(_ message: MailMessage, id: String, at seconds: Int64) async throws {
        let bytes = message.bytes(from: from, id: id, at: seconds)
        switch transport {
        case .server(let url, let user, let password, let security, _):
            do {
                try await client.send(
                    SMTPRequest(
                        server: url, user: user, password: password, security: security, from: from.address,
                        recipient: message.recipient, message: bytes))
            } catch let failure as SMTPFailure {
                throw MailFailure(isFinal: failure.isFinal, description: failure.description)
            } catch let failure as HTTPFailure {
                if case .invalid = failure { throw MailFailure(isFinal: true, description: "\(failure)") }
                throw MailFailure(isFinal: false, description: "\(failure)")
            }
        case .command(let line):
            guard !message.recipient.hasPrefix("-") else {
                throw MailFailure(isFinal: true, description: "an address that \(line.first ?? "") takes for an option")
            }
            let ended = try await CommandRun.run(line + [message.recipient], input: bytes, limit: timeout)
            guard ended.code != 0 else { return }
            // Of sysexits.h: no such person, no such host, wrong data.
            throw MailFailure(
                isFinal: [65, 67, 68].contains(ended.code),
                description: "\(line.first ?? "") ended with \(ended.code): \(ended.output)")
        }
    }
}
