/// Where people are sent back to from a page on which they signed in. Pure.
///
/// An https URL, an address of this machine for programs (RFC 8252 §7.3), or one that an app has claimed by a scheme of
/// its own (§7.1). A request names one of the operator's list, letter by letter; only the port of a listed loopback
/// address without one is free, since programs take what they get.
enum ReturnAddress {
    static let bytesMax = 256
    private static let loopbacks = ["http://127.0.0.1", "http://[::1]"]
    private static let forbidden = Array("\"'<>\\^`{|}#".utf8)

    /// Whether an operator may list it.
    static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count <= bytesMax, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !forbidden.contains($0) }),
            let colon = text.firstIndex(of: ":")
        else { return false }
        let (scheme, rest) = (text[..<colon], text[text.index(after: colon)...])
        switch scheme {
        case "https": return hasHost(rest)
        case "http": return hasHost(rest) && isLoopback(text)
        // Others could be read by any app, or run.
        default:
            return scheme.contains(".") && rest.hasPrefix("/")
                && scheme.utf8.allSatisfy { isSmallLetterOrDigit($0) || $0 == UInt8(ascii: ".") }
        }
    }

    private static func hasHost(_ rest: Substring) -> Bool {
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        return rest.hasPrefix("//") && !authority.isEmpty && !authority.contains("@")
    }

    private static func isLoopback(_ text: String) -> Bool {
        (loopbacks + ["http://localhost"]).contains { host in
            text.hasPrefix(host) && [nil, ":", "/", "?"].contains(text.dropFirst(host.count).first)
        }
    }

    private static func isSmallLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Whether a request may name this address.
    static func isListed(_ asked: String, in listed: [String]) -> Bool {
        listed.contains(asked) || withoutPort(asked).map(listed.contains) ?? false
    }

    /// A loopback address without its port; nil: it is none, or has none.
    private static func withoutPort(_ text: String) -> String? {
        for host in loopbacks where text.hasPrefix(host + ":") {
            let rest = text.dropFirst(host.count + 1)
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let port = UInt16(digits), port > 0 else { return nil }
            return host + rest.dropFirst(digits.count)
        }
        return nil
    }
}
