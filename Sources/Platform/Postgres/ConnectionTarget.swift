import CPostgres
import Glibc
import Reactor

/// libpq's parameters for one attempt to connect to one address.
struct ConnectionTarget: Sendable {
    var parameters: [String: String]

    /// Where it leads, for the log; without secrets.
    var description: String {
        let host = parameters["host"] ?? parameters["hostaddr"] ?? "the default host"
        return host + (parameters["port"].map { ":\($0)" } ?? "")
    }
}

extension DatabaseConfiguration {
    /// The parameters of the connection string, completed by this configuration's settings. The string's own win.
    ///
    /// The values may be secret, so the error names none.
    func parameters() throws(DatabaseError) -> [String: String] {
        var parameters = [
            "fallback_application_name": applicationName,
            "client_encoding": "UTF8",
            // Kerberos costs a look at the file system and a round trip.
            "gssencmode": "disable",
            // A host that vanishes is noticed within about 20 s.
            "keepalives_idle": "10", "keepalives_interval": "3", "keepalives_count": "3", "tcp_user_timeout": "15000",
        ]
        parameters.merge(try ConnectionString.parameters(of: url)) { _, own in own }
        parameters["options"] = sessionOptions + (parameters["options"].map { " " + $0 } ?? "")
        return parameters
    }

    /// Session settings in the form of PostgreSQL's command line, so that they hold from the first moment and cost no
    /// round trip.
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

    /// The hosts to try, in order.
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
    /// The addresses of its host. Names are looked up here, off the loop, since libpq would block on it; `host` stays
    /// beside `hostaddr` for TLS and the password file.
    func addresses() async throws(DatabaseError) -> [ConnectionTarget] {
        // The default, a folder of sockets, or an address: nothing to look up.
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
