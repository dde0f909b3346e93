import ParleyClient

/// Whether a language model outside Parley reads the messages of a conversation, to suggest what they say.
///
///     let reading = try await parley.modelReading(of: chat.id)
///     if reading.isOn { show("A language model reads this conversation.") }
public struct ModelReading: Hashable, Sendable, Codable {
    /// The operator has configured a model.
    public var isAvailable: Bool
    /// It reads the conversation: all who decide allow it. Show that to every member.
    public var isOn: Bool
    /// I allow it. Of a group its owner decides, of a direct conversation both people.
    public var isAllowed: Bool
    /// My own messages are kept from it, in this conversation and everywhere.
    public var isKeptOut: Bool
    public var isKeptOutEverywhere: Bool

    /// Creates what is said of a conversation, for previews and tests.
    public init(
        isAvailable: Bool = true, isOn: Bool = false, isAllowed: Bool = false, isKeptOut: Bool = false,
        isKeptOutEverywhere: Bool = false
    ) {
        (self.isAvailable, self.isOn, self.isAllowed) = (isAvailable, isOn, isAllowed)
        (self.isKeptOut, self.isKeptOutEverywhere) = (isKeptOut, isKeptOutEverywhere)
    }

    init(_ reading: Parley_V1_ModelReading) {
        (isAvailable, isOn, isAllowed) = (reading.available, reading.on, reading.allowed)
        (isKeptOut, isKeptOutEverywhere) = (reading.keptOut, reading.keptOutEverywhere)
    }
}

extension Parley {
    /// Returns whether a model reads a conversation, and what I have said about it.
    /// - Throws: `not_member`; `offline` without a connection.
    public func modelReading(of conversation: ConversationID) async throws(Refusal) -> ModelReading {
        guard let client else { throw .signedOut }
        do {
            return ModelReading(try await client.modelReading(of: conversation.rawValue))
        } catch {
            throw Refusal(error)
        }
    }

    /// Says whether a model may read a conversation, and whether my own messages are kept from it.
    /// - Parameters:
    ///   - conversation: nil, with `keptOut` alone: everywhere.
    ///   - allowed: nil: it stays.
    ///   - keptOut: nil: it stays.
    /// - Throws: `not_member`, `forbidden` for a group of another owner; `offline` without a connection.
    @discardableResult
    public func setModelReading(
        of conversation: ConversationID?, allowed: Bool? = nil, keptOut: Bool? = nil
    ) async throws(Refusal) -> ModelReading {
        guard let client else { throw .signedOut }
        do {
            return ModelReading(
                try await client.setModelReading(
                    of: conversation?.rawValue ?? "", allowed: allowed, keptOut: keptOut))
        } catch {
            throw Refusal(error)
        }
    }
}
