import Foundation
import ParleyClient

/// Me as somebody else knows me, such as Apple, Google or a company's own directory. It signs me in.
///
///     for identity in try await parley.waysIn().identities { show("\(identity.issuer): \(identity.label)") }
public struct Identity: Identifiable, Hashable, Sendable, Codable {
    public let id: String
    /// The operator's word for the issuer: "google". Empty: it signs nobody in any more.
    public var issuer: String
    /// The address or name by which I know it.
    public var label: String
    public var linkedAt: Date
    public var lastUsedAt: Date

    init(_ identity: Parley_V1_Identity) {
        (id, issuer, label) = (identity.id, identity.issuer, identity.label)
        (linkedAt, lastUsedAt) = (Date(microseconds: identity.linkedAtUs), Date(microseconds: identity.lastUsedUs))
    }
}

/// What signs me in.
///
///     if try await !parley.waysIn().hasPassword { show("Set a password, to sign in without Apple.") }
public struct WaysIn: Hashable, Sendable, Codable {
    /// The oldest first.
    public var identities: [Identity]
    public var hasPassword: Bool

    init(_ reply: Parley_V1_ListIdentitiesReply) {
        (identities, hasPassword) = (reply.identities.map(Identity.init), reply.withPassword)
    }
}

/// The ways besides passwords in which people sign in on a server.
///
///     if try await parley.signInOffers().guests { show("Look around as a guest") }
public struct SignInOffers: Hashable, Sendable, Codable {
    /// Those whose tokens or pages sign people in.
    public var issuers: [IdentityIssuer]
    /// Whether guests may come.
    public var guests: Bool

    init(_ reply: Parley_V1_ListIssuersReply) {
        (issuers, guests) = (reply.issuers.map(IdentityIssuer.init), reply.guests)
    }
}

/// Somebody who says who people are on this server.
///
///     for issuer in try await parley.signInOffers().issuers where issuer.makesAccounts { show("By \(issuer.name)") }
public struct IdentityIssuer: Identifiable, Hashable, Sendable, Codable {
    /// What an app puts into the nonce of its request for a token.
    ///
    ///     if issuer.nonce == .sha256 { show("\(issuer.name) takes the hash of the nonce.") }
    public enum Nonce: String, Hashable, Sendable, Codable {
        /// None.
        case none
        /// The nonce that it then gives to Parley.
        case plain
        /// The SHA-256 hash of that nonce, in lower-case hexadecimal digits.
        case sha256
    }

    public var id: String { name }
    /// The operator's word for it: "google".
    public var name: String
    /// As its tokens write it.
    public var url: String
    /// The ids of this server's apps there, of which tokens name one.
    public var audiences: [String]
    /// Whether somebody new may come with its tokens.
    public var makesAccounts: Bool
    public var nonce: Nonce
    /// Whether it signs people in on a page: ``Parley/signInPage(of:returningTo:)``.
    public var hasPage: Bool

    init(_ issuer: Parley_V1_Issuer) {
        (name, url, audiences) = (issuer.name, issuer.url, issuer.audiences)
        (makesAccounts, hasPage) = (issuer.makesAccounts, issuer.pages)
        nonce =
            switch issuer.nonce {
            case .plainNonce: .plain
            case .sha256Nonce: .sha256
            default: .none
            }
    }
}

/// What shows that I ask, and not somebody who found my phone: changes of how I sign in take it.
///
/// They are refused with `wrong_credentials` for a wrong password, `owner_unproven` for a token of somebody else or for
/// nothing, `code_refused` for what a page brought back too long ago or before, and for a token that is not good with
/// the codes that begin with `token_`.
///
///     try await parley.changePassword(to: newPassword, owner: .password(password), endingOtherDevices: true)
public struct OwnerProof: Sendable {
    let inContract: Parley_V1_OwnerProof

    /// Nothing: I am a guest.
    public static var guest: OwnerProof { .init(inContract: .guest) }

    /// My password.
    public static func password(_ password: String) -> OwnerProof { .init(inContract: .password(password)) }

    /// A new token of one of my identities.
    /// - Parameter nonce: what the app chose when it asked for the token.
    public static func token(_ token: String, nonce: String = "") -> OwnerProof {
        .init(inContract: .token(token, nonce: nonce))
    }

    /// The page of an issuer on which I signed in once more with one of my identities.
    /// - Parameters:
    ///   - page: what ``Parley/signInPage(of:returningTo:)`` returned.
    ///   - returned: the address to which the browser came back. It is good for a minute, once.
    /// - Throws: `sign_in_refused` if I went back, or the issuer refused; `link_expired` if it took too long.
    public static func page(_ page: SignInPage, returned: URL) throws(Refusal) -> OwnerProof {
        do throws(ParleyError) {
            let code = try PageSignIn.code(in: returned.absoluteString)
            return .init(inContract: .page(page.begun, code: code))
        } catch {
            throw Refusal(error)
        }
    }
}

/// A sign-in on the page of an issuer that has begun.
///
///     let page = try parley.signInPage(of: issuer.name, returningTo: "org.example.chat:/signed-in")
///     let returned = try await browse(page.url)
///     try await parley.signIn(page, returned: returned)
public struct SignInPage: Sendable {
    let begun: PageSignIn
    /// What a browser shows.
    public let url: URL

    init(_ begun: PageSignIn) throws(ParleyError) {
        guard let url = URL(string: begun.url) else {
            throw ParleyError(.unsupportedURL, "\(begun.url) is no address that a browser can show.")
        }
        (self.begun, self.url) = (begun, url)
    }
}

/// What this device shows, to be signed in by another one of mine.
///
///     let link = try await parley.beginDeviceLink(deviceName: "Kitchen")
///     show(link.code)
public struct DeviceLink: Sendable {
    let begun: Parley_V1_DeviceLinkBegun

    /// For the other device to read, as text or as a QR code.
    public var code: String { begun.code }
    /// When it is over.
    public var endsAt: Date { Date(microseconds: begun.endsAtUs) }
}

/// A device that asks to be signed in as me.
///
///     let device = try await parley.deviceToApprove(code: code)
///     show("Sign in \(device.name) at \(device.address)?")
public struct DeviceToApprove: Hashable, Sendable, Codable {
    public var name: String
    /// Of the network that it asks from.
    public var address: String
    public var begunAt: Date

    init(_ link: Parley_V1_DeviceLink) {
        (name, address, begunAt) = (link.deviceName, link.address, Date(microseconds: link.begunAtUs))
    }
}
