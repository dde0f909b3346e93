import ArgumentParser
import Command
import Schema

/// The `parley-lab` command, which measures, stresses and attacks Parley. Operators do not need it.
public struct ParleyLab: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "parley-lab",
        abstract: "Measure, stress and attack Parley, and test clients of it.",
        discussion: """
            Each command starts its own cluster in a temporary folder, and removes it afterwards. Run benches when \
            nothing else runs on the machine.

            First steps:
              parley-lab bench send                  sends and deliveries per second, CPU and latency
              parley-lab torture --seconds 60        break everything for a minute, and check that nothing was lost
              parley-lab conformance -- ./adapter    test a client of your own
              parley-lab soak -- ./app device        break devices for a minute, and compare what they show

            Exit codes: 0 success, 1 failed or found something, 64 wrong usage, 130 interrupted.
            """,
        version: "parley-lab \(Parley.version)",
        subcommands: [
            BenchCommand.self, TortureCommand.self, AttackCommand.self, ConformanceCommand.self, SoakCommand.self,
            ExtractCommand.self,
        ])

    public init() {}
}
