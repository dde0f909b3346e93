import ArgumentParser
import Foundation
import ParleyClient

struct AttachCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Send a file.",
        discussion: """
            Sends it to a person by username, to a group by name, or to a conversation by id. To continue an \
            interrupted upload, repeat the command with the --id that it printed when it failed.

            Examples:
              parley attach alice holiday.jpg "The beach"
              parley attach "Weekend Trip" plan.pdf --name "Plan, final.pdf"
            """)

    @Argument(
        help: ArgumentHelp("A username, a group's name, or a conversation's id.", valueName: "person or conversation"))
    var to: String
    @Argument(help: "The file to send.", completion: .file()) var file: String
    @Argument(help: "The text below the file. Several words are joined with spaces.") var text: [String] = []
    @Option(help: ArgumentHelp("The file name that others see.", valueName: "name")) var name: String?
    @Option(help: ArgumentHelp("The MIME type. Default: derived from the name.", valueName: "type/subtype"))
    var type: String?
    @Option(help: ArgumentHelp("The id of an interrupted upload.", valueName: "32 hex digits")) var id: String?
    @OptionGroup var connection: ConnectionOptions

    struct AttachedJSON: Encodable {
        var conversation: String
        var id: String
        var seq: Int64
        var name: String
        var mimeType: String
        var sizeBytes: Int64
    }

    func validate() throws {
        if let id, UUIDv7(id) == nil {
            throw ValidationError("--id must be a UUIDv7 of 32 hexadecimal digits.")
        }
    }

    func run(as me: Person) async throws {
        let conversation = try await me.conversation(named: to, starting: true)
        let id = if let given = id.flatMap({ UUIDv7($0) }) { given } else { await me.client.newID() }
        let bar = ProgressLine(me.isJSON ? nil : "Uploading")
        let media = try await upload(to: conversation, id: id, as: me, bar)
        bar.end()
        let text = text.joined(separator: " ")
        // The message has the id of the upload, so repeating the command after an uncertain end does not send it twice.
        let reply = try await me.client.send(media, as: Self.kind(of: media), text: text, to: conversation, id: id)
        if me.isJSON {
            return Output.json(
                AttachedJSON(
                    conversation: conversation, id: id.description, seq: reply.seq, name: media.name,
                    mimeType: media.mimeType, sizeBytes: media.sizeBytes))
        }
        Output.line(
            "Sent \(PlainText.shown(media.name)) to \(PlainText.shown(await me.names.title(conversation))) "
                + "(message \(reply.seq))")
    }

    private func upload(
        to conversation: String, id: UUIDv7, as me: Person, _ bar: ProgressLine
    ) async throws -> Parley_V1_Media {
        do throws(ParleyError) {
            return try await me.client.upload(
                fileAt: file, to: conversation, name: name, mimeType: type, id: id, progress: bar.show)
        } catch {
            guard error.isUncertain || error.hasCode(.cancelled) else { throw error }
            throw Failure(
                .unavailable, "The upload was interrupted. \(error.message)",
                advice: "To continue it, repeat the command with --id \(id)", exitCode: .temporary)
        }
    }

    static func kind(of media: Parley_V1_Media) -> Parley_V1_MessageKind {
        switch media.mimeType.split(separator: "/").first {
        case "image": .image
        case "video": .video
        case "audio": .voice
        default: .file
        }
    }
}

struct DownloadCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Save the file of a message.",
        discussion: """
            "parley history --numbers" shows the messages' numbers. To continue an interrupted download, repeat the \
            command.

            Examples:
              parley download alice 17
              parley download "Weekend Trip" 42 --to plan.pdf
            """)

    @Argument(
        help: ArgumentHelp("A username, a group's name, or a conversation's id.", valueName: "person or conversation"))
    var conversation: String
    @Argument(help: ArgumentHelp("The message's number.", valueName: "seq")) var seq: Int64
    @Option(help: ArgumentHelp("The file to write. Default: its own name, in this folder.", valueName: "file"))
    var to: String?
    @Flag(help: "Replace an existing file.") var overwrite = false
    @OptionGroup var connection: ConnectionOptions

    struct DownloadedJSON: Encodable {
        var path: String
        var name: String
        var mimeType: String
        var sizeBytes: Int64
    }

    func validate() throws {
        if seq < 1 { throw ValidationError("The message's number must be at least 1.") }
    }

    func run(as me: Person) async throws {
        let id = try await me.conversation(named: conversation, starting: false)
        let path: String
        if let to { path = to } else { path = Self.safe(try await me.client.attachment(of: seq, in: id).media.name) }
        var isFolder: ObjCBool = false
        // The client refuses a folder.
        if !overwrite, FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
            throw Failure(
                .fileFailed, "\(PlainText.shown(path)) already exists.",
                advice: "Replace it with --overwrite, or choose another name with --to.")
        }
        let bar = ProgressLine(me.isJSON ? nil : "Downloading")
        let media = try await me.client.download(
            seq, of: id, to: path, overwriting: overwrite, progress: bar.show)
        bar.end()
        if me.isJSON {
            return Output.json(
                DownloadedJSON(
                    path: path, name: media.name, mimeType: media.mimeType, sizeBytes: media.sizeBytes))
        }
        Output.line("Saved \(PlainText.shown(path)) (\(media.sizeBytes) bytes)")
    }

    /// Turns a name that another person chose into a visible file name in this folder, without characters that are
    /// special to a shell.
    static func safe(_ name: String) -> String {
        let kept = name.map { $0.isLetter || $0.isNumber || " ._-,()".contains($0) ? $0 : "_" }
        let trimmed = String(kept.drop { $0 == "." || $0 == "-" || $0 == " " }.prefix(100))
        return trimmed.isEmpty ? "file" : trimmed
    }
}

/// The progress of a transfer, shown on a terminal only.
private struct ProgressLine: Sendable {
    private let title: String?

    init(_ title: String?) { self.title = isatty(STDERR_FILENO) == 1 ? title.map(Output.harmless) : nil }

    func show(_ bytes: Int64) {
        guard let title else { return }
        Output.write("\r\(title): \(bytes / 1024) KiB  ", to: STDERR_FILENO)
    }

    func end() {
        if title != nil { Output.write("\r\u{1B}[K", to: STDERR_FILENO) }
    }
}
