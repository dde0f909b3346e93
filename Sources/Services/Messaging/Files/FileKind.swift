/// The format of a file, recognized by its bytes and not by its name. Pure: it reads only through a ``Reader``.
///
/// Distinguishes only formats that clients show or play, and formats that may be harmful. Nothing is decoded.
struct FileKind: Equatable, Sendable {
    /// Returns bytes of the file from an offset, fewer only at its end.
    typealias Reader = (_ offset: Int64, _ count: Int) throws -> [UInt8]

    enum Format: Sendable {
        case png, jpeg, gif, webp, heic, avif
        case mp4, quickTime, webm, matroska, ogg, mp3, wav, flac, aac, amr, caf
        /// Few clients show them.
        case bmp, tiff, avi
        case pdf, zip
        /// Archives and packed data of which nobody counts what they unpack to.
        case packed
        /// Programs of Windows, Linux, macOS, Android and the web.
        case program
        /// Content that a browser would run: HTML, SVG, XML, scripts.
        case active
        case other
    }

    var format: Format
    /// The size of an image in pixels, as it is shown; zero if unknown.
    var width = 0
    var height = 0

    /// The number of bytes read from the beginning of a file.
    static let beginning = 64 * 1024

    init(_ format: Format, width: Int = 0, height: Int = 0) {
        (self.format, self.width, self.height) = (format, width, height)
    }

    init(reading read: Reader) throws {
        let bytes = Bytes(try read(0, Self.beginning))
        switch Self.format(of: bytes) {
        case .png:
            self = Self.picture(.png, width: bytes.big(16, 4), height: bytes.big(20, 4))
            if try ImageTurn.isTurned(png: read) { turn() }
        case .gif: self = Self.picture(.gif, width: bytes.little(6, 2), height: bytes.little(8, 2))
        case .webp:
            self = Self.webp(bytes)
            if bytes.has("VP8X", at: 12), try ImageTurn.isTurned(webp: read) { turn() }
        case .jpeg: self = try Self.jpeg(read)
        case .heic: self = Self.imageInBoxes(.heic, bytes)
        case .avif: self = Self.imageInBoxes(.avif, bytes)
        case let format: self.init(format)
        }
    }

    /// The size is that in which the image is shown.
    private mutating func turn() { swap(&width, &height) }

    /// A file whose dimensions cannot be found is not treated as an image.
    private static func picture(_ format: Format, width: Int, height: Int) -> FileKind {
        width > 0 && height > 0 ? FileKind(format, width: width, height: height) : FileKind(.other)
    }

