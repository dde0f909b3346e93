/// The settings of a service that sends pushes, and how they become ``PushOptions``.
public enum PushSetup {
    public struct Item: Sendable {
        public var key: String
        /// Whether it is the content of a file that others must not be able to read.
        public var isSecret = false
        public var defaultValue = ""
        public var help: String
    }

    public static let all = [
        Item(
            key: "push.apns-key", isSecret: true,
            help: "the .p8 key of Apple's developer site; empty: no pushes to Apple's"),
        Item(key: "push.apns-key-id", help: "the id of that key: ten digits and letters"),
        Item(key: "push.apns-team-id", help: "the id of the team that it belongs to"),
        Item(
            key: "push.fcm-account", isSecret: true,
            help: "the JSON of a service account of a Firebase project; empty: no pushes by Google"),
        Item(
            key: "push.vapid-key", isSecret: true,
            help: "a key on P-256 in PEM, as openssl genpkey makes one; empty: no pushes to browsers"),
        Item(
            key: "push.vapid-contact",
            help: "where browsers' push services reach you: mailto: and an address, or a page"),
        Item(key: "push.apns-url", defaultValue: PushAddresses().apns, help: "where Apple's service is"),
        Item(
            key: "push.apns-sandbox-url", defaultValue: PushAddresses().apnsSandbox,
            help: "where Apple's is for development"),
        Item(key: "push.fcm-url", defaultValue: PushAddresses().fcm, help: "where Google's service is"),
        Item(
            key: "push.authorities",
            help: "a file of certificates in PEM, by which alone push services are known; empty: those of the system"),
        Item(
            key: "push.inside", defaultValue: "no",
            help: "\"yes\": browsers' services may be on private networks, as in a test; people name their addresses"),
    ]

    /// - Parameter text: the value of a setting by its key.
    /// - Throws: ``PushKeyProblem`` with the setting that is wrong.
    public static func options(_ text: (String) -> String) throws(PushKeyProblem) -> PushOptions {
        func bytes(_ key: String) -> [UInt8]? { text(key).isEmpty ? nil : Array(text(key).utf8) }
        var options = PushOptions()
        if let pem = bytes("push.apns-key") {
            options.apns = try APNsKey(
                pem: pem, file: "push.apns-key", keyID: text("push.apns-key-id"), teamID: text("push.apns-team-id"))
        }
        if let json = bytes("push.fcm-account") { options.fcm = try FCMAccount(json: json, file: "push.fcm-account") }
        if let pem = bytes("push.vapid-key") {
            options.vapid = try VAPIDKey(pem: pem, file: "push.vapid-key", contact: text("push.vapid-contact"))
        }
        options.addresses.apns = try address(text, "push.apns-url")
        options.addresses.apnsSandbox = try address(text, "push.apns-sandbox-url")
        options.addresses.fcm = try address(text, "push.fcm-url")
        let authorities = text("push.authorities")
        options.authorities = authorities.isEmpty ? nil : authorities
        guard ["yes", "no"].contains(text("push.inside")) else {
            throw PushKeyProblem("push.inside", "it must be yes or no")
        }
        options.mayReachInside = text("push.inside") == "yes"
        return options
    }

    private static func address(_ text: (String) -> String, _ key: String) throws(PushKeyProblem) -> String {
        let url = text(key)
        guard let endpoint = try? Endpoint(url), url == endpoint.origin else {
            throw PushKeyProblem(
                key, "“\(url.prefix(80))” must be https:// and a host in small letters, without a path")
        }
        return url
    }
}
