import Wire

/// Refusals of several services.
extension Refusal {
    /// The same for a conversation that does not exist and one that is not the caller's.
    public static let notMember = Refusal(
        .notMember, "You are not a member of this conversation.", field: "conversation")

    public static let userBlocked = Refusal(.userBlocked, "You cannot message this user.")

    public static let requestPending = Refusal(
        .requestPending, "The recipient has not accepted your request yet. Wait until they do.")

    /// The same for a message that does not exist and one outside the caller's window of history.
    public static func messageNotFound(_ field: String = "seq") -> Refusal {
        Refusal(.messageNotFound, "There is no such message in this conversation.", field: field)
    }
}
