import Testing

@testable import Postgres

@Suite("The text of a lookup by key")
struct OneRowTests {
    @Test("the last column of the key is a range in order, and one row is enough")
    func text() {
        #expect(
            oneRow("seq, text", from: "messages AS m", where: "m.conversation = $1", by: "m.seq", is: "$2")
                == "(SELECT seq, text FROM messages AS m WHERE m.conversation = $1 AND m.seq BETWEEN $2 AND $2 "
                + "ORDER BY m.seq LIMIT 1)")
    }

    @Test("a key of one column needs no other condition")
    func oneColumn() {
        #expect(
            oneRow("*", from: "accounts", by: "account", is: "n.account")
                == "(SELECT * FROM accounts WHERE account BETWEEN n.account AND n.account ORDER BY account LIMIT 1)")
    }
}
