import Testing

@testable import Postgres

@Suite("Matching results to requests, without a socket")
struct PipelineTests {
    private let failure = DatabaseError(.init("42601"), "syntax error")

    /// The outcome of a request or statement.
    private enum Outcome: Equatable {
        case delivered(Int)
        case failed(Int, DatabaseError, forget: Int?)
        case forgotten(Int)
        case violation
    }

    private func receive(
        _ pipeline: inout Pipeline<Int>, _ received: [Pipeline<Int>.Received]
    ) -> [Outcome] {
        received.flatMap { one -> [Outcome] in
            switch pipeline.received(one) {
            case .none, .keep: []
            case .deliver(let requests): requests.map { .delivered($0) }
            case .fail(let request, let error, let forget): [.failed(request, error, forget: forget)]
            case .forget(let statement): [.forgotten(statement)]
            case .violation: [.violation]
            }
        }
    }

    private func pipeline(_ entries: Pipeline<Int>.Entry...) -> Pipeline<Int> {
        var pipeline = Pipeline<Int>()
        for entry in entries { pipeline.sent(entry) }
        return pipeline
    }

    @Test("results go to the requests in the order of sending")
    func order() {
        var pipeline = pipeline(.prepare(1), .query(10, 1), .sync, .query(11, 1), .sync)
        #expect(pipeline.requestCount == 2)
        let outcomes = receive(
            &pipeline,
            [
                .success, .endOfCommand, .success, .endOfCommand, .sync, .success, .endOfCommand, .sync,
            ])
        #expect(outcomes == [.delivered(10), .delivered(11)])
        #expect(pipeline.isEmpty)
        #expect(pipeline.requestCount == 0)
    }

    @Test("a request fails with the error of its failed prepare, and the next group continues")
    func prepareFails() {
        var pipeline = pipeline(.prepare(1), .query(10, 1), .sync, .prepare(2), .query(11, 2), .sync)
        let outcomes = receive(
            &pipeline,
            [
                .failure(failure), .endOfCommand, .aborted, .endOfCommand, .sync,
                .success, .endOfCommand, .success, .endOfCommand, .sync,
            ])
        #expect(outcomes == [.forgotten(1), .failed(10, failure, forget: nil), .delivered(11)])
        #expect(pipeline.isEmpty)
    }

