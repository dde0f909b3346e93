/// Zones as people name them.
enum ZoneNames {
    static let abbreviations: [Word: ZoneName] = {
        var zones: [Word: ZoneName] = [
            "utc": .fixed(0), "gmt": .fixed(0), "z": .fixed(0), "zulu": .fixed(0), "est": .fixed(-5), "edt": .fixed(-4),
            "cst": .fixed(-6), "cdt": .fixed(-5), "mst": .fixed(-7), "mdt": .fixed(-6), "pst": .fixed(-8),
            "pdt": .fixed(-7), "akst": .fixed(-9), "akdt": .fixed(-8), "hst": .fixed(-10), "bst": .fixed(1),
            "cest": .fixed(2), "eest": .fixed(3), "west": .fixed(1), "msk": .fixed(3), "jst": .fixed(9),
            "kst": .fixed(9), "sgt": .fixed(8), "hkt": .fixed(8), "awst": .fixed(8), "aest": .fixed(10),
            "aedt": .fixed(11), "acst": .named("Australia/Darwin"), "nzst": .fixed(12), "nzdt": .fixed(13),
            "sast": .fixed(2), "eat": .fixed(3), "wat": .fixed(1), "cat": .fixed(2), "gst": .fixed(4), "pkt": .fixed(5),
            "brt": .fixed(-3), "art": .fixed(-3), "ist": .named("Asia/Kolkata"),
        ]
        for (name, zone) in zones { if case .fixed(let hours) = zone { zones[name] = .fixed(hours * 3600) } }
        for (names, zone) in [
            ("pt pacific", "America/Los_Angeles"), ("mt mountain", "America/Denver"), ("ct central", "America/Chicago"),
            ("et eastern", "America/New_York"), ("cet", "Europe/Paris"), ("eet", "Europe/Athens"),
            ("wet", "Europe/Lisbon"),
            ("nzt", "Pacific/Auckland"), ("aet", "Australia/Sydney"), ("uk", "Europe/London"),
        ] {
            for name in names.split(separator: " ") { zones[Word(name)] = .named(zone) }
        }
        return zones
    }()

    /// Places before the word "time".
    static let cities: [[Word]: String] = {
        var zones: [[Word]: String] = [:]
        for (names, zone) in [
            ("london|uk|british|irish|england", "Europe/London"), ("dublin", "Europe/Dublin"),
            ("lisbon|portugal", "Europe/Lisbon"), ("paris|french", "Europe/Paris"), ("berlin|german", "Europe/Berlin"),
            ("amsterdam|dutch", "Europe/Amsterdam"), ("madrid|spanish", "Europe/Madrid"),
            ("rome|italian", "Europe/Rome"), ("zurich|swiss", "Europe/Zurich"), ("vienna", "Europe/Vienna"),
            ("brussels", "Europe/Brussels"), ("stockholm|swedish", "Europe/Stockholm"), ("oslo", "Europe/Oslo"),
            ("copenhagen", "Europe/Copenhagen"), ("helsinki", "Europe/Helsinki"), ("warsaw|polish", "Europe/Warsaw"),
            ("prague", "Europe/Prague"), ("athens|greek", "Europe/Athens"), ("istanbul|turkish", "Europe/Istanbul"),
            ("kyiv", "Europe/Kyiv"), ("moscow", "Europe/Moscow"),
            ("new york|ny|nyc|boston|east coast|miami", "America/New_York"),
            ("toronto", "America/Toronto"), ("chicago|texas|dallas|austin", "America/Chicago"),
            ("denver", "America/Denver"),
            ("la|sf|seattle|california|west coast|san francisco|los angeles", "America/Los_Angeles"),
            ("vancouver", "America/Vancouver"), ("mexico", "America/Mexico_City"),
            ("sao paulo|brazil", "America/Sao_Paulo"), ("tokyo|japan", "Asia/Tokyo"), ("seoul|korea", "Asia/Seoul"),
            ("singapore", "Asia/Singapore"), ("hong kong", "Asia/Hong_Kong"),
            ("beijing|shanghai|china", "Asia/Shanghai"),
            ("india|mumbai|delhi|bangalore|indian", "Asia/Kolkata"), ("dubai", "Asia/Dubai"),
            ("jakarta", "Asia/Jakarta"),
            ("bangkok", "Asia/Bangkok"), ("manila", "Asia/Manila"), ("tel aviv|israel", "Asia/Jerusalem"),
            ("sydney", "Australia/Sydney"), ("melbourne", "Australia/Melbourne"), ("brisbane", "Australia/Brisbane"),
            ("perth", "Australia/Perth"), ("auckland|nz|wellington", "Pacific/Auckland"),
            ("nairobi|kenya", "Africa/Nairobi"),
            ("lagos", "Africa/Lagos"), ("cairo", "Africa/Cairo"), ("johannesburg|cape town", "Africa/Johannesburg"),
            ("central european|european", "Europe/Paris"), ("honolulu|hawaii", "Pacific/Honolulu"),
        ] {
            for name in names.split(separator: "|") { zones[name.split(separator: " ").map { Word($0) }] = zone }
        }
        return zones
    }()

    /// All that have a name of their own.
    static let all: Set<String> = Set(
        abbreviations.values.compactMap { if case .named(let zone) = $0 { zone } else { nil } } + cities.values)
}
