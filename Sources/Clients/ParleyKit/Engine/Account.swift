import Foundation
import NIOConcurrencyHelpers
import ParleyClient

/// What belongs to one person on this device: their store, and what keeps it equal to what the server has.
@MainActor
final class Account {
    let me: UserID
    let store: any Store
    /// Nil: nothing else can have this store.
    let lock: FileLock?
    let clock = NIOLockedValueBox(ServerClock())
    /// The files of messages: those that were downloaded or sent, and those to be sent.
    let files: FileCache
    let unsentFiles: UnsentFiles
    /// Those that are sent later, and those that can be downloaded again.
    private let folders: (unsent: URL, kept: URL)
    /// Why the file could not be used, or not all of it; nil: it is used.
    let problem: StoreProblem?
    private(set) var committer: Committer?
    private(set) var engine: SyncEngine?
    /// The client that is followed, or is about to be.
    private var followed: ParleyClient?
    /// The version of the store that is shown, when another process changes it.
    var seenVersion: Int64 = 0

    /// - Parameter path: of the store's file; nil: it is in memory.
    private init(
        _ me: UserID, _ store: any Store, _ lock: FileLock? = nil, _ problem: StoreProblem? = nil, path: String? = nil,
        downloads: URL? = nil
    ) {
        (self.me, self.store, self.lock, self.problem) = (me, store, lock, problem)
        let beside =
            path.map { URL(fileURLWithPath: $0 + Self.filesMark) }
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString)")
        let kept = downloads.map { Self.downloads(of: me, in: $0) } ?? beside.appendingPathComponent("kept")
        folders = (beside.appendingPathComponent("unsent"), kept)
        files = FileCache(folders.kept)
        unsentFiles = UnsentFiles(folder: folders.unsent)
    }

    private static let filesMark = "-files"

    private static func downloads(of me: UserID, in folder: URL) -> URL {
        folder.appendingPathComponent(me.rawValue.filter { $0.isLetter || $0.isNumber } + filesMark)
    }

    /// Opens what is stored of a person. What cannot be opened stays as it is, and this start keeps everything in
    /// memory.
    /// - Parameters:
    ///   - folder: of the files; nil: in memory.
    ///   - downloads: where those are that can be downloaded again; nil: beside the others.
    static func open(_ me: UserID, in folder: URL?, downloads: URL? = nil) async -> Account {
        guard let folder else { return Account(me, MemoryStore()) }
        let path = path(of: me, in: folder)
        let opened = await Task.detached(priority: .userInitiated) {
            () -> Result<(SQLiteStore, StoreProblem?), StoreProblem> in
            do throws(StoreProblem) {
                do {
                    try OwnFiles.makeFolder(folder)
                } catch {
                    throw .readOnly
                }
                let opened = try SQLiteStore.open(path)
                return .success((opened.store, opened.isWhole ? nil : .lostUnsent(opened.damaged ?? path)))
            } catch {
                return .failure(error)
            }
        }.value
        switch opened {
        case .success((let store, let problem)):
            return Account(me, store, FileLock(of: path), problem, path: path, downloads: downloads)
        case .failure(let problem): return Account(me, MemoryStore(), nil, problem)
        }
    }

    /// An account in memory, for a double.
    static func inMemory(_ me: UserID) -> Account { holding(MemoryStore(), of: me) }

    static func holding(_ store: any Store, of me: UserID) -> Account {
        Account(me, store, path: (store as? SQLiteStore)?.path)
    }

    /// The file of a person. User ids have letters and digits only.
    static func path(of me: UserID, in folder: URL) -> String {
        folder.appendingPathComponent(me.rawValue.filter { $0.isLetter || $0.isNumber } + ".parley").path
    }

    /// Removes the files of a person.
    static func removeFile(of me: UserID, in folder: URL, downloads: URL? = nil) throws(Refusal) {
        let path = path(of: me, in: folder)
        let others = downloads.map { [Self.downloads(of: me, in: $0).path] } ?? []
        for file in ["", "-wal", "-shm", ".lock", filesMark].map({ path + $0 }) + others
        where FileManager.default.fileExists(atPath: file) {
            do {
                try FileManager.default.removeItem(atPath: file)
            } catch {
                throw .storage("\(file) cannot be removed: \(error.localizedDescription). Remove it yourself.")
            }
        }
    }

    /// Whether another process may have the same store.
    var isShared: Bool { lock != nil }

    /// Whether this process keeps the store equal to what the server has.
    var isLeading: Bool { mayLead && (lock?.tryLock() ?? true) }

    /// Whether it wants to: not in the background.
    var mayLead = true

    /// Lets another process take over.
    func letGo() {
        mayLead = false
        lock?.unlock()
    }

    var now: Int64 { clock.withLockedValue { $0.now() } }

    /// By how many microseconds the device's clock was ahead before the server told the time; nil: it has not yet.
    var wasAhead: Int64? { clock.withLockedValue { $0.wasAhead } }

    /// Whether it was seen whether the device's clock was ahead, and what that had hidden is shown again.
    var isClockSettled = false

    /// Begins to bring changes into the store.
    func commit(
        messagesMax: Int, shown: @escaping @MainActor @Sendable (Committed) -> Void,
        failed: @escaping @MainActor @Sendable (StoreProblem?) -> Void
    ) {
        let clock = clock
        committer = Committer(
            store, me: me.rawValue, messagesMax: messagesMax, now: { clock.withLockedValue { $0.now() } },
            shown: shown, failed: failed)
    }

    /// A conversation's messages are read when it is looked at.
    static var syncing: SyncMachine.Options {
        var options = SyncMachine.Options()
        (options.loading, options.readsWhenLookedAt) = (.newest(0), true)
        options.seed = .random(in: 0 ... .max)
        return options
    }

    /// Goes on from where the store stands, unless it is to stop meanwhile.
    func follow(_ client: ParleyClient) async throws(StoreProblem) {
        guard followed == nil, let committer else { return }
        followed = client
        let known: (streams: [StoredStream], records: [ConversationRecord], paged: [String])
        do {
            known = try await store.read { (try $0.streams(), try $0.records(), try $0.paged()) }
        } catch {
            if followed === client { followed = nil }
            throw StoreProblem(error)
        }
        guard followed === client else { return }
        let machine = SyncMachine(restoring: known.streams, known.records, options: Self.syncing)
        let engine = SyncEngine(client, machine, paged: known.paged, committer: committer, clock: clock)
        self.engine = engine
        await engine.start()
        for id in lookedAt { Task { await engine.look(at: id) } }
    }

    /// The conversations that are on a screen, or were a moment ago.
    private var lookedAt: [String] = []
    /// Those looked at since the connection last changed.
    private var shown: Set<String> = []

    /// Reads what was missed of a conversation, now and after each reconnect; returns once it is on its way into the
    /// store, or cannot be read.
    func look(at id: ConversationID) async {
        noteLook(at: id)
        await engine?.look(at: id.rawValue)
    }

    /// Reads what was missed of a conversation once there is a connection.
    func willLook(at id: ConversationID) {
        noteLook(at: id)
        if let engine { Task { await engine.look(at: id.rawValue) } }
    }

    /// A conversation that was shown before is shown again. Once in each session it counts as looked at.
    func lookAgain(at id: ConversationID) {
        if !shown.contains(id.rawValue) { willLook(at: id) }
    }

    /// Another session begins, or none is left: nothing was looked at in it yet.
    func connectionChanged() { shown = [] }

    private func noteLook(at id: ConversationID) {
        lookedAt.removeAll { $0 == id.rawValue }
        lookedAt = lookedAt.suffix(49) + [id.rawValue]
        shown.insert(id.rawValue)
    }

    /// Keeps the store as it is.
    func stopFollowing() async {
        let old = engine
        (engine, followed) = (nil, nil)
        await old?.stop()
    }

    func close() async {
        await stopFollowing()
        await committer?.close()
        await store.close()
        if store is MemoryStore { await files.removeAll(folders.unsent.deletingLastPathComponent()) }
        lock?.unlock()
    }
}
