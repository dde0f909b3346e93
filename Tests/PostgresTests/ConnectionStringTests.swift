import Testing

@testable import Postgres

@Suite("Connection strings")
struct ConnectionStringTests {
    @Test(
        "the password is removed from every form that libpq accepts",
        arguments: [
            (
                "postgresql://ann:s%40cret@h:5433/db?sslmode=require",
                "dbname='db' host='h' port='5433' sslmode='require' user='ann'"
            ),
            (
                "postgres://h1,h2/db?user=ann&password=s%40cret&target_session_attrs=read-write",
                "dbname='db' host='h1,h2' port=',' target_session_attrs='read-write' user='ann'"
            ),
            ("host=h dbname=db user=ann password=s@cret", "dbname='db' host='h' user='ann'"),
            (#"host='/var/run it\'s' password='s@cret' user=ann"#, #"host='/var/run it\'s' user='ann'"#),
        ])
    func password(text: String, rest: String) throws {
        let parts = try ConnectionString.withoutPassword(text)
        #expect(parts.text == rest && parts.password == "s@cret")
        #expect(try ConnectionString.withoutPassword(parts.text).text == rest, "libpq accepts the result")
    }

    @Test("a string without a password has none; an invalid string is refused without printing it")
    func others() throws {
        #expect(try ConnectionString.withoutPassword("postgresql://ann@h/db").password == nil)
        let error = #expect(throws: DatabaseError.self) {
            try ConnectionString.withoutPassword("host=h passwort=s@cret")
        }
        #expect(!"\(try #require(error))".contains("s@cret"))
        let hidden = #expect(throws: DatabaseError.self) {
            try ConnectionString.withoutPassword("host=h sslpassword=s@cret")
        }
        #expect("\(try #require(hidden))".contains("sslpassword in the database URL"))
    }
}
