import CPostgres
import Glibc
import Reactor

/// libpq's parameters for one attempt to connect to one address.
struct ConnectionTarget: Sendable {
    var parameters: [String: String]

    /// Host and port for the log, without secrets.
    var description: String {
        let host = parameters["host"] ?? parameters["hostaddr"] ?? "the default host"
        return host + (parameters["port"].map { ":\($0)" } ?? "")
    }
}

extension DatabaseConfiguration {
    /// Returns the parameters of the connection string, completed by this configuration. The string takes precedence.
    ///
    /// The values may be secret, so the error contains none.
    func parameters() throws(DatabaseError) -> [String: String] {
        var parameters = [
            "fallback_application_name": applicationName,
            "client_encoding": "UTF8",
            // Kerberos would cost a file system access and a round trip.
            "gssencmode": "disable",
            // Detects a vanished host within about 20 s.
            "keepalives_idle": "10", "keepalives_interval": "3", "keepalives_count": "3", "tcp_user_timeout": "15000",
        ]
        parameters.merge(try ConnectionString.parameters(of: url)) { _, own in own }
        parameters["options"] = sessionOptions + (parameters["options"].map { " " + $0 } ?? "")
        return parameters
    }

    /// Session settings as PostgreSQL command-line options, which apply from the start and cost no round trip.
    private var sessionOptions: String {
        var all = [
            "client_min_messages": "warning",
            "statement_timeout": "\(statementTimeout.milliseconds)",
            "lock_timeout": "\(lockTimeout.milliseconds)",
            "idle_in_transaction_session_timeout": "\(idleInTransactionTimeout.milliseconds)",
        ]
        all.merge(settings) { _, own in own }
        return all.sorted { $0.key < $1.key }.map { name, value in
            var escaped = ""
            for character in value {
                if character == " " || character == "\\" { escaped.append("\\") }
                escaped.append(character)
            }
            return "-c \(name)=\(escaped)"
        }.joined(separator: " ")
    }

    /// Returns the hosts to try, in order.
    func hosts() throws(DatabaseError) -> [ConnectionTarget] {
        let parameters = try parameters()
        guard let host = parameters["host"], parameters["hostaddr"] == nil else {
            return [ConnectionTarget(parameters: parameters)]
        }
        let ports = (parameters["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let names = host.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return names.enumerated().map { index, name in
            var target = parameters
            target["host"] = name
            target["port"] = index < ports.count ? ports[index] : ports.first
            return ConnectionTarget(parameters: target)
        }
    }
}

extension ConnectionTarget {
    /// Returns a target for each address of the host. The name is resolved here, off the loop, because libpq would
    /// block. `host` stays beside `hostaddr` for TLS and the password file.
    func addresses() async throws(DatabaseError) -> [ConnectionTarget] {
        // The default host, a socket folder and a numeric address need no lookup.
        guard let name = parameters["host"], parameters["hostaddr"] == nil, !name.isEmpty, !name.hasPrefix("/"),
            !name.hasPrefix("@"), !HostNames.isNumeric(name)
        else { return [self] }
        do {
            return try await HostNames.addresses(of: name).map { address in
                var target = self
                target.parameters["hostaddr"] = address
                return target
            }
        } catch {
            throw .unavailable(error.description)
        }
    }
}
