import Foundation
import ParleyClient

/// Checks the health of a running server.
struct ServerCheck {
    var url: String
    /// The options of the connection to it.
    var link = Link.Options()
    /// The folder of the logs that a fix refers to.
    var folder = ".parley"

    /// The reply to `GET /health`.
    struct Health: Decodable, Equatable {
        struct Service: Decodable, Equatable {
            var live: Bool
            var ready: Bool
            var reasons: [String]
        }

        var status: String
        var services: [String: Service]
    }

    func findings() async -> [Finding] {
        let parley = ParleyCommand.invocation
        let body: String
        do throws(ParleyError) {
            body = try await ParleyClient.health(at: url, options: link)
        } catch {
            let failure = Failure(error)
            let fix =
                error.hasCode(.unavailable) || failure.advice.isEmpty
                ? "Start it (\(parley) up), or name the right address with --url." : failure.advice
            return [.broken("gateway", "\(url): \(failure.message)", fix: fix)]
        }
        guard let health = try? JSONDecoder().decode(Health.self, from: Data(body.utf8)) else {
            return [
                .broken(
                    "gateway", "\(url) answers, but not like Parley.",
                    fix: "Another program uses this port. Name the right address with --url.")
            ]
        }
        return findings(of: health) + [await clock()]
    }

    func findings(of health: Health) -> [Finding] {
        var findings: [Finding] = []
        let names = health.services.keys.sorted { ($0 == "gateway" ? "" : $0) < ($1 == "gateway" ? "" : $1) }
        for name in names {
            guard let service = health.services[name] else { continue }
            let why = service.reasons.isEmpty ? "" : ": " + service.reasons.joined(separator: " ")
            let log = "\(folder)/log/\(name)-1.log"
            switch (service.live, service.ready) {
            case (true, true): findings.append(.good(name, name == "gateway" ? "ready at \(url)" : "ready"))
            case (true, false):
                findings.append(
                    .broken(name, "runs, but is not ready\(why)", fix: "If this continues, see its log: \(log)"))
            case (false, _):
                findings.append(
                    .broken(
                        name, "does not answer",
                        fix: "If it ended, parley up restarts it. If this continues, see its log: \(log)"))
            }
        }
        return findings
    }

    /// Opens a session as clients do, and compares the clocks.
    private func clock() async -> Finding {
        let client = ParleyClient(url: url, options: Person.clientOptions(link))
        do throws(ParleyError) {
            let welcome = try await client.connect(token: "")
            let difference = Double(welcome.serverTimeUs - Times.now()) / 1_000_000
            await client.close()
            let text = String(format: "%.1f s", abs(difference))
            guard abs(difference) < 5 else {
                return .doubtful(
                    "clock", "the server's clock is \(text) \(difference > 0 ? "ahead of" : "behind") this machine's.",
                    fix: "Synchronise both (timedatectl set-ntp true).")
            }
            return .good("connecting", "a WebSocket session was opened; clocks differ by \(text)")
        } catch {
            await client.close()
            return .broken(
                "connecting", "no WebSocket session: \(error.message)",
                fix: "If there is a proxy in between, let it forward WebSockets.")
        }
    }
}
