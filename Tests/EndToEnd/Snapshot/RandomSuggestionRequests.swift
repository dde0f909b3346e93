import Foundation
import ParleyClient

/// Random requests about suggestions, and messages that suggest something.
extension RandomRequests {
    mutating func ofSuggestion(_ draw: Draw) -> RandomRequest {
        switch random.below(12) {
        case ..<5:
            let texts = [
                "Lunch tomorrow", "Can you send the docs by tomorrow?", "Going to Italian restaurant",
                "brunch on Sunday",
            ]
            return text(texts[random.below(texts.count)], to: draw.anywhere, by: draw.actor)
        case ..<9: return accept(draw)
        case ..<11:
            return RandomRequest(
                EntitiesMethods.dismissSuggestion, by: draw.actor, key: draw.me,
                sending: { client in
                    guard let newest = try await newest(of: client) else { return }
                    try await client.dismissSuggestion(newest)
                }
            ) { $0.id = Data(random.uuid().bytes) }
        default:
            let off = random.below(3) == 0
            return RandomRequest(EntitiesMethods.updateSuggestionSettings, by: draw.actor, key: draw.me) {
                ($0.conversation, $0.off) = (draw.anywhere, off)
            }
        }
    }

    private mutating func accept(_ draw: Draw) -> RandomRequest {
        let (id, what) = (random.uuid(), random.below(7))
        let edit: @Sendable (inout Parley_V1_AcceptSuggestionRequest) -> Void = { request in
            switch what {
            case 0: (request.title, request.location) = (draw.word, draw.word)
            case 1:
                (request.when.date, request.when.time, request.when.timeZone) = ("2090-03-24", "03:00", "Europe/Zurich")
                request.when.durationMinutes = 30
            case 2: (request.dueLocal, request.timeZone) = ("2090-03-24T03:00", "Europe/Zurich")
            case 3: request.dueAtUs = 3_800_000_000_000_000
            case 4: request.shared = true
            case 5: request.answer = .tentative
            default: break
            }
        }
        return RandomRequest(
            EntitiesMethods.acceptSuggestion, by: draw.actor, key: draw.me,
            sending: { client in
                guard let newest = try await newest(of: client) else { return }
                try await client.acceptSuggestion(newest, edit)
            }
        ) { request in
            request.id = Data(id.bytes)
            edit(&request)
        }
    }
}

/// The server makes the ids of suggestions, so the request asks which there are.
private func newest(of client: ParleyClient) async throws -> UUIDv7? {
    try await client.listSuggestions(limit: 1).suggestions.first.flatMap { UUIDv7(bytes: $0.id) }
}
