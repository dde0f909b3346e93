import Reactor

/// The sessions of each person on this gateway.
@ReactorActor
struct SessionIndex {
    /// Nearly everybody has one session, so an array for each person would waste memory.
    private enum Sessions {
        case one(Session)
        case many([Session])
    }

    private var byAccount: [Int64: Sessions] = [:]
    private(set) var count = 0

    mutating func add(_ session: Session, account: Int64) {
        count += 1
        switch byAccount[account] {
        case nil: byAccount[account] = .one(session)
        case .one(let other): byAccount[account] = .many([other, session])
        case .many(var list):
            byAccount[account] = nil
            list.append(session)
            byAccount[account] = .many(list)
        }
    }

    mutating func remove(_ session: Session, account: Int64) {
        switch byAccount[account] {
        case nil: return
        case .one(let only):
            guard only === session else { return }
            byAccount[account] = nil
        case .many(var list):
            guard let index = list.firstIndex(where: { $0 === session }) else { return }
            byAccount[account] = nil
            list.remove(at: index)
            byAccount[account] = list.count == 1 ? .one(list[0]) : .many(list)
        }
        count -= 1
    }

    func count(of account: Int64) -> Int {
        switch byAccount[account] {
        case nil: 0
        case .one: 1
        case .many(let list): list.count
        }
    }

    /// Those of an account, in the order in which they signed in.
    func sessions(of account: Int64) -> [Session] {
        var sessions: [Session] = []
        eachSession(of: account) { sessions.append($0) }
        return sessions
    }

    var sessions: [Session] {
        var sessions: [Session] = []
        sessions.reserveCapacity(count)
        eachSession { sessions.append($0) }
        return sessions
    }

    /// In the order in which they signed in.
    func eachSession(of account: Int64, _ body: (Session) -> Void) {
        switch byAccount[account] {
        case nil: break
        case .one(let session): body(session)
        case .many(let list): for session in list { body(session) }
        }
    }

    func eachSession(_ body: (Session) -> Void) {
        for sessions in byAccount.values {
            switch sessions {
            case .one(let session): body(session)
            case .many(let list): for session in list { body(session) }
            }
        }
    }
}
