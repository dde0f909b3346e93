import Foundation
import ParleyClient

/// A file to send in a message.
///
///     try await chat.send("From yesterday", file: FileToSend(picture))
public struct FileToSend: Hashable, Sendable {
    /// Where it is. It is copied when it is sent, and may go afterwards.
    public var url: URL
    /// The file name that others see.
    public var name: String
    public var mimeType: String
    /// How it is shown: as an image, a video, a voice message or a file.
    public var kind: Message.Kind
    /// How long it plays; nil when it does not.
    public var duration: Duration?
    /// A small picture to show while the file loads, a JPEG, PNG or WebP of at most 4,096 bytes.
    public var thumbnail: Data?

    /// Creates a file to send. Pictures and films are shown as such, all else as a file.
    /// - Parameters:
    ///   - name: nil: the file's own.
    ///   - mimeType: nil: derived from the name's extension. The server checks it against the content.
    ///   - kind: nil: as the type says. ``Message/Kind/voice`` for a voice message.
    public init(_ url: URL, name: String? = nil, mimeType: String? = nil, as kind: Message.Kind? = nil) {
        let name = name ?? url.lastPathComponent
        let type = mimeType ?? FileTypes.type(of: name)
        (self.url, self.name, self.mimeType) = (url, name, type)
        self.kind = kind ?? (type.hasPrefix("image/") ? .image : type.hasPrefix("video/") ? .video : .file)
    }

    /// Returns how large it is.
    /// - Throws: `file_failed` when it is no file that can be read.
    func size() throws(Refusal) -> Int64 {
        let values: URLResourceValues
        do {
            values = try url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
        } catch {
            throw .file("\(name) cannot be read: \(error.localizedDescription)")
        }
        guard values.isRegularFile ?? false, let size = values.fileSize else { throw .file("\(name) is not a file.") }
        guard size > 0 else { throw .file("\(name) is empty.") }
        return Int64(size)
    }

    /// What the message says of it.
    func media(_ id: UUIDv7, size: Int64) -> Parley_V1_Media {
        .with {
            ($0.attachment, $0.name, $0.mimeType, $0.sizeBytes) = (Data(id.bytes), name, mimeType, size)
            let milliseconds = (duration ?? .zero) / .milliseconds(1)
            ($0.durationMs, $0.thumbnail) = (UInt32(clamping: Int64(milliseconds)), thumbnail ?? Data())
        }
    }
}

extension Message.Kind {
    init(_ kind: Parley_V1_MessageKind) {
        self =
            switch kind {
            case .text: .text
            case .image: .image
            case .video: .video
            case .file: .file
            case .voice: .voice
            case .system: .system
            default: .other
            }
    }

    var stored: Parley_V1_MessageKind {
        switch self {
        case .text: .text
        case .image: .image
        case .video: .video
        case .voice: .voice
        case .file, .system, .other: .file
        }
    }
}
