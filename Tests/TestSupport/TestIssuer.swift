import Foundation

/// A process that plays issuers of ID tokens, each below a path of its own (`Tests/Issuer/issuer.py`): over real HTTP,
/// with keys of its own, and signatures that Parley has no part in.
public final class TestIssuer: @unchecked Sendable {
    // Sendable: nothing changes after init.
    private let process: Process
    private let input: Pipe
    private let folder: TestFolder
    public let url: String

    public init() throws {
        process = Process()
        input = Pipe()
        let folder = try TestFolder()
        self.folder = folder
        AtExit.add { folder.remove() }
        let output = Pipe()
        process.executableURL = MigratedDatabase.root.appending(path: "Tests/Issuer/issuer.py")
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // It prints its port when it listens.
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
                throw NeverHappened(description: "Tests/Issuer/issuer.py did not start: run it to see why")
            }
            line += byte
        }
        url = "http://127.0.0.1:\(String(decoding: line.dropLast(), as: UTF8.self))"
    }

    deinit {
        folder.remove()
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Keeps a text in a file as long as the issuers live, and returns its path.
    public func keep(_ text: String, as name: String) throws -> String {
        let path = "\(folder.path)/\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// How a token is made; the defaults make a right one.
    public struct Shape: Sendable {
        public var algorithm = "RS256"
        /// The name of the key; nil: of the one that signs.
        public var key: String?
        /// Further members of the header, as JSON; null removes one.
        public var header = "{}"
        /// Whether somebody else's keys sign.
        public var byOthers = false

        public init(_ algorithm: String = "RS256", key: String? = nil, header: String = "{}", byOthers: Bool = false) {
            (self.algorithm, self.key, self.header, self.byOthers) = (algorithm, key, header, byOthers)
        }
    }

    /// Returns a token.
    /// - Parameter claims: a JSON object.
    public func token(of issuer: String, _ claims: String, _ shape: Shape = .init()) async throws -> String {
        let key = shape.key.map { "\"\($0)\"" } ?? "null"
        let asked =
            #"{"claims":\#(claims),"alg":"\#(shape.algorithm)","kid":\#(key),"header":\#(shape.header),"#
            + #""keys":"\#(shape.byOthers ? "others" : "own")"}"#
        let answer = try await ask("POST", "/\(issuer)/test/token", asked)
        guard let object = try JSONSerialization.jsonObject(with: answer) as? [String: String],
            let token = object["token"]
        else { throw NeverHappened(description: "the issuer makes no token of \(claims)") }
        return token
    }

    /// Replaces the keys.
    /// - Parameter keeping: whether the old ones stay in the set.
    public func rotate(_ issuer: String, keeping: Bool = false) async throws {
        _ = try await ask("POST", "/\(issuer)/test/rotate", #"{"keep":\#(keeping)}"#)
    }

    /// Says how the set of keys is answered from now on: "right", "html", "large", "late", "redirect", "failing",
    /// "empty", "another" or "ftp". Of its page: "denied", "busy", "long", "mixed" or "script"; of exchanges of codes:
    /// "token-html", "token-large", "token-redirect", "token-failing", "token-late", "token-other" or "token-foreign".
    public func behave(_ issuer: String, _ mode: String, cache: String = "max-age=3600") async throws {
        _ = try await ask("POST", "/\(issuer)/test/behave", #"{"mode":"\#(mode)","cache":"\#(cache)"}"#)
    }

    /// How often the set of keys was asked for.
    public func asked(_ issuer: String) async throws -> Int {
        let answer = try await ask("GET", "/\(issuer)/test/asked", "")
        return (try JSONSerialization.jsonObject(with: answer) as? [String: Int])?["asked"] ?? -1
    }

    /// How many codes were to be exchanged.
    public func exchanged(_ issuer: String) async throws -> Int {
        let answer = try await ask("GET", "/\(issuer)/test/asked", "")
        return (try JSONSerialization.jsonObject(with: answer) as? [String: Int])?["exchanged"] ?? -1
    }

    /// Signs somebody in on a page as a browser would, and returns where the page leads then.
    /// - Parameter page: the address to which the server led.
    public func visit(_ page: String, as subject: String) async throws -> String {
        let (url, path) = (url, String(page.dropFirst(url.count)) + "&as=\(subject)")
        guard page.hasPrefix(url + "/") else { throw NeverHappened(description: "\(page) is a page of the issuer") }
        let answer = try await onThread { try RawHTTP.send("GET", path, to: url) }
        guard let answer, answer.status == 302, let location = answer.headers["location"] else {
            throw NeverHappened(description: "the issuer leads back: \(answer?.text ?? "")")
        }
        return location
    }

    private func ask(_ method: String, _ path: String, _ body: String) async throws -> Data {
        let url = url
        let answer = try await onThread { try RawHTTP.send(method, path, to: url, body: Array(body.utf8)) }
        guard let answer, answer.status == 200 else {
            throw NeverHappened(description: "\(method) \(path) of the issuer answered \(answer?.status ?? 0)")
        }
        return Data(answer.body)
    }
}
