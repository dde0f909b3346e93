import Command
import Language

/// Measures how fast messages are read, on one core.
enum ExtractBench {
    struct Result: Encodable {
        var messages: Int
        var messagesPerSecond: Int
        var bytesPerSecond: Int
        /// The time that cutting the same text into words at spaces takes, as a share of the time of reading it. It
        /// depends less on the machine than messages a second.
        var ratio: Double
    }

    /// What people write, mostly without anything to suggest; each third message answers the two before it.
    private static let texts = [
        "Dinner Friday 7pm at Luigi's?", "sounds good, who else is coming?", "yes, count me in, see you there at 7",
        "lol did you see the game last night", "I'll send you the slides by tomorrow noon", "perfect, thank you!",
        "should we get the grey sofa or the green one?", "green", "ok green it is then, I'll order it on Monday",
        "The quarterly planning meeting has been moved from Thursday to Friday, 3pm, same room as last time.",
        "on my way, running 10 minutes late", "no worries", "dentist tuesday 3:15",
        "can you pick up milk on the way home?",
        "What a day. The train was delayed for two hours and then they cancelled it, so I walked home in the rain.",
    ]

    static func run(seconds: Double = 2) -> Result {
        guard let moment = Moment(us: 1_772_620_500_000_000, zone: "Europe/London") else {
            return Result(messages: 0, messagesPerSecond: 0, bytesPerSecond: 0, ratio: 0)
        }
        let utterances = texts.map { Utterance(sender: "ana", text: $0) }
        let bytes = texts.reduce(0) { $0 + $1.utf8.count }
        let extractor = Extractor()
        func read() -> Int {
            utterances.indices.reduce(0) { count, index in
                let before = index % 3 == 2 ? Array(utterances[index - 2..<index]) : []
                return count + extractor.extract(utterances[index], after: before, at: moment).count
            }
        }
        func cut() -> Int { texts.reduce(0) { $0 + $1.split(separator: " ").map(String.init).count } }
        // The vocabulary is built by the first message.
        _ = (read(), cut())
        let clock = ContinuousClock()
        var (spent, plain) = (Duration.zero, Duration.zero)
        var (rounds, results) = (0, 0)
        while spent < .seconds(seconds) {
            spent += clock.measure { for _ in 0..<20 { results += read() } }
            plain += clock.measure { for _ in 0..<20 { results += cut() } }
            rounds += 20
        }
        let duration = spent / .seconds(1)
        precondition(results > 0)
        return Result(
            messages: rounds * texts.count, messagesPerSecond: Int(Double(rounds * texts.count) / duration),
            bytesPerSecond: Int(Double(rounds * bytes) / duration), ratio: plain / spent)
    }
}
