import Foundation
import Import
import ParleyClient
import Postgres
import Reactor
import Schema

/// Brings the files of messages in, through a gateway: it and messaging check them as they check everybody's.
///
/// Messages come in before their files, with the addresses that these had; so a kill, or a file that is refused, loses
/// nothing, and the next run does what is missing.
@ReactorActor
final class ImportFiles {
    /// A file, and the message that it is of.
    struct Item {
        var talk: Int64
        var message: [UInt8]
        /// Where the message stands in the export.
        var path: String
        var file: ImportedFile
    }

    /// So many files of messages are looked at together.
    private static let batchMax = 500

    private let folder: Conversion.FilesFolder
    private let client: ParleyClient
    private let gateway: String
    private let report: Import.Report

    /// - Parameters:
    ///   - folder: below which the files are.
    ///   - gateway: the URL of a server, as the command takes it.
    init(of folder: Conversion.FilesFolder, to gateway: String, _ report: Import.Report) {
        (self.folder, self.gateway, self.report) = (folder, gateway, report)
        client = ParleyClient(url: gateway)
    }

    func close() async { await client.close() }

    /// What of a file would come in.
    /// - Returns: nil: nothing, which the report has then.
    static func size(
        of file: ImportedFile, in folder: Conversion.FilesFolder, _ path: String, _ report: Import.Report
    ) throws -> Int64? {
        guard isBelow("\(folder.path)/\(file.name)", folder.path) else {
            try report.note(
                "files", path, .leftOut,
                "\(folder.shown)\(file.name) is a link that leads out of the folder: the message has its address")
            return nil
        }
        let found = try? FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(file.name)")
        guard let found, found[.type] as? FileAttributeType == .typeRegular else {
            try report.note(
                "files", path, .leftOut, "\(folder.shown)\(file.name) is no file: the message has its address")
            return nil
        }
        guard let size = (found[.size] as? NSNumber)?.int64Value, size > 0 else {
            try report.note(
                "files", path, .leftOut, "\(folder.shown)\(file.name) is empty: the message has its address")
            return nil
        }
        return size
    }

    /// Whether a path stays below a folder when its links are followed. An export comes from elsewhere: a link in it
    /// may lead to any file of this machine.
    private static func isBelow(_ path: String, _ folder: String) -> Bool {
        let (file, top) = (
            URL(fileURLWithPath: path).resolvingSymlinksInPath().path,
            URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        )
        return file.hasPrefix("\(top)/")
    }

    /// Gives stored messages their files.
    /// - Returns: the conversations of messages that got none.
    func bring(_ items: [Item], _ connection: Connection) async throws -> Set<Int64> {
        var rest = items[...]
        var lacking: Set<Int64> = []
        while !rest.isEmpty {
            let batch = rest.prefix(Self.batchMax)
            rest = rest.dropFirst(batch.count)
            lacking.formUnion(try await bring(batch, connection))
        }
        return lacking
    }

    private struct Waiting {
        var item: Item
        var size: Int64
        var type: String
    }

    private func bring(_ batch: ArraySlice<Item>, _ connection: Connection) async throws -> Set<Int64> {
        var waiting: [Waiting] = []
        var lacking: Set<Int64> = []
        for item in batch {
            guard let size = try Self.size(of: item.file, in: folder, item.path, report) else {
                lacking.insert(item.talk)
                continue
            }
            waiting.append(Waiting(item: item, size: size, type: item.file.type))
        }
        // One that is not what the message says of it comes in as octets.
        let first = try await upload(waiting, connection)
        let octets = first.refused.map { item in
            var item = item.waiting
            item.type = "application/octet-stream"
            return item
        }
        let second = try await upload(octets, connection)
        for (waiting, why) in second.refused {
            lacking.insert(waiting.item.talk)
            try report.note(
                "files", waiting.item.path, .leftOut,
                "the server refused \(folder.shown)\(waiting.item.file.name): \(why) The message has its address")
        }
        for waiting in first.givenUp + second.givenUp {
            lacking.insert(waiting.item.talk)
            try report.note(
                "files", waiting.item.path, .leftOut,
                "the server is removing an earlier upload of it: run the same command again later. "
                    + "Until then the message has its address")
        }
        return lacking
    }

    /// What did not come in.
    private struct Rest {
        /// Those that the server refused, and why.
        var refused: [(waiting: Waiting, why: String)] = []
        /// Those that waited for their message for so long that the server removes them.
        var givenUp: [Waiting] = []
    }

