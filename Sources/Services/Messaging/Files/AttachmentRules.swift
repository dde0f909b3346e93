import Schema
import ServiceKit
import Wire

/// Decides what may be attached. Pure.
enum AttachmentRules {
    static let nameBytes = 255
    static let thumbnailBytes = 4096
    static let octets = "application/octet-stream"

    /// - Throws: ``Refusal`` `invalid`.
    static func name(_ text: String) throws(Refusal) -> String {
        let name = try Text.name(text, field: "name", bytes: nameBytes)
        guard !name.contains("/"), !name.contains("\\"), name != ".", name != ".." else {
            throw .invalid("name", "must be a file name without a path")
        }
        return name
    }

    /// Returns a declared media type as `type/subtype`, in lower case, without parameters, and by the one name that its
    /// format has here. What is taken only as octets, or shown nowhere, becomes octets: it goes as a file.
    /// - Throws: ``Refusal`` `invalid`.
    static func type(_ text: String) throws(Refusal) -> String {
        guard !text.isEmpty else { return octets }
        let bare = text.lowercased().split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)[0]
        let declared = Blanks.trimmed(String(bare))
        let type = MediaTypes.names[declared] ?? declared
        let parts = type.split(separator: "/", omittingEmptySubsequences: false)
        let isToken = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { isTypeByte($0) }
        }
        guard parts.count == 2, isToken, type.utf8.count <= 127 else {
            throw .invalid("mime_type", "must be a media type such as image/jpeg")
        }
        guard !isActive(type) else {
            throw .invalid(
                "mime_type", "must be \(octets) for HTML, XML, SVG, scripts, style sheets, Flash and cache manifests")
        }
        return isTaken(type) ? type : octets
    }

    /// Whether files of this type are kept under it.
    private static func isTaken(_ type: String) -> Bool {
        let isMedia = ["image/", "audio/", "video/"].contains { type.hasPrefix($0) }
        return isMedia
            ? FileKind.Format.recognized.contains { types(of: $0).contains(type) }
            : !MediaTypes.octetsOnly.contains(type)
    }

    private static func isTypeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: Array("!#$&-^_.+".utf8).contains(byte)
        }
    }

    /// Whether a browser would run it or render it as a page.
    private static func isActive(_ type: String) -> Bool {
        type.hasSuffix("+xml") || type.hasSuffix("/xml") || type.contains("html") || type.contains("script")
            || type.contains("flash") || type == "text/css" || type == "text/cache-manifest"
    }

    /// Returns the type under which a file is stored and served.
    /// - Parameters:
    ///   - declared: the declared type, as ``type(_:)`` returned it; of an import also a group, such as `image/*`.
    ///   - found: the format of its bytes.
    /// - Throws: ``Refusal`` `invalid` if the two disagree.
    static func agreed(_ declared: String, _ found: FileKind.Format) throws(Refusal) -> String {
        guard declared != octets else { return octets }
        let allowed = types(of: found)
        if declared.hasSuffix("/*") {
            let group = declared.dropLast()
            return allowed.first { $0.hasPrefix(group) } ?? allowed.first ?? octets
        }
        switch found {
        case .active:
            // With `nosniff`, browsers treat it as plain text.
            guard declared == "text/plain" else { throw disagree(declared) }
        case .other:
            let isKnown = FileKind.Format.recognized.contains { types(of: $0).contains(declared) }
            let isShown = ["image/", "audio/", "video/"].contains { declared.hasPrefix($0) }
            guard !isKnown, !isShown else { throw disagree(declared) }
        case .packed, .program:
            throw .invalid("mime_type", "must be \(octets) for programs, and for archives other than ZIP")
        case .zip:
            guard allowed.contains(declared) || isPackage(declared) else { throw disagree(declared) }
        default:
            guard allowed.contains(declared) else { throw disagree(declared) }
        }
        return declared
    }

    private static func disagree(_ declared: String) -> Refusal {
        .invalid("mime_type", "must match the file's content, which is not \(declared)")
    }

    /// Whether files of this type are ZIP archives inside.
    private static func isPackage(_ type: String) -> Bool {
        ["application/vnd.", "application/epub+zip", "application/java-archive", "application/x-"].contains {
            type.hasPrefix($0)
        }
    }

    static func types(of format: FileKind.Format) -> [String] {
        switch format {
        case .png: ["image/png"]
        case .jpeg: ["image/jpeg"]
        case .gif: ["image/gif"]
        case .webp: ["image/webp"]
        case .heic: ["image/heic", "image/heif"]
        case .avif: ["image/avif"]
        case .bmp: ["image/bmp"]
        case .tiff: ["image/tiff"]
        case .mp4: ["video/mp4", "audio/mp4", "audio/aac", "video/quicktime", "video/3gpp", "audio/3gpp"]
        case .quickTime: ["video/quicktime", "video/mp4"]
        case .webm: ["video/webm", "audio/webm"]
        case .matroska: ["video/x-matroska", "audio/x-matroska", "video/webm", "audio/webm"]
        case .avi: ["video/x-msvideo"]
        case .ogg: ["audio/ogg", "video/ogg", "application/ogg"]
        case .mp3: ["audio/mpeg"]
        case .wav: ["audio/wav"]
        case .flac: ["audio/flac"]
        case .aac: ["audio/aac"]
        case .amr: ["audio/amr"]
        case .caf: ["audio/x-caf"]
        case .pdf: ["application/pdf"]
        case .zip: ["application/zip"]
        case .active, .packed, .program, .other: []
        }
    }

    // MARK: Media of messages

    /// Checks that a file of this type fits the message's kind.
    /// - Throws: ``Refusal`` `invalid`.
    static func check(_ kind: MessageKind, of type: String) throws(Refusal) {
        let isRight =
            switch kind {
            case .image: type.hasPrefix("image/") && !isFile(type)
            case .video: type.hasPrefix("video/") && !isFile(type)
            case .voice: type.hasPrefix("audio/")
            default: true
            }
        guard isRight else {
            throw .invalid("kind", "does not fit this file, whose type is \(type): send it as a FILE")
        }
    }

    /// Whether few clients show files of this type.
    private static func isFile(_ type: String) -> Bool {
        [FileKind.Format.bmp, .tiff, .avi].contains { types(of: $0).contains(type) }
    }

    /// Checks what the sender declares about a file stored elsewhere, and returns it normalized.
    /// - Throws: ``Refusal`` `invalid`.
    static func elsewhere(_ media: Media, kind: MessageKind) throws(Refusal) -> Media {
        guard isAddress(media.url) else {
            throw .invalid("media.url", "must be an https URL in ASCII, with all other characters as %XX")
        }
        var kept = media
        if !media.name.isEmpty { kept.name = try name(media.name) }
        if !media.mimeType.isEmpty { kept.mimeType = try type(media.mimeType) }
        if !media.mimeType.isEmpty { try check(kind, of: kept.mimeType) }
        guard media.sizeBytes >= 0 else { throw .invalid("media.size_bytes", "must not be negative") }
        try checkShown(kept)
        return kept
    }

    /// Checks the dimensions and the thumbnail.
    /// - Throws: ``Refusal`` `invalid`.
    static func checkShown(_ media: Media) throws(Refusal) {
        guard media.width <= 65_535, media.height <= 65_535 else {
            throw .invalid("media", "width and height must be at most 65535")
        }
        guard !media.thumbnail.isEmpty else { return }
        let bytes = media.thumbnail
        guard
            let found = try? FileKind(reading: { offset, count in
                Array(bytes.dropFirst(Int(clamping: offset)).prefix(count))
            }), [.jpeg, .png, .webp].contains(found.format), bytes.count <= thumbnailBytes, found.width <= 512,
            found.height <= 512
        else {
            throw .invalid("media.thumbnail", "must be a JPEG, PNG or WebP of at most 512 × 512 pixels and 4096 bytes")
        }
    }

    private static func isAddress(_ text: String) -> Bool {
        let address = Array(text.utf8)
        let scheme = Array("https://".utf8)
        guard address.count <= 2048, address.prefix(scheme.count).elementsEqual(scheme) else { return false }
        let host = address.dropFirst(scheme.count).prefix { !Array("/?#".utf8).contains($0) }
        let isHost = { (byte: UInt8) in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || Array("-._:[]".utf8).contains(byte)
        }
        guard !host.isEmpty, host.allSatisfy(isHost) else { return false }
        return address.allSatisfy { 0x21...0x7E ~= $0 && !Array("\"<>\\^`{|}".utf8).contains($0) }
    }
}

extension FileKind.Format {
    /// The formats that are recognized by their bytes.
    fileprivate static let recognized: [FileKind.Format] = [
        .png, .jpeg, .gif, .webp, .heic, .avif, .mp4, .quickTime, .webm, .matroska, .ogg, .mp3, .wav, .flac, .aac, .amr,
        .caf, .bmp, .tiff, .avi, .pdf, .zip,
    ]
}
