/// Whether an image is shown turned by a quarter, so that its height is the width of what its bytes hold. Pure.
///
/// Cameras store what the sensor saw and say beside it how they were held: JPEG, PNG and WebP in Exif (tag 0x0112),
/// HEIC and AVIF in a property `irot` (ISO/IEC 23008-12).
enum ImageTurn {
    /// The most chunks of a file that are read.
    private static let chunksMax = 1000
    /// The beginning of a block of Exif; the orientation is in its first directory.
    private static let exifBytes = 4096

    /// Whether a block of Exif, which is a TIFF file, says so. Orientations 5 to 8 are turned.
    static func isTurned(exif bytes: Bytes) -> Bool {
        let isBig = bytes.has("MM\0*")
        guard isBig || bytes.has([0x49, 0x49, 0x2A, 0]) else { return false }
        func number(_ offset: Int, _ count: Int) -> Int {
            isBig ? bytes.big(offset, count) : bytes.little(offset, count)
        }
        let directory = number(4, 4)
        for entry in 0..<min(number(directory, 2), 200) {
            let offset = directory + 2 + entry * 12
            if number(offset, 2) == 0x0112 { return 5...8 ~= number(offset + 8, 2) }
        }
        return false
    }

    /// Whether a segment APP1 of a JPEG says so; `offset` is that of its marker.
    static func isTurned(jpeg read: FileKind.Reader, segment offset: Int64, _ count: Int) throws -> Bool {
        let bytes = Bytes(try read(offset + 4, min(max(0, count - 2), exifBytes)))
        return bytes.has("Exif\0\0") && isTurned(exif: Bytes(Array(bytes.all.dropFirst(6))))
    }

    static func isTurned(png read: FileKind.Reader) throws -> Bool {
        try exif(read, from: 8, named: "eXIf", at: 4, rest: 4) { $0.big(0, 4) }
    }

    static func isTurned(webp read: FileKind.Reader) throws -> Bool {
        // A chunk begins at an even offset.
        try exif(read, from: 12, named: "EXIF", at: 0, rest: 0) {
            let length = $0.little(4, 4)
            return length + length % 2
        }
    }

    /// Whether the properties of an image in boxes have a turn by 90 or 270 degrees.
    static func isTurned(boxes bytes: Bytes) -> Bool {
        var from = 4
        while let found = bytes.find("irot", from: from) {
            if bytes.big(found - 4, 4) == 9 { return bytes[found + 4] & 1 == 1 }
            from = found + 4
        }
        return false
    }

    private static func exif(
        _ read: FileKind.Reader, from start: Int64, named name: String, at nameAt: Int, rest: Int64,
        _ size: (Bytes) -> Int
    ) throws -> Bool {
        var offset = start
        for _ in 0..<chunksMax {
            let head = Bytes(try read(offset, 8))
            guard head.count == 8 else { return false }
            let count = size(head)
            if head.has(name, at: nameAt) {
                let bytes = Bytes(try read(offset + 8, min(count, exifBytes)))
                return isTurned(exif: bytes.has("Exif\0\0") ? Bytes(Array(bytes.all.dropFirst(6))) : bytes)
            }
            offset += 8 + Int64(count) + rest
        }
        return false
    }
}
