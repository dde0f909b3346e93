import Foundation

/// An authority that vouches for servers of one test: certificates in PEM, made by the `openssl` command.
public final class TestAuthority: Sendable {
    /// A server's certificate and its key, as files.
    public struct Made: Sendable {
        public var certificate: String
        public var key: String
    }

    private let folder: TestFolder

    /// Its own certificate, for who trusts it.
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
    ///   - names: as openssl's `subjectAltName` has them.
    ///   - begins: in how many seconds it is valid.
    ///   - ends: in how many it is no more.
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

    /// As ASN.1 has it, in some seconds from now.
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
    /// - Parameters:
    ///   - input: what it reads; nil: nothing, and it is told so at once.
    /// - Returns: all it said, complaints included.
    public static func run(
        _ arguments: [String], in folder: String = "/", input: String = ""
    ) async throws -> (status: Int32, output: String) {
        let (process, said, told) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        (process.standardInput, process.standardOutput, process.standardError) = (told, said, said)
        return try await onThread {
            try process.run()
            try? told.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try? told.fileHandleForWriting.close()
            let output = said.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: output, as: UTF8.self))
        }
    }
}
