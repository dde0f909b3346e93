import Foundation
import SwiftProtobuf

/// Requests about suggestions. All functions throw ``ParleyError``; `entities.proto` lists the refusals of each.
extension ParleyClient {
    /// Returns a page of my open suggestions, newest first.
    /// - Parameters:
    ///   - conversation: only those of its messages; empty: all.
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: suggestions per page, at most 200; zero: 50.
    public func listSuggestions(
        conversation: String = "", cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListSuggestionsReply {
        var request = Parley_V1_ListSuggestionsRequest()
        (request.conversation, request.cursor, request.limit) = (conversation, cursor, limit)
        return try await call(EntitiesMethods.listSuggestions, key: user, request)
    }

    /// Makes what a suggestion says, or answers the event that another member made of its message. Fields that `edit`
    /// does not set stay as suggested.
    @discardableResult
    public func acceptSuggestion(
        _ id: UUIDv7, _ edit: (inout Parley_V1_AcceptSuggestionRequest) -> Void = { _ in }
    ) async throws(ParleyError) -> Parley_V1_AcceptSuggestionReply {
        var request = Parley_V1_AcceptSuggestionRequest()
        request.id = .init(id.bytes)
        edit(&request)
        return try await call(EntitiesMethods.acceptSuggestion, key: user, request)
    }

    /// Dismisses a suggestion on all my devices.
    @discardableResult
    public func dismissSuggestion(_ id: UUIDv7) async throws(ParleyError) -> Parley_V1_SuggestionReply {
        try await call(EntitiesMethods.dismissSuggestion, key: user, .with { $0.id = .init(id.bytes) })
    }

    /// Returns where I have turned suggestions off.
    public func suggestionSettings() async throws(ParleyError) -> Parley_V1_SuggestionSettings {
        try await call(EntitiesMethods.getSuggestionSettings, key: user, .init())
    }

    /// Turns suggestions off or on. Off, open ones are withdrawn.
    /// - Parameter conversation: empty: all of mine.
    @discardableResult
    public func setSuggestions(
        off: Bool, in conversation: String = ""
    ) async throws(ParleyError) -> Parley_V1_SuggestionSettings {
        try await call(
            EntitiesMethods.updateSuggestionSettings, key: user,
            .with { ($0.conversation, $0.off) = (conversation, off) })
    }

    /// Returns whether a language model reads a conversation, and what I have said about it.
    /// - Parameter conversation: empty: what holds everywhere.
    public func modelReading(of conversation: String) async throws(ParleyError) -> Parley_V1_ModelReading {
        try await call(EntitiesMethods.getModelReading, key: user, .with { $0.conversation = conversation })
    }

    /// Says whether a model may read a conversation, and whether my own messages are kept from it.
    /// - Parameters:
    ///   - conversation: empty, with `keptOut` alone: everywhere.
    ///   - allowed: of a group its owner decides, of a direct conversation both people; nil: it stays.
    ///   - keptOut: nil: it stays.
    @discardableResult
    public func setModelReading(
        of conversation: String, allowed: Bool? = nil, keptOut: Bool? = nil
    ) async throws(ParleyError) -> Parley_V1_ModelReading {
        try await call(
            EntitiesMethods.updateModelReading, key: user,
            .with {
                $0.conversation = conversation
                if let allowed { $0.allowed = allowed }
                if let keptOut { $0.keptOut = keptOut }
            })
    }
}
