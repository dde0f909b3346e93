import ArgumentParser
import Cluster

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Create the keys with which Parley's processes authenticate each other.",
        discussion: """
            FOLDER/NAME.key is the secret key of one process, for that process alone. FOLDER/peers has the public keys \
            of all processes. Nothing is overwritten. --add creates one more key for a role. The old key stays valid \
            until you remove its line from peers. "parley up" creates its keys automatically.

            Examples:
              parley keys keys
              parley keys keys --add gateway
            """)

    @Argument(help: ArgumentHelp("The folder of the keys. It is created if it is missing.", valueName: "folder"))
    var folder: String
    @Option(
        name: .customLong("service"), parsing: .upToNextOption,
        help: ArgumentHelp("Names of the services. Default: all of Parley's.", valueName: "name"))
    var services: [String] = []
    @Option(help: ArgumentHelp("Create one more key for this role.", valueName: "role")) var add: String?
    @Flag(help: "Print one JSON object.") var json = false

    private struct KeysJSON: Encodable {
        var type = "keys"
        var files: [String]
    }

    func run() async throws {
        let keys = KeyFolder(folder)
        guard let add else {
            let files = try keys.make(services: services.isEmpty ? ClusterConfiguration.services : services)
            if json { return Output.json(KeysJSON(files: files)) }
            return Output.line(Self.afterMaking(files, in: keys))
        }
        guard services.isEmpty else {
            throw Failure(.invalid, "--add creates one key. Leave out --service.", exitCode: .usage)
        }
        let name = try keys.add(add)
        if json { return Output.json(KeysJSON(files: [keys.keyPath(of: name), keys.peersPath])) }
        Output.line(Self.afterAdding(name, role: add, in: keys))
    }

    private static func afterMaking(_ files: [String], in keys: KeyFolder) -> String {
        """
        Created \(files.count) files in \(keys.path).

        Next:
          1. Give each process its own key and a copy of peers, and no other key:
               --link-key-file messaging.key --link-peers peers
             (or PARLEY_LINK_KEY_FILE and PARLEY_LINK_PEERS). Only the process's account may be able to read the key.
          2. Start the processes. A process whose key the others do not know reports that and gets no reply.
          3. monitor.key can only be used for health checks. Keep it on the machine that runs them.
             follower.key is for a service that needs to know who uses the app.
        """
    }

    private static func afterAdding(_ name: String, role: String, in keys: KeyFolder) -> String {
        let made = "Created \(keys.keyPath(of: name)) and added its line to \(keys.peersPath).\n\nNext:\n"
        if ["gateway", "monitor", "follower"].contains(role) {
            return made + """
                  1. Copy peers to the services and restart them one after the other. Both keys are now valid.
                  2. Give the \(role) its new key and restart it.
                  3. Remove the old key's line from peers, copy peers to the services and restart them. The old key is
                     no longer valid.
                """
        }
        return made + """
              1. Gateways expect a service to have the key of its first line. Move the new line above the old one.
              2. Copy peers to the gateways, and peers and the new key to every replica of \(role). Restart all of
                 them together. Meanwhile, requests to \(role) are refused temporarily.
              3. Remove the old line.
            """
    }
}