    private func upload(_ waiting: [Waiting], _ connection: Connection) async throws -> Rest {
        var rest = Rest()
        guard !waiting.isEmpty else { return rest }
        // What was refused gets no row again: it would count for the sender for a day.
        var (taken, empty) = ([Waiting](), [Waiting]())
        let made = try await files(waiting, connection)
        for (index, one) in waiting.enumerated() {
            if made.areComplete[index] {
                taken.append(one)
                continue
            }
            guard !made.objects[index].isEmpty else {
                empty.append(one)
                continue
            }
            let link = "/v1/files/\(Self.hex(one.item.talk))\(DerivedID.hex(one.item.message))"
            do throws(ParleyError) {
                try await client.upload(
                    fileAt: "\(folder.path)/\(one.item.file.name)", toLink: "\(link)/\(made.objects[index])")
                taken.append(one)
            } catch {
                if error.hasCode(.invalid, .tooLarge) {
                    rest.refused.append((one, error.message))
                } else if try await files([one], connection).areComplete[0] {
                    // Only the answer was lost.
                    taken.append(one)
                } else {
                    throw failure(error)
                }
            }
        }
        if !taken.isEmpty { rest.givenUp = try await attach(taken, connection) }
        guard !empty.isEmpty else { return rest }
        let areGivenUp = try await connection.first(
            ImportStore.givenUp, .int64s(empty.map(\.item.talk)), .uuids(empty.map(\.item.message)))
        for (one, isGivenUp) in zip(empty, areGivenUp ?? []) {
            if isGivenUp {
                rest.givenUp.append(one)
            } else {
                try report.note("files", one.item.path, .kept, "it came before, or the message is deleted")
            }
        }
        return rest
    }

    /// What ends the import, for no file is refused by it.
    private func failure(_ error: ParleyError) -> Failure {
        if error.hasCode(.notFound) {
            return Failure(
                .init(rawValue: error.code), "The gateway at \(gateway) does not know the files of this database.",
                advice: "Name one of the gateways that run on it.")
        }
        return Failure(
            .init(rawValue: error.code), "The gateway at \(gateway) took no more files: \(error.message)",
            advice: "What is there stays. Run the same command again: it goes on from there.", exitCode: .unavailable)
    }

    private func files(_ waiting: [Waiting], _ connection: Connection) async throws -> ImportStore.Files {
        let files = try await connection.transaction { transaction in
            try await transaction.first(
                ImportStore.files, .int64(try await ImportWriter.now(transaction)), .int64s(waiting.map(\.item.talk)),
                .uuids(waiting.map(\.item.message)), .texts(waiting.map(\.item.file.shownName)),
                .texts(waiting.map(\.type)), .int64s(waiting.map(\.size)))
        }
        guard let files, files.objects.count == waiting.count else {
            throw DatabaseError.unexpected("import_files returned too little")
        }
        return files
    }

    /// Gives messages the files that are complete.
    /// - Returns: those that are not, since the server has removed them meanwhile.
    private func attach(_ waiting: [Waiting], _ connection: Connection) async throws -> [Waiting] {
        var gone: [Waiting] = []
        let made = try await files(waiting, connection)
        var talks: [Int64] = []
        var messages: [[UInt8]] = []
        var kinds: [Int16] = []
        var extras: [[UInt8]?] = []
        var addresses: [String] = []
        for (index, one) in waiting.enumerated() {
            guard made.areComplete[index] else {
                gone.append(one)
                continue
            }
            let type = made.types[index]
            talks.append(one.item.talk)
            messages.append(one.item.message)
            kinds.append(Int16(Self.kind(of: type, saidToBe: one.item.file.type).rawValue))
            extras.append(
                Media(
                    attachment: one.item.message, name: one.item.file.shownName, mimeType: type, sizeBytes: one.size,
                    width: UInt32(clamping: made.widths[index]), height: UInt32(clamping: made.heights[index])
                ).encode())
            addresses.append(one.item.file.address)
            try report.note("files", one.item.path, .kept)
        }
        guard !talks.isEmpty else { return gone }
        _ = try await connection.transaction { transaction in
            try await transaction.first(
                ImportStore.media, .int64(try await ImportWriter.now(transaction)), .int64s(talks), .uuids(messages),
                .int16s(kinds), .optionalBytesArray(extras), .texts(addresses))
        }
        return gone
    }

    /// As what a message shows a file. A sound is a voice only where the app called it so.
    private static func kind(of type: String, saidToBe said: String) -> MessageKind {
        switch type {
        case "image/bmp", "image/tiff", "video/x-msvideo": .file
        case _ where type.hasPrefix("image/"): .image
        case _ where type.hasPrefix("video/"): .video
        case _ where type.hasPrefix("audio/") && said == "audio/*": .voice
        default: .file
        }
    }

    private static func hex(_ number: Int64) -> String {
        DerivedID.hex(withUnsafeBytes(of: number.bigEndian) { Array($0) })
    }
}
