extension Parley_V1_Event {
    /// Merges how many people come after answers of others. An event that is as new has these counts, or later ones.
    public mutating func take(_ counts: Parley_V1_EventCounts) {
        guard counts.position > position else { return }
        position = counts.position
        (accepted, tentative) = (counts.accepted, counts.tentative)
        (declined, coming) = (counts.declined, counts.coming)
    }
}
