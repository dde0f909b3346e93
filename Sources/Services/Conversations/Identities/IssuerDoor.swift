import FoundationEssentials  // JSON only; ServiceKit links it anyway.
import HTTPClient
import ServiceKit

/// How an issuer is asked: as its block allows, bounded, and without following where it points.
struct IssuerDoor: Sendable {
    /// Its description (OpenID Connect Discovery 1.0 §3), as far as it is needed.
    struct Description: Decodable, Sendable {
        var issuer: String
        var jwks_uri: String
        var authorization_endpoint: String?
        var token_endpoint: String?
        var token_endpoint_auth_methods_supported: [String]?
    }

    private static let descriptionBytesMax = 256 * 1024
    private static let urlBytesMax = 1024

    let issuer: IssuerBlock
    let client: HTTPClient

    /// Reads its description.
    func description() async throws(Unreadable) -> Description {
        let base = issuer.url.hasSuffix("/") ? String(issuer.url.dropLast()) : issuer.url
        let reply = try await get(base + "/.well-known/openid-configuration", bytesMax: Self.descriptionBytesMax)
        guard let description = try? JSONDecoder().decode(Description.self, from: Data(reply.body)) else {
            throw Unreadable("it answered with no description of itself in JSON")
        }
        // Else whoever controls another page of the host could speak for the issuer.
        guard description.issuer == issuer.url else { throw Unreadable("it describes \(description.issuer)") }
        return description
    }

    /// Whether what it says of itself may be asked, or shown to people: a plain URL with TLS.
    func isSafe(_ url: String) -> Bool {
        (url.hasPrefix("https://") || (issuer.isInside && url.hasPrefix("http://")))
            && url.utf8.count <= Self.urlBytesMax
            && url.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") }
    }

    func get(_ url: String, bytesMax: Int) async throws(Unreadable) -> HTTPReply {
        let reply = try await send(
            HTTPRequest("GET", url, headers: [("accept", "application/json")], replyBytesMax: bytesMax))
        // Redirects are not followed: they could lead anywhere.
        guard reply.status == 200 else { throw Unreadable("\(url) answered \(reply.status)") }
        return reply
    }

    /// Sends a request, and waits for a reply of any status.
    func send(_ request: HTTPRequest) async throws(Unreadable) -> HTTPReply {
        do {
            return try await client.send(request)
        } catch {
            throw Unreadable("\(request.url): \(error)")
        }
    }
}

/// Why an issuer's keys, or a token of it, are not at hand: for the operator.
struct Unreadable: Error {
    let why: String

    init(_ why: String) { self.why = why }
}
