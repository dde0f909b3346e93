import Foundation
import ParleyClient

extension Parley {
    /// Settings of ``Parley``.
    ///
    ///     var options = Parley.Options(folder: folder)
    ///     options.messagesKept = 2000
    ///     options.name = "myapp 1.0"
    ///     let parley = await Parley.open(server, options: options)
    public struct Options: Sendable {
        /// Where messages are kept between starts.
        ///
        ///     options.storage = .memory
        public enum Storage: Sendable, Hashable {
            /// In a file for each person, in this folder. An app and its extensions may share it.
            case folder(URL)
            /// Nowhere: each start begins anew.
            case memory
        }

        /// The app's name and version, for the server's logs.
        public var name = "parley-kit"
        public var storage: Storage
        /// Keeps the tokens of the signed-in device.
        public var credentials: any CredentialStore
        /// Whether what is kept of a person stays on the device when others end their sign-in here, for when they sign
        /// in again. Otherwise it is removed, with what was not sent: at once when this device is signed out from
        /// another one or by an operator, and when somebody else signs in after a sign-in that has run out.
        public var keepsEndedAccounts = false
        /// URLs at which the server was before it moved to the one that it is opened with. Storage and credentials
        /// belong to one server: the sign-in of any other one is refused with `other_server`, and nothing is sent.
        public var formerServers: Set<String> = []
        /// How many messages are kept on the device of each conversation: the newest, and those that are not read yet.
        /// The others are read from the server again when they are looked at.
        public var messagesKept = 10_000
        /// How much may wait to be sent: messages, edits, reactions and all else that I do. More is refused.
        public var unsentMax = 1000
        /// How many bytes of files may wait to be sent. They are copied until they are.
        public var unsentFileBytesMax: Int64 = 1_000_000_000
        /// Where files are kept that can be downloaded again; nil: beside the messages. An app's own folder has them
        /// among its caches, which the system may empty. They are in no backup.
        public var downloadFolder: URL?
        /// How many bytes of downloaded files are kept: those opened last.
        public var fileBytesKept: Int64 = 500_000_000
        /// How many messages of a conversation, and how many conversations of a list, are shown at first.
        public var pageSize = 50
        /// How far this device's clock is wrong, until the server tells the time: for tests.
        package var clockSkew = Duration.zero
        /// Settings of the connection.
        package var client = ParleyClient.Options(
            timeZone: TimeZone.current.identifier, retriesFor: .seconds(10))

        /// Creates settings that keep all in the app's own folder, and tokens in the keychain where there is one.
        public init() {
            let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
            self.init(
                folder: (support.first ?? FileManager.default.temporaryDirectory).appendingPathComponent("Parley"))
            let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)
            downloadFolder = caches.first?.appendingPathComponent("Parley")
            #if canImport(Security)
                credentials = CredentialKeychain()
            #endif
        }

        /// Creates settings that keep everything in a folder, also the tokens, in a file that only its owner can read.
        public init(folder: URL) {
            storage = .folder(folder)
            credentials = CredentialFile(at: folder.appendingPathComponent("credentials.json"))
        }

        /// Settings that keep nothing: each start begins anew, without a sign-in.
        public static var inMemory: Options {
            var options = Options(folder: FileManager.default.temporaryDirectory)
            (options.storage, options.credentials) = (.memory, CredentialMemory())
            return options
        }
    }
}
