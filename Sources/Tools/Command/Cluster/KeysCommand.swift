import ArgumentParser
import Cluster

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Makes the keys by which Parley's processes know each other.",
        discussion: """
            FOLDER/NAME.key is the secret of one process and belongs to it alone; FOLDER/peers has everybody's public \
            keys. Nothing is overwritten. With --add, one more key is made for a role, beside the old one, which stays \
            good until its line is removed. parley up makes its keys by itself.

            Examples:
              parley keys keys
              parley keys keys --add gateway
            """)

    @Argument(help: ArgumentHelp("Where they are put; made when missing.", valueName: "folder")) var folder: String
    @Option(
        name: .customLong("service"), parsing: .upToNextOption,
        help: ArgumentHelp("The services, when they are not the usual ones.", valueName: "name"))
    var services: [String] = []
    @Option(help: ArgumentHelp("Make one more key for this role.", valueName: "role")) var add: String?
    @Flag(help: "Print one JSON object, for programs.") var json = false

    private struct Made: Encodable {
        var type = "keys"
        var files: [String]
    }

    func run() async throws {
        let keys = KeyFolder(folder)
        guard let add else {
            let files = try keys.make(services: services.isEmpty ? ClusterConfiguration.services : services)
            if json { return Output.json(Made(files: files)) }
            return Output.line(Self.afterMaking(files, in: keys))
        }
        guard services.isEmpty else {
            throw Failure("invalid", "--add makes one key; leave out --service.", exitCode: .usage)
        }
        let name = try keys.add(add)
        if json { return Output.json(Made(files: [keys.keyPath(of: name), keys.peersPath])) }
        Output.line(Self.afterAdding(name, role: add, in: keys))
    }

    private static func afterMaking(_ files: [String], in keys: KeyFolder) -> String {
        """
        Made \(files.count) files in \(keys.path).

        Next:
          1. Bring each process its own key and a copy of peers, and nobody another's key:
               --link-key-file messaging.key --link-peers peers
             (or PARLEY_LINK_KEY_FILE and PARLEY_LINK_PEERS). The key must be readable by the process's account only.
          2. Start the processes. One that has a key the others do not know says so, and gets no answer.
          3. monitor.key may only ask how processes are; keep it where that is done.
        """
    }

    private static func afterAdding(_ name: String, role: String, in keys: KeyFolder) -> String {
        let made = "Made \(keys.keyPath(of: name)), and added its line to \(keys.peersPath).\n\nNext:\n"
        if ["gateway", "monitor"].contains(role) {
            return made + """
                  1. Bring peers to the services and restart them, one after the other: now both keys are good.
                  2. Give the \(role) its new key, and restart it.
                  3. Remove the old key's line from peers, bring it to the services, restart them: the old key is void.
                """
        }
        return made + """
              1. Gateways expect of a service the key of its first line. Move the new line above the old one.
              2. Bring peers to the gateways and the new key to every replica of \(role), with peers; restart them
                 together: in between, requests to \(role) are told to come back.
              3. Remove the old line.
            """
    }
}
