import Wire

/// How much of something there may be for each account, address or such, and what happens beyond it: a row of the table
/// of limits, which is `deploy/LIMITS.md`, and the help of the setting with which operators change it.
public struct Limit: Sendable {
    public enum Beyond: Sendable {
        /// `rate_limited`, with the time to wait.
        case wait
        /// A refusal that waiting does not change.
        case refused(Refusal.Code)
        /// Something else, in words.
        case words(String)

        var words: String {
            switch self {
            case .wait: "rate_limited, with the wait"
            case .refused(let code): "refused: \(code)"
            case .words(let words): words
            }
        }
    }

    let value: String
    private let what: String
    private let per: String
    private let beyond: Beyond

    /// - Parameters:
    ///   - value: how much; the default, where a setting changes it.
    ///   - what: what is limited, in the plural.
    ///   - per: for what it counts: "account", "address".
    public init(_ value: some CustomStringConvertible, _ what: String, per: String, beyond: Beyond) {
        (self.value, self.what, self.per, self.beyond) = ("\(value)", what, per, beyond)
    }

    var help: String { "\(what), for each \(per); beyond it: \(beyond.words)" }

    /// Its row in the table.
    /// - Parameter setting: nil: no setting changes it.
    func row(setting: String?) -> String {
        "| \(setting.map { "`\($0)`" } ?? "fixed") | \(value) | \(per) | \(what) | \(beyond.words) |"
    }
}
