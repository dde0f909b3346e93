import Foundation

/// A certificate authority for the servers of one test. The `openssl` command makes its certificates, in PEM.
public final class TestAuthority: Sendable {
    /// The files of a server's certificate and its key.
    public struct Made: Sendable {
        public var certificate: String
        public var key: String
    }

    private let folder: TestFolder

    /// The file of its own certificate, for clients that trust it.
    public var path: String { "\(folder.path)/ca.pem" }

    public init(_ name: String = "Authority of a test") async throws {
        folder = try TestFolder()
        try write("", to: "index")
        try write("1000\n", to: "serial")
        try write(Self.configuration(folder.path, "DNS:nobody.invalid"), to: "ca.conf")
        try await openssl(
            ["req", "-x509", "-config", "ca.conf", "-extensions", "root", "-subj", "/CN=\(name)", "-days", "30"]
                + Self.newKey("ca.key") + ["-out", "ca.pem"])
    }

    public func remove() { folder.remove() }

    /// Makes a certificate.
    /// - Parameters:
    ///   - names: the names in the form of openssl's `subjectAltName`.
    ///   - begins: the start of its validity, in seconds from now.
    ///   - ends: the end of its validity, in seconds from now.
    public func certificate(
        for names: String = "DNS:localhost,IP:127.0.0.1", begins: TimeInterval = -3600, ends: TimeInterval = 86_400
    ) async throws -> Made {
        let name = "s\(UInt32.random(in: 0 ... .max))"
        try write(Self.configuration(folder.path, names), to: "\(name).conf")
        try await openssl(
            ["req", "-new", "-config", "\(name).conf", "-subj", "/CN=\(name)"] + Self.newKey("\(name).key")
                + ["-out", "\(name).csr"])
        try await openssl([
            "ca", "-batch", "-notext", "-config", "\(name).conf", "-in", "\(name).csr", "-out", "\(name).pem",
            "-startdate", Self.date(begins), "-enddate", Self.date(ends),
        ])
        return Made(certificate: "\(folder.path)/\(name).pem", key: "\(folder.path)/\(name).key")
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    }

    private func openssl(_ arguments: [String]) async throws {
        let outcome = try await OpenSSL.run(arguments, in: folder.path)
        guard outcome.status == 0 else { throw NeverHappened(description: "openssl \(arguments): \(outcome.output)") }
    }

    private static func newKey(_ name: String) -> [String] {
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", name]
    }

    /// Formats a time some seconds from now for ASN.1.
    private static func date(_ seconds: TimeInterval) -> String {
        let digits = Date(timeIntervalSinceNow: seconds).ISO8601Format().filter(\.isNumber)
        return digits + "Z"
    }

    private static func configuration(_ folder: String, _ names: String) -> String {
        """
        [req]
        distinguished_name = none
        prompt = no
        [none]
        [root]
        basicConstraints = critical,CA:TRUE
        keyUsage = critical,keyCertSign
        subjectKeyIdentifier = hash
        [ca]
        default_ca = here
        [here]
        database = \(folder)/index
        serial = \(folder)/serial
        new_certs_dir = \(folder)
        certificate = \(folder)/ca.pem
        private_key = \(folder)/ca.key
        default_md = sha256
        policy = any
        x509_extensions = server
        unique_subject = no
        [any]
        commonName = supplied
        [server]
        basicConstraints = critical,CA:FALSE
        keyUsage = critical,digitalSignature
        extendedKeyUsage = serverAuth
        subjectAltName = \(names)

        """
    }
}

/// The `openssl` command.
public enum OpenSSL {
    /// Runs the command to its end.
    /// - Parameter input: its standard input, which ends after it.
    /// - Returns: its status, and its output followed by its errors.
    public static func run(
        _ arguments: [String], in folder: String = "/", input: String = ""
    ) async throws -> (status: Int32, output: String) {
        let ended = try await runToEnd(["openssl"] + arguments, in: folder, input: .holding(Data(input.utf8)))
        return (ended.status, ended.output + ended.errors)
    }
}
