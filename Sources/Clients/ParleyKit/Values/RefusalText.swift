import Foundation

/// What an app shows of a refusal.
extension Refusal: LocalizedError {
    /// A sentence for a screen. An app translates it in a table of strings that it names "Parley", whose keys are the
    /// codes: "user_not_found" and so on. What the table lacks is said in English: by a sentence that stays the same,
    /// or by ``message``.
    public var text: String {
        Bundle.main.localizedString(forKey: code.rawValue, value: Self.sentences[code] ?? message, table: "Parley")
    }

    public var errorDescription: String? { text }

    /// Sentences for what people come upon in everyday use. The server's messages may say more in a later version.
    private static let sentences: [Code: String] = [
        .userNotFound: "User not found. Please check the username and try again.",
        .userBlocked: "You cannot message this user.",
        .offline: noNetwork, .connectionLost: noNetwork, .unavailable: noNetwork, .deadline: noNetwork,
    ]

    private static let noNetwork = "Network error. Please check your connection and try again."
}
