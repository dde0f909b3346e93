import Logging
import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// The files of messages.
@ReactorActor
final class Files {
    nonisolated static var settings: [Setting] {
        [
            Setting(
                "files.folder", .text,
                "folder for files, or for uploads before they go to S3; if empty, no files are accepted"),
            Setting(
                "files.link-key", .secret,
                "secret that signs links to files: at least 32 random characters, the same for all replicas"),
            Setting("files.link-seconds", .integer(1...86_400), default: "900", "how long a link to a file is valid"),
            Setting(
                "files.free-bytes", .bytesOrShare, default: "5%",
                "space that files leave free on their disk: bytes, or a share of the disk"),
            Setting(
                "files.unsent-seconds", .integer(1...31_536_000), default: "86400",
                "how long a file that was not sent is kept"),
            Setting(
                "files.unused-seconds", .integer(0...31_536_000), default: "3600",
                "how long the file of a deleted message is kept"),
            Setting("files.sweep-seconds", .integer(1...86_400), default: "300", "how often unused files are removed"),
            .limit(
                "limits.attachment-bytes", 1...(1 << 40),
                Limit(104_857_600, "bytes", per: "file", beyond: .refused(.tooLarge))),
            .limit(
                "limits.file-bytes-per-person", 1...(1 << 50),
                Limit(2_147_483_648, "bytes of all files", per: "account", beyond: .refused(.quotaReached))),
            .limit(
                "limits.attachments-per-minute", 1...1_000_000,
                Limit(60, "files created in a minute", per: "account", beyond: .wait)),
            .limit(
                "limits.unsent-attachments", 1...1_000_000,
                Limit(100, "files that are not sent", per: "account", beyond: .wait)),
            .limit(
                "limits.image-pixels", 1...Int.max,
                Limit(100_000_000, "pixels", per: "image", beyond: .words("413"))),
            .limit(
                "limits.unpacked-bytes", 1...Int.max,
                Limit(1_073_741_824, "bytes", per: "archive, unpacked", beyond: .words("413"))),
        ] + S3Storage.settings
    }

    let database: Database
    let clock: WallClock
    let log: Logger
    let key: [UInt8]
    let linkLifetime: Duration
    let bytesMax: Int64
    let unsentMax: Int64
    let personBytesMax: Int64
    private let pixelsMax: Int
    private let zip: ZipRules
    /// Nil if this installation does not store files.
    private let spool: FileSpool?
    private let storage: (any FileStorage)?
    private let pools = FilePools()
    private var beingFinished: [String: Task<Void, any Error>] = [:]
    private var uploads: RateLimiter<AccountNumber>
    private let sweeper: Worker
    private let unsentLifetime: Duration
    private let unusedLifetime: Duration

    init(_ context: ServiceContext) {
        let settings = context.settings
        database = context.database
        clock = context.clock
        log = context.log
        linkLifetime = .seconds(settings.integer("files.link-seconds"))
        bytesMax = Int64(settings.integer("limits.attachment-bytes"))
        unsentMax = Int64(settings.integer("limits.unsent-attachments"))
        personBytesMax = Int64(settings.integer("limits.file-bytes-per-person"))
        uploads = RateLimiter(RateLimit(perMinute: settings.integer("limits.attachments-per-minute")))
        pixelsMax = settings.integer("limits.image-pixels")
        zip = ZipRules(unpackedMax: Int64(settings.integer("limits.unpacked-bytes")))
        sweeper = Worker(
            every: .seconds(settings.integer("files.sweep-seconds")), log: context.log,
            failed: "unused files could not be removed")
        unsentLifetime = .seconds(settings.integer("files.unsent-seconds"))
        unusedLifetime = .seconds(settings.integer("files.unused-seconds"))
        let folder = settings.text("files.folder")
        if folder.isEmpty {
            (spool, storage) = (nil, nil)
        } else {
            spool = FileSpool(folder: "\(folder)/incoming", free: settings.bytesOrShare("files.free-bytes"))
            storage =
                S3Storage(settings, pools) ?? FolderStorage(folder: FileFolder(folder: folder), pools: pools)
        }
        let secret = Array(settings.text("files.link-key").utf8)
        if secret.count >= 32 {
            key = Sodium.hash(secret)
        } else {
            key = Sodium.randomBytes(32)
            if spool != nil {
                let why = secret.isEmpty ? "is not set" : "is shorter than 32 characters"
                log.warning("files.link-key \(why); links to files end with this process")
            }
        }
    }

