import Foundation
import ParleyClient

/// Asks a running server how it is.
struct ServerCheck {
    var url: String
    /// Where logs are, for what to do.
    var folder = ".parley"

    /// What `GET /health` answers.
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
        let address: LinkAddress
        do throws(ParleyError) {
            address = try LinkAddress(url)
        } catch {
            return [.broken("gateway", error.message, fix: "Give a URL like \(ConnectionOptions.defaultURL).")]
        }
        let parley = ParleyCommand.invocation
        switch HTTPGet.body(host: address.host, port: address.port, path: "/health") {
        case .failure(let error):
            return [
                .broken(
                    "gateway", "\(url): \(error.why)",
                    fix: "Start it (\(parley) up), or name the right address with --url.")
            ]
        case .success(let body):
            guard let health = try? JSONDecoder().decode(Health.self, from: Data(body.utf8)) else {
                return [
                    .broken(
                        "gateway", "\(url) answers, but not as Parley does.",
                        fix: "Another program has this port: name the right one with --url.")
                ]
            }
            return findings(of: health) + [await clock()]
        }
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
                    .broken(name, "runs, but is not ready\(why)", fix: "If it stays so, its log says more: \(log)"))
            case (false, _):
                findings.append(
                    .broken(
                        name, "does not answer",
                        fix: "If it died, parley up starts it again at once; if it stays so, its log says why: \(log)"))
            }
        }
        return findings
    }

    /// Compares clocks over a connection as clients make it.
    private func clock() async -> Finding {
        let client = ParleyClient(url: url, options: Person.clientOptions)
        do throws(ParleyError) {
            let welcome = try await client.connect(token: "")
            let difference = Double(welcome.serverTimeUs - Times.now()) / 1_000_000
            await client.close()
            let text = String(format: "%.1f s", abs(difference))
            guard abs(difference) < 5 else {
                return .doubtful(
                    "clock", "the server's is \(text) \(difference > 0 ? "ahead of" : "behind") this machine's.",
                    fix: "Synchronise both (timedatectl set-ntp true).")
            }
            return .good("connecting", "a WebSocket session begins; clocks differ by \(text)")
        } catch {
            await client.close()
            return .broken(
                "connecting", "no WebSocket session: \(error.message)",
                fix: "A proxy in between must pass WebSockets on.")
        }
    }
}

/// One plain HTTP request, with a limit of a few seconds.
enum HTTPGet {
    struct Problem: Error {
        var why: String
    }

    static func body(host: String, port: Int, path: String, limit: Int = 5) -> Result<String, Problem> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0 else {
            return .failure(Problem(why: "the name \(host) is not known"))
        }
        defer { freeaddrinfo(found) }
        var why = "no address"
        var next = found
        while let address = next?.pointee {
            next = address.ai_next
            let descriptor = socket(address.ai_family, address.ai_socktype, 0)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var patience = timeval(tv_sec: limit, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
            guard connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
                why = errno == EINPROGRESS ? "nobody answers" : String(cString: strerror(errno)).lowercased()
                continue
            }
            let request = Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n".utf8)
            guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { continue }
            return answer(from: descriptor)
        }
        return .failure(Problem(why: why))
    }

    private static func answer(from descriptor: Int32) -> Result<String, Problem> {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while received.count < 1 << 20 {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { break }
            guard count > 0 else {
                if errno == EINTR { continue }
                return .failure(
                    Problem(why: errno == EAGAIN ? "it does not answer in time" : String(cString: strerror(errno))))
            }
            received += buffer[..<count]
        }
        let text = String(decoding: received, as: UTF8.self)
        guard let gap = text.range(of: "\r\n\r\n") else {
            return .failure(Problem(why: "what answers does not speak HTTP"))
        }
        return .success(String(text[gap.upperBound...]))
    }
}
