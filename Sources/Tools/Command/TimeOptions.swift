import ArgumentParser

/// In which time zone a command's times are meant.
struct ZoneOption: ParsableArguments {
    @Option(help: ArgumentHelp("The time zone of TIME. Default: this machine's.", valueName: "zone")) var zone: String?

    var name: String { zone ?? MachineZone.ownName }

    func validate() throws {
        guard MachineZone(name: name) != nil else {
            throw ValidationError("--zone: \(name) is not a time zone. Use a name such as Europe/Zurich.")
        }
    }

    /// Reads the time of an option; nil for one that is not given.
    /// - Throws: ``ValidationError`` if it is not a time.
    func time(_ text: String?, of option: String) throws -> Int64? {
        guard let text else { return nil }
        guard let time = Times.spoken(text, zone: name) else {
            throw ValidationError(
                "\(option): \"\(text)\" is not a time. Use \"2026-12-24 18:00\", \"18:00\", \"+90m\" or "
                    + "\"tomorrow 7pm\".")
        }
        return time
    }
}

extension Times {
    /// What the help of a command says of TIME.
    static let help = """
        TIME is "2026-12-24 18:00", "18:00" (the next one), "+90m", ISO 8601 with a zone, or words such as \
        "tomorrow 7pm".
        """
}