    private static func format(of bytes: Bytes) -> Format {
        switch bytes {
        case _ where bytes.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]): .png
        case _ where bytes.has([0xFF, 0xD8, 0xFF]): .jpeg
        case _ where bytes.has("GIF87a") || bytes.has("GIF89a"): .gif
        case _ where bytes.has("RIFF") && bytes.has("WEBP", at: 8): .webp
        case _ where bytes.has("RIFF") && bytes.has("WAVE", at: 8): .wav
        case _ where bytes.has("RIFF") && bytes.has("AVI ", at: 8): .avi
        case _ where bytes.has("ftyp", at: 4): boxes(bytes)
        case _ where bytes.has([0x1A, 0x45, 0xDF, 0xA3]): bytes.contains("webm", within: 64) ? .webm : .matroska
        case _ where bytes.has("OggS"): .ogg
        case _ where bytes.has("fLaC"): .flac
        // Before scripts, which begin alike.
        case _ where bytes.has("#!AMR\n") || bytes.has("#!AMR-WB\n"): .amr
        case _ where bytes.has("caff"): .caf
        case _ where bytes.has([0x49, 0x49, 0x2A, 0]) || bytes.has("MM\0*"): .tiff
        // The header that follows the file's has a size.
        case _ where bytes.has("BM") && [12, 40, 52, 56, 64, 108, 124].contains(bytes.little(14, 4)): .bmp
        case _ where bytes.has("ID3"): .mp3
        case _ where bytes.has("%PDF-"): .pdf
        case _ where bytes.has("PK\u{3}\u{4}") || bytes.has("PK\u{5}\u{6}"): .zip
        case _ where isPacked(bytes): .packed
        case _ where isProgram(bytes): .program
        case _ where bytes[0] == 0xFF && bytes[1] & 0xF6 == 0xF0: .aac
        case _ where bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 && bytes[1] & 0x06 != 0: .mp3
        case _ where isActive(bytes): .active
        default: .other
        }
    }

    /// Recognizes gzip, compress, bzip2, xz, lzip, lz4, Zstandard, 7z, RAR, ARJ and CAB.
    private static func isPacked(_ bytes: Bytes) -> Bool {
        let starts: [[UInt8]] = [
            [0x1F, 0x8B], [0x1F, 0x9D], [0x1F, 0xA0], [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], [0x04, 0x22, 0x4D, 0x18],
            [0x28, 0xB5, 0x2F, 0xFD], [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], [0x60, 0xEA], Array("Rar!\u{1A}\u{7}".utf8),
            Array("LZIP".utf8), Array("MSCF\0\0\0\0".utf8),
        ]
        if starts.contains(where: { bytes.has($0) }) { return true }
        return bytes.has("BZh") && bytes.has([0x31, 0x41, 0x59, 0x26, 0x53, 0x59], at: 4)
    }

    /// Recognizes PE and DOS, ELF, Mach-O, class and DEX files, and WebAssembly.
    private static func isProgram(_ bytes: Bytes) -> Bool {
        let starts: [[UInt8]] = [
            [0x7F, 0x45, 0x4C, 0x46], [0xFE, 0xED, 0xFA, 0xCE], [0xFE, 0xED, 0xFA, 0xCF], [0xCE, 0xFA, 0xED, 0xFE],
            [0xCF, 0xFA, 0xED, 0xFE], [0xCA, 0xFE, 0xBA, 0xBE], [0x64, 0x65, 0x78, 0x0A], [0, 0x61, 0x73, 0x6D],
        ]
        if starts.contains(where: { bytes.has($0) }) { return true }
        // A text may begin with the letters, but has no zero bytes.
        return bytes.has("MZ") && bytes.all.prefix(64).contains(0)
    }

    /// Recognizes ISO base media files (MP4 and its relatives) by their brands.
    private static func boxes(_ bytes: Bytes) -> Format {
        let end = min(bytes.big(0, 4), 256)
        let brands = [8] + stride(from: 16, to: max(16, end), by: 4)
        if bytes.has("qt  ", at: 8) { return .quickTime }
        if brands.contains(where: { bytes.has("avif", at: $0) || bytes.has("avis", at: $0) }) { return .avif }
        let images = ["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1"]
        if images.contains(where: { bytes.has($0, at: 8) }) { return .heic }
        return .mp4
    }

    /// Whether a text begins like content that browsers run: with a markup tag, an XML declaration or a script's first
    /// line.
    private static func isActive(_ bytes: Bytes) -> Bool {
        var index = bytes.has([0xEF, 0xBB, 0xBF]) ? 3 : 0
        while index < 1024, [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(bytes[index]) { index += 1 }
        if bytes.has("#!", at: index) { return true }
        guard bytes.has("<", at: index) else { return false }
        let next = bytes[index + 1]
        return next == UInt8(ascii: "!") || next == UInt8(ascii: "?") || next == UInt8(ascii: "/")
            || UInt8(ascii: "a")...UInt8(ascii: "z") ~= next | 0x20
    }

    // MARK: Dimensions

    private static func webp(_ bytes: Bytes) -> FileKind {
        switch bytes {
        case _ where bytes.has("VP8X", at: 12):
            picture(.webp, width: bytes.little(24, 3) + 1, height: bytes.little(27, 3) + 1)
        case _ where bytes.has("VP8L", at: 12):
            picture(
                .webp, width: bytes.little(21, 4) & 0x3FFF + 1, height: bytes.little(21, 4) >> 14 & 0x3FFF + 1)
        case _ where bytes.has("VP8 ", at: 12):
            picture(.webp, width: bytes.little(26, 2) & 0x3FFF, height: bytes.little(28, 2) & 0x3FFF)
        default: FileKind(.other)
        }
    }

    /// Reads segments up to the frame header (ITU T.81, annex B). Embedded pictures are skipped by their length.
    private static func jpeg(_ read: Reader) throws -> FileKind {
        var offset: Int64 = 2
        var isTurned: Bool?
        for _ in 0..<1000 {
            let segment = Bytes(try read(offset, 9))
            guard segment[0] == 0xFF else { return FileKind(.other) }
            switch segment[1] {
            case 0xFF: offset += 1
            case 0x01, 0xD0...0xD7: offset += 2
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(segment[1]):
                var kind = picture(.jpeg, width: segment.big(7, 2), height: segment.big(5, 2))
                if isTurned == true { kind.turn() }
                return kind
            case 0xD9, 0xDA: return FileKind(.other)
            default:
                let count = max(2, segment.big(2, 2))
                if segment[1] == 0xE1, isTurned == nil, segment.has("Exif", at: 4) {
                    isTurned = try ImageTurn.isTurned(jpeg: read, segment: offset, count)
                }
                offset += 2 + Int64(count)
            }
        }
        return FileKind(.other)
    }

    /// Uses the largest spatial extent ("ispe", ISO/IEC 23008-12), because tiles and thumbnails have their own.
    private static func imageInBoxes(_ format: Format, _ bytes: Bytes) -> FileKind {
        var kind = FileKind(format)
        var from = 0
        while let found = bytes.find("ispe", from: from) {
            let (width, height) = (bytes.big(found + 8, 4), bytes.big(found + 12, 4))
            if Double(width) * Double(height) > Double(kind.width) * Double(kind.height) {
                (kind.width, kind.height) = (width, height)
            }
            from = found + 4
        }
        if ImageTurn.isTurned(boxes: bytes) { kind.turn() }
        return picture(format, width: kind.width, height: kind.height)
    }
}

/// Bytes that read as zero beyond their end.
struct Bytes: Sendable {
    let all: [UInt8]

    init(_ all: [UInt8]) { self.all = all }

    var count: Int { all.count }

    subscript(_ index: Int) -> UInt8 { all.indices.contains(index) ? all[index] : 0 }

    func has(_ what: [UInt8], at offset: Int = 0) -> Bool {
        offset >= 0 && offset + what.count <= all.count && all[offset..<(offset + what.count)].elementsEqual(what)
    }

    func has(_ what: String, at offset: Int = 0) -> Bool { has(Array(what.utf8), at: offset) }

    func find(_ what: String, from: Int, before end: Int = .max) -> Int? {
        let what = Array(what.utf8)
        let last = min(end, all.count) - what.count
        guard from <= last else { return nil }
        return (from...last).first { all[$0] == what[0] && has(what, at: $0) }
    }

    func contains(_ what: String, within end: Int) -> Bool { find(what, from: 0, before: end) != nil }

    /// An unsigned number, most significant byte first.
    func big(_ offset: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 << 8 | Int(self[offset + $1]) } }

    /// An unsigned number, least significant byte first. Of eight bytes, only the bits that fit an Int are used.
    func little(_ offset: Int, _ count: Int) -> Int {
        (0..<count).reversed().reduce(0) { ($0 << 8 | Int(self[offset + $1])) & Int.max }
    }
}
