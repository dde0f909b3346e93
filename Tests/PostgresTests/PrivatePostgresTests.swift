import Foundation
import Reactor
import TestSupport
import Testing

@Suite("The tests' own server")
@ReactorActor
struct PrivatePostgresTests {
    @Test("once ended, its folder is gone, and ending it twice is nothing")
    func end() async throws {
        let server = try await TestPostgres()
        #expect(FileManager.default.fileExists(atPath: server.folder))
        await server.end()
        await server.end()
        #expect(!FileManager.default.fileExists(atPath: server.folder))
    }
}
