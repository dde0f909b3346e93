import ArgumentParser
import Command
import Foundation

struct ExtractCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Measure what the rules, or a model, find in messages.",
        discussion: """
            With --evaluate it reads a file of labelled messages or date phrases and prints how many are read right; \
            with --model a model behind an API like OpenAI's reads the messages instead of the rules. With --bench it \
            measures how many messages a second the rules read on one core. It needs no server.

            Examples:
              parley-lab extract --evaluate Tests/Extraction/messages.jsonl
              parley-lab extract --evaluate messages.jsonl --model http://127.0.0.1:11434/v1 --model-name qwen3:8b
              parley-lab extract --bench --json
            """)

    @Option(help: ArgumentHelp("Evaluate the rules with this file of JSON lines.", valueName: "file"))
    var evaluate: String?
    @Flag(help: "Measure how many messages a second one core reads.") var bench = false
    @OptionGroup var model: ModelOptions
    @Flag(help: "Print one JSON object per line.") var json = false

    func validate() throws {
        guard (evaluate != nil) != bench else { throw ValidationError("Give either --evaluate FILE or --bench.") }
        guard model.model == nil || !bench else {
            throw ValidationError("--bench measures the rules; leave out --model.")
        }
    }

    func run() async throws {
        if let evaluate { try await run(on: evaluate) } else { runBench() }
    }

    private func run(on path: String) async throws {
        switch try LabelledFile(path: path) {
        case .messages(let cases):
            let scores = await MessageScores(cases, by: try model.extractor())
            if scores.failures == cases.count {
                throw Failure(.modelFailed, "The model read none of the \(cases.count) messages.")
            }
            if json { return Output.json(scores) }
            for (name, score) in [
                ("events", scores.event), ("reminders", scores.reminder), ("decisions", scores.decision),
            ] {
                Output.line(
                    "\(PlainText.padded(name, 12))precision \(share(score.precision))  recall \(share(score.recall))  "
                        + "F1 \(share(score.f1))")
            }
            Output.line(
                "\(PlainText.padded("dates", 12))\(share(scores.dateAccuracy))  times \(share(scores.timeAccuracy))")
        case .phrases(let cases):
            guard model.model == nil else {
                throw Failure(.invalid, "A model reads messages; phrases are for the rules.", exitCode: .usage)
            }
            let scores = PhraseScores(cases)
            if json { return Output.json(scores) }
            Output.line("accuracy \(share(scores.accuracy))  ends of right ranges \(share(scores.endAccuracy))")
        }
    }

    private func share(_ value: Double) -> String { String(format: "%.3f", value) }

    private func runBench() {
        let result = ExtractBench.run()
        if json { return Output.json(result) }
        Output.line(
            "\(result.messagesPerSecond) messages/s on one core, \(result.bytesPerSecond) bytes/s; "
                + "cutting the same text at spaces takes \(String(format: "%.1f", result.ratio * 100))% of that time")
    }
}
