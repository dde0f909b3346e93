import Reactor
import Schema
import ServiceKit
import Wire

/// When something is due, as it is stored: the time on the wall in a zone, and the instant that follows from it by a
/// version of the zone's rules.
struct Due: Equatable, Sendable {
    var time: ZonedTime
    /// The IANA name of the zone.
    var zone: String
    /// The version of the rules; empty: the time on the wall is not known yet.
    var rules: String

    var instant: Timestamp { time.instant }

    /// Returns the same time on the wall by the rules of now, if they are later ones.
    @ReactorActor
    func following(_ zones: TimeZones) throws(Refusal) -> Due {
        guard rules < zones.version else { return self }
        let known = try zones.rules(of: zone)
        return Due(
            time: rules.isEmpty ? known.time(at: instant) : known.time(time.civil, preferring: time.offset), zone: zone,
            rules: zones.version)
    }
}

/// A time as requests give it: an instant, or a time on the wall. Pure.
enum GivenTime: Equatable, Sendable {
    case instant(Timestamp)
    case local(CivilTime)

    /// The latest time: the end of the year 9999.
    static let latest: Timestamp = 253_402_300_799_000_000

    /// - Throws: ``Refusal`` `invalid`.
    init(atUs: Int64, field: String = "due_at_us") throws(Refusal) {
        guard atUs > 0, Timestamp(atUs) <= Self.latest else {
            throw .invalid(field, "must be microseconds since 1970, UTC, before the year 10000")
        }
        self = .instant(Timestamp(atUs))
    }

    /// - Throws: ``Refusal`` `invalid`.
    init(local: String, field: String = "due_local") throws(Refusal) {
        guard let civil = CivilTime(local) else {
            throw .invalid(field, "must be a date and time such as \"2026-12-01T10:00\"")
        }
        self = .local(civil)
    }

    /// - Throws: ``Refusal`` `invalid` unless exactly one of the two is given.
    init(atUs: Int64, local: String) throws(Refusal) {
        guard !local.isEmpty else {
            self = try GivenTime(atUs: atUs)
            return
        }
        guard atUs == 0 else { throw .invalid("due_local", "must be empty when due_at_us is given") }
        self = try GivenTime(local: local)
    }

    /// - Throws: ``Refusal`` `invalid` for a zone that is not known.
    @ReactorActor
    func due(in zone: String, _ zones: TimeZones) throws(Refusal) -> Due {
        let rules = try zones.rules(of: zone)
        let time =
            switch self {
            case .instant(let instant): rules.time(at: instant)
            case .local(let civil): rules.time(civil)
            }
        return Due(time: time, zone: zone, rules: zones.version)
    }
}
