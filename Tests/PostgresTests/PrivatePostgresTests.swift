import Foundation
import Testing
import TestSupport

@Suite("The tests' own server")
struct PrivatePostgresTests {
    @Test("once ended, its folder is gone, and ending it twice is nothing")
    func end() throws {
        let server = try PrivatePostgres(fsync: false)
        #expect(FileManager.default.fileExists(atPath: server.folder))
        #expect("\(server.folder)/.s.PGSQL.5432".utf8.count < 107)
        server.end()
        server.end()
        #expect(!FileManager.default.fileExists(atPath: server.folder))
    }
}
