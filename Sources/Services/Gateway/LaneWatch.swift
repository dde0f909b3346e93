import Schema

/// Notices lost Updates: within a lane of a service numbers are dense. A header that carries nothing says up to which
/// number its lane is committed.
struct LaneWatch {
    private struct Lane: Hashable {
        var service: Int
        var lane: UInt32
    }

    private var last: [Lane: Int64] = [:]

    /// - Returns: how many numbers were missed just before this Update.
    mutating func missed(before header: UpdateHeader, of service: Int) -> Int64 {
        guard header.lane != 0 else { return 0 }
        let lane = Lane(service: service, lane: header.lane)
        guard let previous = last[lane] else {
            last[lane] = header.number
            return 0
        }
        last[lane] = max(previous, header.number)
        let isWordOnly = header.kind.isEmpty && header.control == nil
        return max(0, header.number - previous - (isWordOnly ? 0 : 1))
    }
}
