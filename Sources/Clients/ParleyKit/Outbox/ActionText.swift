import ParleyClient

/// A text of an action, and what it must be fit for. The rules are those of the services (`TextRules`, `EmojiRules`).
struct ActionText {
    enum Rule {
        /// Of a message.
        case message
        /// On one line.
        case line
        /// Of a group or a person.
        case name
        /// A reaction.
        case emoji
        /// A URL, also none.
        case link
    }

    let text: String
    let rule: Rule
    /// Its name in the contract.
    let field: String
    let mayBeEmpty: Bool

    /// As the page of the contract says of names.
    private static let nameLettersMax = 128

    init(_ text: String, _ rule: Rule, _ field: String, mayBeEmpty: Bool = false) {
        (self.text, self.rule, self.field, self.mayBeEmpty) = (text, rule, field, mayBeEmpty)
    }

    /// - Throws: what the server would answer, apart from a limit that is set lower there.
    func check() throws(Refusal) {
        if mayBeEmpty, text.isEmpty { return }
        do throws(UnfitText) {
            // The contract limits the bytes of all of them.
            switch rule {
            case .message: _ = try TextRules.message(text, bytes: .max)
            case .line: _ = try TextRules.line(text, bytes: .max)
            case .name: _ = try TextRules.name(text, letters: Self.nameLettersMax)
            case .emoji: guard EmojiRules.emoji(text) != nil else { throw .notOneEmoji }
            case .link: _ = try TextRules.link(text)
            }
        } catch {
            throw Refusal(error.isTooLarge ? .tooLarge : .invalid, error.why, field: field)
        }
    }
}

extension Action {
    var texts: [ActionText] { [] }

    /// Refuses what no server would take, before it is stored.
    /// - Throws: a refusal with the code and the field of the server's.
    func check() throws(Refusal) {
        do throws(BeyondLimit) {
            try checkLimits()
        } catch {
            throw Refusal(error.error)
        }
        for text in texts { try text.check() }
    }
}
