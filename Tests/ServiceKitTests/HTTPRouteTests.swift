import Schema
import Testing
import Wire

@testable import ServiceKit

@Suite("HTTP routes") struct HTTPRouteTests {
    private func route(_ path: String, below: Bool = false) -> HttpRoute {
        HttpRoute(path: path, below: below, methods: ["GET"])
    }

    @Test("the longest path wins, a query does not count, and a path alone covers nothing below it")
    func lookup() {
        var table = HTTPRouteTable<Int>()
        table.add(route("/a/", below: true), of: 1)
        table.add(route("/a/b"), of: 1)
        table.add(route("/c"), of: 2)
        func path(_ path: String) -> String? { table.entry(at: path)?.route.path }
        #expect(path("/a/b") == "/a/b" && path("/a/b?x=/c") == "/a/b" && path("/a/bc") == "/a/" && path("/a/") == "/a/")
        #expect(path("/a") == nil && path("/c/") == nil && path("/c?d") == "/c" && path("") == nil)
    }

    @Test("a path of another owner is refused, also one inside it or around it; one's own is replaced")
    func conflicts() {
        var table = HTTPRouteTable<Int>()
        table.add(route("/a/", below: true), of: 1)
        #expect(table.add(route("/a/"), of: 2)?.owner == 1)
        #expect(table.add(route("/a/b/", below: true), of: 2)?.owner == 1)
        #expect(table.add(route("/", below: true), of: 2)?.owner == 1)
        #expect(table.add(route("/"), of: 2) == nil && table.add(route("/a"), of: 2) == nil)
        var changed = route("/a/", below: true)
        changed.methods = ["PUT"]
        #expect(table.add(changed, of: 1) == nil && table.entry(at: "/a/x")?.route.methods == ["PUT"])
        #expect(table.routes.count == 3)
    }

    @Test("a route that could confuse a gateway has a problem")
    func problems() {
        #expect(route("/a").problem == nil)
        for path in ["", "a", "/a b", "/a?b", "/a\r\nX: y", "/ä"] { #expect(route(path).problem != nil, "\(path)") }
        for change in [
            { $0.methods = [] }, { $0.methods = ["GE T"] }, { $0.headers = ["Range"] }, { $0.bodyBytesMax = -1 },
        ]
            as [(inout HttpRoute) -> Void]
        {
            var wrong = route("/a")
            change(&wrong)
            #expect(wrong.problem != nil, "\(wrong)")
        }
    }

    @Test("a refusal over HTTP has its status, and says when to try again")
    func statuses() {
        let expected: [(Refusal, UInt32, String?)] = [
            (.invalid("x", "no"), 400, nil), (.unauthenticated, 401, nil), (.forbidden("no"), 403, nil),
            (.notFound, 404, nil), (.tooLarge, 413, nil), (.rateLimited(.milliseconds(1200)), 429, "2"),
            (.internal, 500, nil), (.unavailable("no"), 503, "1"), (.deadline, 504, "1"),
            (Refusal("not_member", "no"), 403, nil),
        ]
        for (refusal, status, wait) in expected {
            let problem = HTTPProblem(refusal)
            #expect(problem.status == status && problem.headers.first?.value == wait, "\(refusal)")
        }
        #expect(HTTPProblem(400, "invalid", "\"\n").body == #"{"code":"invalid","message":"\"\n"}"#)
    }
}
