/// Where the providers are.
public struct PushAddresses: Sendable {
    public var apns = "https://api.push.apple.com"
    public var apnsSandbox = "https://api.sandbox.push.apple.com"
    public var fcm = "https://fcm.googleapis.com"

    public init() {}

    /// Whether a text can be a piece of a URL's path as it is.
    static func isPathPiece(_ text: String) -> Bool {
        !text.isEmpty && text != "." && text != ".."
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
