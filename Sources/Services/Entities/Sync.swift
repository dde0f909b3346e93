import Postgres
import Reactor
import Schema
import ServiceKit

/// A kind of entity that ``EntitiesService/sync`` returns.
@ReactorActor
struct SyncedKind {
    typealias Changed = (position: Position, add: (inout EntitiesSyncReply) -> Void)

    let changes: (_ account: AccountNumber, _ since: Position, _ limit: Int, Database) async throws -> [Changed]

    /// - Parameters:
    ///   - changed: returns entities in order of position. $1 account, $2 position after which they changed, $3 limit.
    ///   - list: where the reply has them.
    init<Entity: StreamState>(
        _ changed: Statement<Entity>, in list: WritableKeyPath<EntitiesSyncReply, [Entity]> & Sendable,
        at position: KeyPath<Entity, Int64> & Sendable
    ) {
        changes = { account, since, limit, database in
            try await database.query(changed, .number(account), .number(since), .int64(Int64(limit))).map { entity in
                (Position(entity[keyPath: position]), { $0[keyPath: list].append(entity) })
            }
        }
    }
}

extension EntitiesService {
    /// Returns the caller's entities changed since a position, in order of position. The cost grows with the number of
    /// changes.
    func sync(_ request: EntitiesSyncRequest, _ call: RequestContext) async throws -> EntitiesSyncReply {
        guard let head = try await context.database.first(EntitiesStore.streamHead, .number(call.caller.account)) else {
            throw DatabaseError.unexpected("the schema has no epoch")
        }
        let start = SyncStart(request.sincePosition, of: request.epoch, current: head.epoch, head: head.position)
        let since = start.since
        // A page of the longest decisions fits into a reply.
        let limit = min(Page.limit(request.limit), 100)
        var changes: [SyncedKind.Changed] = []
        for kind in Self.synced where since < head.position {
            changes += try await kind.changes(call.caller.account, since, limit + 1, context.database)
        }
        // A change made since the head was read is left to the next request: another kind, read before, may lack an
        // earlier one.
        changes = changes.filter { $0.position <= head.position }.sorted { $0.position < $1.position }
        let page = changes.prefix(limit)
        let more = changes.count > limit
        var reply = EntitiesSyncReply(
            epoch: head.epoch, startOver: start.startOver,
            position: (more ? page[limit - 1].position : head.position).rawValue,
            more: more)
        for change in page { change.add(&reply) }
        return reply
    }
}
