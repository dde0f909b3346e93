import CPostgres

/// A connection string as libpq takes it: a URL, or `key=value` pairs.
public enum ConnectionString {
    /// What it says, by libpq's keywords. The values may be secret, so the error names none.
    static func parameters(of text: String) throws(DatabaseError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            PQfreemem(message)
            throw .unavailable("the database URL is not a connection string that libpq can read")
        }
        defer { PQconninfoFree(options) }
        var parameters: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { parameters[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return parameters
    }

    /// The same without its password, which belongs into `PGPASSWORD`: everybody on a machine may read the arguments of
    /// its programs.
    /// - Returns: `text` as `key='value'` pairs.
    /// - Throws: also for other secrets, which have no such variable.
    public static func withoutPassword(
        _ text: String
    ) throws(DatabaseError) -> (text: String, password: String?) {
        var parameters = try parameters(of: text)
        let password = parameters.removeValue(forKey: "password")
        for secret in ["sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key"]
        where parameters[secret] != nil {
            throw .unavailable(
                "\(secret) in the database URL would be read by everybody on this machine, as an argument: leave it out"
            )
        }
        let pairs = parameters.sorted { $0.key < $1.key }.map { key, value in
            "\(key)='\(value.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
        }
        return (pairs.joined(separator: " "), password)
    }
}
