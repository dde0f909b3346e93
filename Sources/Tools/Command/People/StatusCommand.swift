import ArgumentParser
import ParleyClient

struct StatusCommand: PersonCommand {
    enum Hiding: String, ExpressibleByArgument, CaseIterable {
        case nobody, all, others

        var sent: Parley_V1_Hiding {
            switch self {
            case .nobody: .fromNobody
            case .all: .fromAll
            case .others: .fromAllButAccepted
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show or change what others see of you, on all your devices.",
        discussion: """
            Others read the text while you are connected. Without --away or --dnd they see you online or away, as you \
            use your devices. Whom you hide from sees you offline, and so do you see them: --hide all is everybody, \
            --hide others everybody without an accepted conversation with you.

            \(Times.help)

            Examples:
              parley status
              parley status "At lunch" --until 13:30
              parley status --dnd
              parley status --hide others
              parley status --clear
            """)

    @Argument(help: ArgumentHelp("What others read, at most 128 bytes.", valueName: "text")) var text: String?
    @Option(help: ArgumentHelp("When the text ends. Default: never.", valueName: "time")) var until: String?
    @OptionGroup var zone: ZoneOption
    @Flag(help: "Say that you are away.") var away = false
    @Flag(help: "Say that you do not want to be disturbed.") var dnd = false
    @Flag(help: "End the text, and --away or --dnd.") var clear = false
    @Option(help: ArgumentHelp("From whom you hide.", valueName: "nobody|all|others")) var hide: Hiding?
    @OptionGroup var connection: ConnectionOptions

    private struct StatusJSON: Encodable {
        var status: String
        var text: String?
        var textEndsAt: String?
        var hidesFrom: String
    }

    func validate() throws {
        guard [away, dnd, clear].filter({ $0 }).count <= 1 else {
            throw ValidationError("--away, --dnd and --clear exclude each other.")
        }
        guard text == nil || !clear else { throw ValidationError("--clear ends the text: give one or the other.") }
        guard let until else { return }
        guard text != nil else { throw ValidationError("--until is for a text: say it, too.") }
        _ = try zone.time(until, of: "--until")
    }

    func run(as me: Person) async throws {
        let isShowing = text == nil && !away && !dnd && !clear && hide == nil
        let own = isShowing ? try await me.client.getOwnPresence() : try await change(me.client)
        let status =
            switch own.availability {
            case .saysAway: "away"
            case .saysDoNotDisturb: "do not disturb"
            default: "online while connected, away when idle"
            }
        let hidesFrom = Hiding.allCases.first { $0.sent == own.hiding } ?? .nobody
        let ends = own.statusEndsUs > 0 ? own.statusEndsUs : nil
        if me.isJSON {
            return Output.json(
                StatusJSON(
                    status: own.availability == .automatic ? "automatic" : status,
                    text: own.statusText.isEmpty ? nil : own.statusText, textEndsAt: ends.map(Times.iso),
                    hidesFrom: hidesFrom.rawValue))
        }
        Output.line("Status: \(status)")
        if !own.statusText.isEmpty {
            let until = ends.map { " (until \(Times.minute($0)))" } ?? ""
            Output.line("Text: \(PlainText.shown(own.statusText))\(until)")
        }
        switch hidesFrom {
        case .nobody: break
        case .all: Output.line("Hidden from all, who are hidden from you.")
        case .others: Output.line("Hidden from all without an accepted conversation with you, who are hidden from you.")
        }
    }

    private func change(_ client: ParleyClient) async throws(ParleyError) -> Parley_V1_OwnPresence {
        let availability: Parley_V1_Availability? =
            away ? .saysAway : dnd ? .saysDoNotDisturb : clear ? .automatic : nil
        var status: Parley_V1_StatusText?
        if clear { status = .init() }
        if let text {
            let ends = try? zone.time(until, of: "--until")
            status = .with { ($0.text, $0.endsUs) = (text, ends ?? 0) }
        }
        return try await client.setPresence(availability, status: status, hiding: hide?.sent)
    }
}