    @Test("a later request whose statement could not be prepared fails with the error of the prepare")
    func prepareFailsForLaterOnes() {
        var pipeline = pipeline(.prepare(1), .query(10, 1), .sync, .query(11, 1), .sync)
        let missing = DatabaseError(.invalidSQLStatementName, "prepared statement does not exist")
        let outcomes = receive(
            &pipeline,
            [
                .failure(failure), .endOfCommand, .aborted, .endOfCommand, .sync,
                .failure(missing), .endOfCommand, .sync,
            ])
        #expect(
            outcomes == [
                .forgotten(1), .failed(10, failure, forget: nil), .failed(11, failure, forget: 1),
            ])
    }

    @Test("after an error inside a group its rest is not run, including prepares, but the next group is")
    func errorInTheMiddle() {
        var pipeline = pipeline(
            .query(1, 1), .query(2, 2), .prepare(3), .query(3, 3), .sync, .query(4, 1), .sync)
        let outcomes = receive(
            &pipeline,
            [
                .success, .endOfCommand, .failure(failure), .endOfCommand, .aborted, .endOfCommand, .aborted,
                .endOfCommand,
                .sync, .success, .endOfCommand, .sync,
            ])
        #expect(outcomes.count == 5)
        #expect(outcomes[0] == .failed(2, failure, forget: nil))
        #expect(outcomes[1] == .forgotten(3))
        guard case .failed(3, let error, _) = outcomes[2] else {
            Issue.record("request 3 did not fail")
            return
        }
        #expect(error.code == .inFailedSQLTransaction)
        #expect("\(error)".contains("syntax error"))
        #expect(outcomes[3...] == [.delivered(1), .delivered(4)])
    }

    @Test("when the connection is lost, all outstanding requests are returned once, in order")
    func lost() {
        var pipeline = pipeline(.query(1, 1), .sync, .prepare(2), .query(2, 2), .sync, .query(3, 1), .sync)
        _ = receive(&pipeline, [.success])
        #expect(pipeline.lost() == [1, 2, 3])
        #expect(pipeline.lost() == [])
        #expect(pipeline.isEmpty)
    }

    @Test("a result is final only after its group's sync, since the server may fail before it commits")
    func resultBeforeSync() {
        var pipeline = pipeline(.query(1, 1), .sync, .query(2, 1), .sync)
        #expect(receive(&pipeline, [.success, .endOfCommand]) == [])
        #expect(pipeline.requestCount == 2)
        var survivor = pipeline
        #expect(receive(&survivor, [.sync]) == [.delivered(1)])
        #expect(survivor.requestCount == 1)
        #expect(pipeline.lost() == [1, 2])
    }

    @Test(
        "a statement that no longer matches its table is forgotten",
        arguments: [DatabaseError.Code.invalidSQLStatementName, .featureNotSupported])
    func forgotten(code: DatabaseError.Code) {
        var pipeline = pipeline(.query(1, 7), .sync)
        let error = DatabaseError(code, "stale")
        #expect(receive(&pipeline, [.failure(error)]) == [.failed(1, error, forget: 7)])
    }

    @Test(
        "a message out of order is a violation",
        arguments: [
            [Pipeline<Int>.Received.sync], [.endOfCommand], [.success, .success], [.success, .sync],
            [.success, .endOfCommand, .success],
        ])
    func violations(received: [Pipeline<Int>.Received]) {
        var pipeline = pipeline(.query(1, 1), .sync)
        #expect(receive(&pipeline, received).last == .violation)
    }

    @Test("a group is open from its first request to its sync")
    func group() {
        var pipeline = Pipeline<Int>()
        #expect(!pipeline.isGroupOpen)
        pipeline.sent(.query(1, 1))
        #expect(pipeline.isGroupOpen)
        pipeline.sent(.sync)
        #expect(!pipeline.isGroupOpen)
    }
}

@Suite("The prepared statements of a connection")
struct PreparedStatementsTests {
    private let text = StatementText("SELECT $1, $2 -- PreparedStatementsTests")

    @Test("the same text is the same statement, and is prepared once")
    func once() {
        var statements = PreparedStatements()
        #expect(text == StatementText("SELECT $1, $2 -- PreparedStatementsTests"))
        let first = statements.find(text, [20, 25])
        let second = statements.find(text, [20, 25])
        #expect(first.mustPrepare && !second.mustPrepare)
        #expect(first.number == second.number)
    }

    @Test("NULL fits any type; a value after a NULL prepares again with the known types of the others")
    func nulls() {
        var statements = PreparedStatements()
        let withNull = statements.find(text, [0, 25])
        let withValue = statements.find(text, [20, 0])
        #expect(withValue.mustPrepare)
        #expect(statements.types(of: withValue.number) == [20, 25])
        #expect(statements.find(text, [20, 25]).number == withValue.number)
        #expect(statements.find(text, [0, 0]).number == withNull.number)
    }

    @Test("a forgotten statement is prepared again under another number")
    func forget() {
        var statements = PreparedStatements()
        let first = statements.find(text, [20, 25])
        statements.forget(first.number)
        let second = statements.find(text, [20, 25])
        #expect(second.mustPrepare)
        #expect(first.number != second.number)
    }
}

@Suite("The delay between attempts")
struct BackoffTests {
    @Test("the delay begins at 50 ms, doubles to 1 s, is at least half of that, and is reset after a success")
    func delays() {
        var backoff = Backoff()
        let delays = (0..<8).map { _ in backoff.next(random: 0) }
        #expect(delays == [50, 100, 200, 400, 800, 1000, 1000, 1000].map { Duration.milliseconds($0) })
        #expect(backoff.next(random: 1) == .milliseconds(500))
        backoff.reset()
        #expect(backoff.next(random: 0) == .milliseconds(50))
    }
}