    func start() async throws {
        guard let spool else { return }
        try await pools.quick.run { try spool.prepare() }
        sweeper.start { [weak self] in try await self?.sweep() }
    }

    func stop() async { await sweeper.stop() }

    // MARK: Rate limit

    /// - Throws: ``Refusal`` `rate_limited`, `unavailable`.
    func countNew(by account: AccountNumber) throws(Refusal) {
        guard spool != nil else {
            throw .unavailable("This installation does not store files.", retryAfter: .seconds(3600))
        }
        try uploads.take(account)
    }

    /// Makes the link of a file for a person.
    func path(
        _ purpose: FileLink.Purpose, conversation: ConversationNumber, id: [UInt8], for account: AccountNumber
    ) -> (path: String, expiresAt: Timestamp) {
        let link = FileLink(
            purpose: purpose, conversation: conversation, id: id, account: account,
            expiresAt: clock.now + linkLifetime)
        return (link.path(key: key), link.expiresAt)
    }

    // MARK: Bytes

    /// Returns the number of bytes of an upload that are stored.
    func received(_ file: Attachment) async throws -> Int64 {
        if file.isComplete { return file.size }
        let (spool, storage) = try parts()
        if let size = try await pools.quick.run({ spool.size(file.object) }) { return size }
        // It may be complete, if a process died before it recorded that.
        return try await storage.size(file.object) ?? 0
    }

    func append(_ bytes: ArraySlice<UInt8>, to object: String, at offset: Int64, anew: Bool) async throws -> Int64 {
        let spool = try parts().spool
        return try await pools.quick.run { try spool.append(bytes, to: object, at: offset, anew: anew) }
    }

    func read(_ object: String, at offset: Int64, _ count: Int) async throws -> [UInt8] {
        try await parts().storage.read(object, at: offset, count)
    }

    /// Checks a fully uploaded file, stores it and records that. Concurrent calls for a file share one run.
    /// - Throws: ``Refusal`` `invalid`, `too_large`, after which the file no longer exists; ``FileFailure``.
    func finish(_ file: Attachment, conversation: ConversationNumber, id: [UInt8]) async throws {
        if let task = beingFinished[file.object] { return try await task.value }
        let task = Task.onLoop { try await self.finishOnce(file, conversation: conversation, id: id) }
        beingFinished[file.object] = task
        defer { beingFinished[file.object] = nil }
        try await task.value
    }

    private func finishOnce(_ file: Attachment, conversation: ConversationNumber, id: [UInt8]) async throws {
        let (spool, storage) = try parts()
        let (pixelsMax, zip) = (pixelsMax, zip)
        do {
            let now = try await database.first(MessagingStore.attachment, .number(conversation), .uuid(id))
            guard let now, !now.isComplete else {
                // It is complete already or no longer needed. Later bytes never replace it.
                return try await pools.quick.run { spool.remove(file.object) }
            }
            let sizeKept = try await storage.size(file.object)
            if let size = sizeKept {
                // A process died before it recorded that. Another machine may have had the file.
                try await restore(file.object, size: size, from: storage, to: spool)
            } else {
                try await pools.slow.run { try spool.seal(file.object, size: file.size) }
            }
            let (type, kind) = try await pools.slow.run {
                try Self.check(file, { try spool.read(file.object, at: $0, $1) }, pixelsMax: pixelsMax, zip: zip)
            }
            if sizeKept == nil {
                try await storage.keep(file.object, of: spool)
            } else {
                try await pools.quick.run { spool.remove(file.object) }
            }
            try await database.execute(
                MessagingStore.completeAttachment, .number(conversation), .uuid(id), .number(clock.now), .text(type),
                .int32(Int32(clamping: kind.width)), .int32(Int32(clamping: kind.height)))
        } catch let refusal as Refusal {
            try await database.execute(MessagingStore.dropAttachment, .number(conversation), .uuid(id))
            try? await pools.quick.run { spool.remove(file.object) }
            try? await storage.remove(file.object)
            throw refusal
        }
    }

