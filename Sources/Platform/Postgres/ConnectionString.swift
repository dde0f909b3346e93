import CPostgres

/// A libpq connection string, either a URL or `key=value` pairs.
public enum ConnectionString {
    /// Returns the parameters by libpq's keywords. The values may be secret, so the error contains none.
    static func parameters(of text: String) throws(DatabaseError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            PQfreemem(message)
            throw .unavailable("the database URL is not a valid libpq connection string")
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

    /// Separates the password from the string. Pass it in `PGPASSWORD`, because every user of a machine can read the
    /// arguments of its programs.
    /// - Returns: `text` as `key='value'` pairs, and the password.
    /// - Throws: also for other secrets, which have no environment variable.
    public static func withoutPassword(
        _ text: String
    ) throws(DatabaseError) -> (text: String, password: String?) {
        var parameters = try parameters(of: text)
        let password = parameters.removeValue(forKey: "password")
        for secret in ["sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key"]
        where parameters[secret] != nil {
            throw .unavailable(
                "\(secret) in the database URL would be visible to every user of this machine as an argument; remove it"
            )
        }
        let pairs = parameters.sorted { $0.key < $1.key }.map { key, value in
            "\(key)='\(value.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
        }
        return (pairs.joined(separator: " "), password)
    }
}
