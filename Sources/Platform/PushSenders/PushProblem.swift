/// The codes of refusals and problems. Each is also a label of a metric.
public enum PushCode: String, Sendable, CaseIterable {
    /// The provider does not know the token: it is of the other environment, of another app or project, or made up.
    case wrongToken = "wrong_token"
    /// The key may not send to this app: the topic, project or subscription belongs to another one.
    case wrongApp = "wrong_app"
    /// The provider does not accept our key: it is revoked, of another team, or does not belong to its id.
    case wrongKey = "wrong_key"
    /// The provider finds our signature too old or too young: this machine's clock is wrong.
    case wrongClock = "wrong_clock"
    /// No key for this transport is configured.
    case noKey = "no_key"
    /// The notice cannot be sent as it is: a bad id, token, address or key of the device.
    case invalid = "invalid"
    /// The provider finds it too long.
    case tooLarge = "too_large"
    /// The endpoint of a browser is on a private network or not https.
    case inside = "inside"
    /// The provider does not answer, or breaks off.
    case unreachable = "unreachable"
    /// The provider answers that it is busy or broken.
    case busy = "busy"
    /// The answer is none that the provider documents.
    case strange = "strange"
}

/// Something about a provider that an operator should know. For a log line and a metric.
public struct PushProblem: Sendable, Equatable {
    /// "apns", "apns-sandbox", "fcm" or "web".
    public var provider: String
    /// The host that was asked.
    public var host: String
    public var code: PushCode
    /// One sentence that says what happened and what to do.
    public var text: String

    public init(provider: String, host: String, code: PushCode, text: String) {
        (self.provider, self.host, self.code, self.text) = (provider, host, code, text)
    }
}