    /// Copies a stored object to the spool as a sealed upload, unless it is still there.
    private func restore(
        _ object: String, size: Int64, from storage: any FileStorage, to spool: FileSpool
    ) async throws {
        guard try await pools.quick.run({ !spool.isSealed(object) }) else { return }
        var offset: Int64 = 0
        repeat {
            let piece = try await storage.read(object, at: offset, Int(min(size - offset, 256 * 1024)))
            guard !piece.isEmpty || size == 0 else { throw FileFailure.missing }
            offset = try await pools.quick.run { [offset] in
                try spool.append(piece[...], to: object, at: offset, anew: offset == 0)
            }
        } while offset < size
        try await pools.slow.run { try spool.seal(object, size: size) }
    }

    nonisolated static func check(
        _ file: Attachment, _ read: @escaping FileKind.Reader, pixelsMax: Int, zip: ZipRules
    ) throws -> (type: String, kind: FileKind) {
        let kind = try FileKind(reading: read)
        let type = try AttachmentRules.agreed(file.mimeType, kind.format)
        guard Double(kind.width) * Double(kind.height) <= Double(pixelsMax) else {
            throw Refusal(.tooLarge, "An image can have at most \(pixelsMax) pixels.")
        }
        try checkArchive(file, kind.format, as: type, read, zip)
        return (type, kind)
    }

    /// Checks what a file unpacks to, also one that begins as something else: unpackers find an archive at its end.
    private nonisolated static func checkArchive(
        _ file: Attachment, _ format: FileKind.Format, as type: String, _ read: @escaping FileKind.Reader,
        _ zip: ZipRules
    ) throws {
        let octets = AttachmentRules.octets
        do {
            if format == .zip {
                try zip.check(size: file.size, reading: read)
            } else if try zip.checkEnd(size: file.size, reading: read), type != octets {
                throw Refusal.invalid("mime_type", "must be \(octets) for a file that is an archive at its end")
            }
        } catch let problem as ZipRules.Problem {
            switch problem {
            case .malformed: throw Refusal.invalid("mime_type", "must match the file, which is not a valid archive")
            case .tooLarge: throw Refusal(.tooLarge, "The archive unpacks to more than is allowed.")
            case .unknown:
                guard type == octets else {
                    throw Refusal.invalid(
                        "mime_type", "must be \(octets) for an archive that is encrypted or not deflated")
                }
            }
        }
    }

    private func parts() throws(Refusal) -> (spool: FileSpool, storage: any FileStorage) {
        guard let spool, let storage else { throw .unavailable("This installation does not store files.") }
        return (spool, storage)
    }

    // MARK: Unused files

    /// Removes files that no message uses. Removes the bytes before the row, so that a crash in between leaves nothing
    /// behind. Replicas may run it at the same time.
    func sweep() async throws {
        let (spool, storage) = try parts()
        let now = clock.now
        try await database.execute(MessagingStore.giveUpUnsent, .number(now), .number(now - unsentLifetime))
        // Files marked as unused just now are removed by a later sweep.
        var removed = 1
        while removed > 0, !sweeper.isStopping {
            removed = 0
            for file in try await database.query(MessagingStore.unusedAttachments, .number(now - unusedLifetime))
            where !sweeper.isStopping {
                do {
                    if file.isLast {
                        try await pools.slow.run { spool.remove(file.object) }
                        try await storage.remove(file.object)
                    }
                } catch {
                    // Continue with the others. The next sweep tries this one again.
                    log.warning(
                        "a file could not be removed", metadata: ["object": "\(file.object)", "error": "\(error)"])
                    continue
                }
                try await database.execute(MessagingStore.forgetAttachment, .number(file.conversation), .uuid(file.id))
                removed += 1
            }
        }
        let before = now - unsentLifetime - .seconds(3600)
        try await pools.slow.run { spool.removeOlder(than: before) }
    }
}
