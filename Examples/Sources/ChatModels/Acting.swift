import ParleyKit

/// A model that does things which may be refused. Its view shows the last refusal until it is dismissed.
@MainActor
public protocol Acting: AnyObject, Sendable {
    var problem: Refusal? { get set }
}

extension Acting {
    /// Whether to show the problem. Setting it to false dismisses it.
    public var hasProblem: Bool {
        get { problem != nil }
        set { if !newValue { problem = nil } }
    }

    /// Does something, and notes why it did not work.
    /// - Returns: whether it worked.
    @discardableResult
    func attempt(_ body: () async throws(Refusal) -> Void) async -> Bool {
        do throws(Refusal) {
            try await body()
            problem = nil
            return true
        } catch {
            problem = error
            return false
        }
    }
}
