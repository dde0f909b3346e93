import Postgres
import Schema
import ServiceKit
import Wire

/// What people say about reading by a model: whether it may read a conversation, and whose messages it may not.
extension EntitiesService {
    /// The most conversations about which a person says something.
    nonisolated static let modelSaidMax = 1000

    /// Returns whether a model reads a conversation of the caller's, and what the caller has said about it.
    /// - Throws: ``Refusal`` `not_member`.
    func getModelReading(_ request: GetModelReadingRequest, _ call: RequestContext) async throws -> ModelReading {
        let conversation = try await conversationNumber(request.conversation, of: call.caller)
        return try await modelReading(conversation, of: call.caller, in: context.database)
    }

    private func modelReading(
        _ conversation: ConversationNumber?, of caller: Caller, in database: any Queryable
    ) async throws -> ModelReading {
        guard
            let said = try await database.first(
                ModelStore.reading, .number(caller.account), .number(conversation ?? 0))
        else { throw DatabaseError.unexpected("nothing is known of reading by a model") }
        let isAvailable = modelReader != nil
        return ModelReading(
            available: isAvailable, on: isAvailable && said.isAllowed, allowed: said.isAllowedByOwn,
            keptOut: said.isKeptOut, keptOutEverywhere: said.isKeptOutEverywhere)
    }

    /// Allows or forbids that a model reads a conversation, and keeps the caller's messages from it or no longer.
    /// - Throws: ``Refusal`` `not_member`, `forbidden`, `invalid`.
    func updateModelReading(
        _ request: UpdateModelReadingRequest, _ call: RequestContext
    ) async throws -> ModelReading {
        let caller = call.caller
        try allowChange(by: caller)
        let conversation = try await conversationNumber(request.conversation, of: caller)
        if case .allowed(let isAllowed) = request.changeAllowed {
            guard let conversation else {
                throw Refusal.invalid("conversation", "must name the conversation that a model may read")
            }
            let decides = try await context.database.first(
                ModelStore.decides, .number(caller.account), .number(conversation))
            guard !isAllowed || decides ?? false else {
                throw Refusal(.forbidden, "Only the owner of a group allows a model to read it. Ask the owner.")
            }
        }
        return try await context.journal.change { [self] change in
            _ = try await head(of: caller.account, in: change)
            let key: [Parameter] = [.number(caller.account), .number(conversation ?? 0)]
            var isChanged = false
            if case .allowed(let isAllowed) = request.changeAllowed {
                let changed =
                    isAllowed
                    ? try await change.first(ModelStore.allow, key + [.number(context.clock.now)])
                    : try await change.first(ModelStore.forbid, key)
                isChanged = changed != nil
            }
            if case .keptOut(let isKeptOut) = request.changeKeptOut {
                let changed = try await change.first(isKeptOut ? ModelStore.keepOut : ModelStore.letIn, key)
                isChanged = isChanged || changed != nil
            }
            let said = try await change.first(ModelStore.said, .number(caller.account)) ?? 0
            guard !isChanged || said <= Self.modelSaidMax else {
                throw Refusal.invalid(
                    "conversation",
                    "is one too many: you have said something about \(Self.modelSaidMax). Take something back first")
            }
            var reading = try await modelReading(conversation, of: caller, in: change)
            reading.duplicate = !isChanged
            return reading
        }
    }
}
