import Foundation
import Reactor
import TestSupport
import Testing

@Suite("The tests' private server")
@ReactorActor
struct PrivatePostgresTests {
    @Test("ending the server removes its folder, and ending it again does nothing")
    func end() async throws {
        let server = try await TestPostgres()
        #expect(FileManager.default.fileExists(atPath: server.folder))
        await server.end()
        await server.end()
        #expect(!FileManager.default.fileExists(atPath: server.folder))
    }
}
