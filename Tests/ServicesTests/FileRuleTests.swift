import Foundation
import Schema
import ServiceKit
import Testing
import Wire

@testable import MessagingService

@Suite("Rules of files")
struct FileRuleTests {
    private static func reader(_ bytes: [UInt8]) -> FileKind.Reader {
        { offset, count in Array(bytes.dropFirst(Int(offset)).prefix(count)) }
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static let png =
        [0x89] + text("PNG\r\n") + [0x1A, 0x0A] + big(13, 4) + text("IHDR") + big(300, 4) + big(200, 4)
    private static let jpegHead: [UInt8] = [0xFF, 0xD8]
    private static let jpegFrame = [0xFF, 0xC2] + big(17, 2) + [8] + big(200, 2) + big(300, 2) + [3]

    @Test("M17 formats are recognized by their bytes, with the dimensions of images")
    func kinds() throws {
        let exif = [0xFF, 0xE1] + Self.big(60_000, 2) + [UInt8](repeating: 0xC0, count: 59_998)
        for (bytes, format, width, height) in [
            (Self.png, .png, 300, 200),
            (Self.text("GIF89a") + Self.little(300, 2) + Self.little(200, 2), .gif, 300, 200),
            (Self.jpegHead + Self.jpegFrame, .jpeg, 300, 200),
            (Self.jpegHead + exif + exif + Self.jpegFrame, .jpeg, 300, 200),
            // Pictures whose dimensions cannot be found are not treated as images.
            (Self.jpegHead + [0xFF, 0xDA, 0, 4], .other, 0, 0),
            (Self.jpegHead + [UInt8](repeating: 0xFF, count: 1001) + Self.jpegFrame, .other, 0, 0),
            (
                Self.text("RIFF") + Self.little(30, 4) + Self.text("WEBPVP8X") + Self.little(10, 4) + Self.little(0, 4)
                    + Self.little(299, 3) + Self.little(199, 3), .webp, 300, 200
            ),
            (
                Self.text("RIFF") + Self.little(30, 4) + Self.text("WEBPVP8L") + Self.little(10, 4) + [0x2F]
                    + Self.little(299 | 199 << 14, 4), .webp, 300, 200
            ),
            (
                Self.text("RIFF") + Self.little(30, 4) + Self.text("WEBPVP8 ") + Self.little(10, 4)
                    + [0, 0, 0, 0x9D, 1, 0x2A] + Self.little(300, 2) + Self.little(200, 2), .webp, 300, 200
            ),
            (
                Self.big(24, 4) + Self.text("ftypheic") + Self.big(0, 4) + Self.text("mif1heic") + Self.big(20, 4)
                    + Self.text("ispe") + Self.big(0, 4) + Self.big(64, 4) + Self.big(64, 4) + Self.big(20, 4)
                    + Self.text("ispe") + Self.big(0, 4) + Self.big(300, 4) + Self.big(200, 4), .heic, 300, 200
            ),
            (
                Self.big(20, 4) + Self.text("ftypmif1") + Self.big(0, 4) + Self.text("avif") + Self.big(20, 4)
                    + Self.text("ispe") + Self.big(0, 4) + Self.big(300, 4) + Self.big(200, 4), .avif, 300, 200
            ),
            (Self.big(20, 4) + Self.text("ftypmif1") + Self.big(0, 4) + Self.text("avif"), .other, 0, 0),
            (Self.big(20, 4) + Self.text("ftypheic") + Self.big(0, 4), .other, 0, 0),
            (Self.text("RIFF") + Self.little(30, 4) + Self.text("WEBPVP9 ") + Self.little(10, 4), .other, 0, 0),
            (Self.text("GIF89a") + Self.little(0, 2) + Self.little(200, 2), .other, 0, 0),
            (Array(Self.png.prefix(16)), .other, 0, 0),
            (Self.big(20, 4) + Self.text("ftypisom") + Self.big(0, 4) + Self.text("mp42"), .mp4, 0, 0),
            (Self.big(20, 4) + Self.text("ftypqt  ") + Self.big(0, 4), .quickTime, 0, 0),
            ([0x1A, 0x45, 0xDF, 0xA3, 0x42, 0x82, 0x84] + Self.text("webm"), .webm, 0, 0),
            ([0x1A, 0x45, 0xDF, 0xA3, 0x42, 0x82, 0x88] + Self.text("matroska"), .matroska, 0, 0),
            (Self.text("OggS"), .ogg, 0, 0), (Self.text("ID3"), .mp3, 0, 0), ([0xFF, 0xFB, 0x90, 0], .mp3, 0, 0),
            (Self.text("RIFF....WAVEfmt "), .wav, 0, 0), (Self.text("fLaC"), .flac, 0, 0),
            ([0xFF, 0xF1, 0x50, 0x80], .aac, 0, 0), (Self.text("%PDF-1.7"), .pdf, 0, 0),
            ([0x1F, 0x8B, 8, 0], .packed, 0, 0), (Self.text("BZh91AY&SY"), .packed, 0, 0),
            (Self.text("7z") + [0xBC, 0xAF, 0x27, 0x1C], .packed, 0, 0), (Self.text("Rar!\u{1A}\u{7}"), .packed, 0, 0),
            (Self.text("BZh, a text"), .other, 0, 0), (Self.text("MZ are my initials"), .other, 0, 0),
            (Self.text("MZ") + [0x90, 0, 3, 0], .program, 0, 0), (Self.text("\u{7F}ELF"), .program, 0, 0),
            ([0xCF, 0xFA, 0xED, 0xFE], .program, 0, 0), (Self.text("\0asm"), .program, 0, 0),
            (Self.text("PK\u{3}\u{4}"), .zip, 0, 0), (Self.text("PK\u{5}\u{6}"), .zip, 0, 0),
            (Self.text("<!DOCTYPE html>"), .active, 0, 0), (Self.text(" \n<svg xmlns="), .active, 0, 0),
            ([0xEF, 0xBB, 0xBF] + Self.text("<?xml"), .active, 0, 0), (Self.text("#!/bin/sh"), .active, 0, 0),
            (Self.text("</script>"), .active, 0, 0), (Self.text("plain < text"), .other, 0, 0), ([], .other, 0, 0),
            ([0xFF], .other, 0, 0), (Self.text("<3 you"), .other, 0, 0), (Array(Self.png.prefix(7)), .other, 0, 0),
        ] as [([UInt8], FileKind.Format, Int, Int)] {
            let found = try FileKind(reading: Self.reader(bytes))
            #expect(found == FileKind(format, width: width, height: height), "\(bytes.prefix(24))")
        }
    }

    @Test("M17 inspecting a file ends, whatever its bytes are")
    func noise() throws {
        var random = SystemRandomNumberGenerator()
        let starts = [
            Self.jpegHead + [0xFF], Self.text("RIFF....WEBPVP8X"), Self.big(24, 4) + Self.text("ftypheic"), Self.png,
            Self.text("PK\u{5}\u{6}"), [],
        ]
        for round in 0..<600 {
            let length = Int.random(in: 0..<300, using: &random)
            let tail = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let bytes = starts[round % starts.count] + tail
            _ = try FileKind(reading: Self.reader(bytes))
            try? ZipRules(unpackedMax: 1 << 20).check(size: Int64(bytes.count), reading: Self.reader(bytes))
        }
        let endless = Self.jpegHead + (0..<100_000).flatMap { _ in [0xFF, 0xD0] as [UInt8] }
        #expect(try FileKind(reading: Self.reader(endless)).format == .other)
    }

    @Test("M17 the declared type must fit the content; content that browsers run is kept only as octets or plain text")
    func types() throws {
        for (declared, found, kept) in [
            ("image/png", .png, "image/png"), ("image/png", .jpeg, nil), ("image/png", .other, nil),
            ("application/octet-stream", .png, "application/octet-stream"),
            ("application/octet-stream", .active, "application/octet-stream"),
            ("text/plain", .active, "text/plain"), ("application/json", .active, nil),
            ("text/plain", .other, "text/plain"),
            ("text/plain", .png, nil), ("audio/mp4", .mp4, "audio/mp4"), ("video/x-flv", .other, nil),
            ("application/vnd.oasis.opendocument.text", .zip, "application/vnd.oasis.opendocument.text"),
            ("application/gzip", .packed, nil), ("application/octet-stream", .packed, "application/octet-stream"),
            ("application/x-msdownload", .program, nil), ("text/plain", .program, nil),
            ("application/octet-stream", .program, "application/octet-stream"),
            ("application/zip", .other, nil), ("application/pdf", .pdf, "application/pdf"), ("text/csv", .zip, nil),
            ("image/*", .png, "image/png"), ("audio/*", .mp4, "audio/mp4"), ("video/*", .mp4, "video/mp4"),
            ("*/*", .pdf, "application/pdf"), ("image/*", .mp4, "video/mp4"),
            ("image/*", .active, "application/octet-stream"), ("*/*", .program, "application/octet-stream"),
            ("*/*", .other, "application/octet-stream"),
        ] as [(String, FileKind.Format, String?)] {
            #expect((try? AttachmentRules.agreed(declared, found)) == kept, "\(declared) \(found)")
        }
        for (text, kept) in [
            ("", "application/octet-stream"), ("Image/PNG", "image/png"), ("image/png; a=b", "image/png"),
            ("image/*", nil), ("*/*", nil),
            ("image", nil),
            ("image/", nil), ("a/b/c", nil), ("text/html", nil), ("image/svg+xml", nil),
            ("application/javascript", nil),
            ("text/plain\r\nX: y", nil), ("application/vnd.ms-excel", "application/vnd.ms-excel"),
        ] {
            #expect((try? AttachmentRules.type(text)) == kept, "\(text)")
        }
        for (name, isRight) in [
            ("a.txt", true), ("a/b", false), ("..", false), (".", false), ("a\\b", false), ("a\u{0}", false),
            ("", false),
            ("\u{202E}gpj.exe", false), (String(repeating: "x", count: 256), false), ("Søndag 1.png", true),
            ("..hidden", true),
        ] {
            #expect(((try? AttachmentRules.name(name)) != nil) == isRight, "\(name)")
        }
    }

    @Test("M17 pairs of bytes and type that phones, browsers and tools send are taken, under one name for each format")
    func pairs() throws {
        let mp4 = Self.big(20, 4) + Self.text("ftypM4A ") + Self.big(0, 4) + Self.text("isom")
        let video = Self.big(20, 4) + Self.text("ftyp3gp4") + Self.big(0, 4) + Self.text("isom")
        let webm: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x42, 0x82, 0x84] + Self.text("webm")
        let bmp = Self.text("BM") + Self.big(0, 12) + Self.little(40, 4)
        let octets = AttachmentRules.octets
        for (bytes, declared, kept) in [
            (Self.jpegHead + Self.jpegFrame, "image/jpg", "image/jpeg"),
            (Self.jpegHead + Self.jpegFrame, "image/pjpeg", "image/jpeg"), (Self.png, "image/x-png", "image/png"),
            (mp4, "audio/m4a", "audio/mp4"), (mp4, "audio/x-m4a", "audio/mp4"), (mp4, "audio/mp4a-latm", "audio/mp4"),
            (mp4, "video/x-m4v", "video/mp4"), (mp4, "audio/mp4;codecs=mp4a.40.2", "audio/mp4"),
            (video, "video/3gpp", "video/3gpp"), (video, "video/3gp", "video/3gpp"),
            (Self.text("caff\0\u{1}"), "audio/x-caf", "audio/x-caf"), (Self.text("caff"), "audio/caf", "audio/x-caf"),
            (Self.text("#!AMR\n<"), "audio/amr", "audio/amr"), (Self.text("#!AMR-WB\n"), "audio/amr-wb", "audio/amr"),
            (bmp, "image/bmp", "image/bmp"), (bmp, "image/x-ms-bmp", "image/bmp"),
            ([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0], "image/tiff", "image/tiff"),
            (Self.text("MM\0*\0\0\0\u{8}"), "image/tif", "image/tiff"),
            (Self.text("RIFF\u{9}\0\0\0AVI LIST"), "video/x-msvideo", "video/x-msvideo"),
            (Self.text("RIFF\u{9}\0\0\0AVI LIST"), "video/avi", "video/x-msvideo"),
            (webm, "audio/webm;codecs=opus", "audio/webm"), (webm, "video/webm; codecs=\"vp9, opus\"", "video/webm"),
            (Self.text("OggS"), "audio/opus", "audio/ogg"), (Self.text("ID3"), "audio/mp3", "audio/mpeg"),
            ([0xFF, 0xF1, 0x50, 0x80], "audio/aacp", "audio/aac"),
            (Self.text("RIFF....WAVEfmt "), "audio/vnd.wave", "audio/wav"),
            (Self.text("fLaC"), "audio/x-flac", "audio/flac"),
            (Self.text("hi"), "text/plain; charset=utf-8", "text/plain"),
            (Self.text("hi"), "Text/Plain ;charset=UTF-8", "text/plain"),
            (Self.text("%PDF-1"), "application/x-pdf", "application/pdf"),
            // Shown nowhere, or taken only as octets: it goes as a file.
            (Self.text("8BPS"), "image/vnd.adobe.photoshop", octets), (Self.text("FLV"), "video/x-flv", octets),
            (Self.text("MThd"), "audio/midi", octets), ([0x1F, 0x8B, 8, 0], "application/gzip", octets),
            (Self.text("7z") + [0xBC, 0xAF, 0x27, 0x1C], "application/x-7z-compressed", octets),
            (Self.text("Rar!\u{1A}\u{7}"), "application/vnd.rar", octets),
            (Self.text("MZ") + [0x90, 0, 3, 0], "application/x-msdownload", octets),
        ] as [([UInt8], String, String)] {
            let type = try AttachmentRules.type(declared)
            #expect(type == kept, "\(declared)")
            let found = try FileKind(reading: Self.reader(bytes))
            #expect(try AttachmentRules.agreed(type, found.format) == kept, "\(declared), \(found)")
        }
        for (type, kind) in [("image/bmp", MessageKind.image), ("image/tiff", .image), ("video/x-msvideo", .video)] {
            #expect(throws: Refusal.self, "\(type)") { try AttachmentRules.check(kind, of: type) }
            try AttachmentRules.check(.file, of: type)
        }
        #expect(try FileKind(reading: Self.reader(Self.text("#!/bin/sh"))).format == .active)
        #expect(try FileKind(reading: Self.reader(Self.text("BM is my name, hello to all"))).format == .other)
    }

    /// A block of Exif with an orientation.
    private static func exif(_ orientation: Int, isBig: Bool = true) -> [UInt8] {
        let number = { (value: Int, count: Int) in isBig ? big(value, count) : little(value, count) }
        return text(isBig ? "MM" : "II") + number(42, 2) + number(8, 4) + number(2, 2)
            + number(0x010F, 2) + number(2, 2) + number(4, 4) + number(0, 4)
            + number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + number(0, 2)
    }

    @Test("M17 the size of an image is the one in which it is shown, whatever says how the camera was held")
    func turned() throws {
        let iend = Self.big(0, 4) + Self.text("IEND") + Self.big(0, 4)
        let heic =
            Self.big(24, 4) + Self.text("ftypheic") + Self.big(0, 4) + Self.text("mif1heic") + Self.big(20, 4)
            + Self.text("ispe") + Self.big(0, 4) + Self.big(300, 4) + Self.big(200, 4)
        for isBig in [true, false] {
            for orientation in 0...9 {
                let exif = Self.exif(orientation, isBig: isBig)
                let isTurned = 5...8 ~= orientation
                let segment = [0xFF, 0xE1] + Self.big(exif.count + 8, 2) + Self.text("Exif\0\0") + exif
                let chunk = Self.text("EXIF") + Self.little(exif.count, 4) + exif
                let webp =
                    Self.text("RIFF") + Self.little(30, 4) + Self.text("WEBPVP8X") + Self.little(10, 4)
                    + Self.little(8, 4) + Self.little(299, 3) + Self.little(199, 3)
                for (name, bytes) in [
                    ("JPEG", Self.jpegHead + segment + Self.jpegFrame),
                    (
                        "JPEG after JFIF",
                        Self.jpegHead + [0xFF, 0xE0] + Self.big(4, 2) + [0, 0] + segment + Self.jpegFrame
                    ),
                    (
                        "PNG",
                        Self.png + [8, 6, 0, 0, 0] + Self.big(0, 4) + Self.big(exif.count, 4) + Self.text("eXIf") + exif
                            + Self.big(0, 4) + iend
                    ),
                    ("WebP", webp + chunk),
                    ("WebP after a frame", webp + Self.text("VP8 ") + Self.little(3, 4) + [0, 0, 0, 0] + chunk),
                ] {
                    let kind = try FileKind(reading: Self.reader(bytes))
                    #expect(
                        (kind.width, kind.height) == (isTurned ? (200, 300) : (300, 200)), "\(name), \(orientation)")
                }
            }
        }
        for angle in 0...3 {
            let kind = try FileKind(reading: Self.reader(heic + Self.big(9, 4) + Self.text("irot") + [UInt8(angle)]))
            #expect((kind.width, kind.height) == (angle % 2 == 1 ? (200, 300) : (300, 200)), "HEIC, \(angle)")
        }
    }

    /// One entry's header in the central directory.
    private static func entry(
        packed: Int, unpacked: Int, extra: [UInt8] = [], method: Int = 0, flags: Int = 0, at offset: Int = 0
    ) -> [UInt8] {
        text("PK\u{1}\u{2}") + [UInt8](repeating: 0, count: 4) + little(flags, 2) + little(method, 2)
            + [UInt8](repeating: 0, count: 8) + little(packed, 4) + little(unpacked, 4) + little(1, 2)
            + little(extra.count, 2) + [UInt8](repeating: 0, count: 10) + little(offset, 4) + text("x") + extra
    }

    private static func zip(
        _ data: Int, _ entries: [[UInt8]], stated: Int? = nil, comment: String = "", after: Int = 0
    ) -> [UInt8] {
        zip([UInt8](repeating: 0, count: data), entries, stated: stated, comment: comment, after: after)
    }

    /// An archive with one local header, of a name of one byte, before the data.
    private static func zip(
        _ data: [UInt8], _ entries: [[UInt8]], stated: Int? = nil, comment: String = "", after: Int = 0
    ) -> [UInt8] {
        let directory = entries.flatMap(\.self)
        let header = text("PK\u{3}\u{4}") + [UInt8](repeating: 0, count: 22) + little(1, 2) + little(0, 2) + text("x")
        return header + data + directory + text("PK\u{5}\u{6}")
            + little(0, 4) + little(entries.count, 2) + little(stated ?? entries.count, 2) + little(directory.count, 4)
            + little(after + data.count + header.count, 4) + little(comment.utf8.count, 2) + text(comment)
    }

    @Test("M17 an archive is judged by what it unpacks to, whatever its directory says")
    func lies() throws {
        let data: [(String, Int64)] = [
            (
                "hdZLSsRgFAXhrWQBIn1f/ViOQsRBY4M2uH3npvhrHGp0viT3tL0/ns/7/rM9Prb3ff/eHl/b83Pfft/u95ft9P/x6xbrIo5F"
                    + "ros8FrUu6lj0uuhjMetijsV5XZyPxWVdXI7FdV1cj8VtXdxgwZNMSKvb7LB7yPABy4dMH7B9yPgB64fMH7B/CIAAASEEAgyE"
                    + "IAhQEMIgwEGKgwQHKQ6S3n/7AICDFAcJDlIcJDhIcZDgIMVBgoMUBwkOUhwkOEhxkOCgxEGBgxIHBQ5KHBT9CexXAA5KHBQ4"
                    + "KHFQ4KDEQYGDEgcFDkocFDgocVDgoMVBg4MWBw0OWhw0OGhx0HQT2FEADlocNDhocdDgoMVBg4MWBw0OWhw0OBhxMOBgxMGA"
                    + "gxEHAw5GHAw4GHEwdB3aeQgORhwMOBhxMOBgxMGAgxEHAw7+AA==",
                3100
            ),
            ("S0xKTkxKVshIzcnJRyYB", 24), ("AQgA9/9hcyBpdCBpcw==", 8),
            (
                "7cExAQAAAMKg9U9tBn+gAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIDXAA==",
                200_000
            ),
        ]
        let rules = ZipRules(unpackedMax: 100_000, smallMax: 100_000)
        for (encoded, length) in data {
            let packed = [UInt8](try #require(Data(base64Encoded: encoded)))
            let reader = Self.reader([9, 9] + packed)
            func count(_ limit: Int64) throws -> Int64 {
                try DeflatedLength.count(from: 2, size: Int64(packed.count), limit: limit, reading: reader)
            }
            #expect(try count(1 << 30) == length)
            #expect(try count(5) > 5, "it counts no further than it must")
            #expect(throws: DeflatedLength.Malformed.self) {
                try DeflatedLength.count(from: 2, size: Int64(packed.count - 1), limit: 1 << 30, reading: reader)
            }
            for stated in [1, Int(length), 60_000] {
                let archive = Self.zip(packed, [Self.entry(packed: packed.count, unpacked: stated, method: 8)])
                var problem: ZipRules.Problem?
                do {
                    try rules.check(size: Int64(archive.count), reading: Self.reader(archive))
                } catch let found as ZipRules.Problem {
                    problem = found
                }
                #expect(problem == (length > 100_000 ? .tooLarge : nil), "\(length), stated as \(stated)")
            }
        }
    }

    @Test("M17 what is deflated is counted whole, however many pieces it is read in, and however far it unpacks")
    func pieces() throws {
        // Blocks that are not packed (RFC 1951 §3.2.4), more than is read at a time.
        let block = [UInt8](repeating: 7, count: 65_535)
        let stored = (1...10).flatMap { number -> [UInt8] in [number == 10 ? 1 : 0, 0xFF, 0xFF, 0, 0] + block }
        let count = try DeflatedLength.count(
            from: 0, size: Int64(stored.count), limit: 1 << 30, reading: Self.reader(stored))
        #expect(count == 655_350)
        #expect(throws: DeflatedLength.Malformed.self) {
            try DeflatedLength.count(
                from: 0, size: Int64(stored.count - 9), limit: 1 << 30, reading: Self.reader(stored))
        }
    }

    @Test("M17 an archive at the end of a file counts as one, whatever the file begins with and some bytes follow")
    func disguises() throws {
        let rules = ZipRules(unpackedMax: 100_000, smallMax: 100_000)
        func code(_ bytes: [UInt8], _ type: String) -> String {
            let file = Attachment(
                object: "x", name: "x", mimeType: type, size: Int64(bytes.count), width: 0, height: 0, isComplete: false
            )
            do {
                _ = try Files.check(file, Self.reader(bytes), pixelsMax: 1_000_000, zip: rules)
                return ""
            } catch {
                return (error as? Refusal)?.code.rawValue ?? "\(error)"
            }
        }
        let heads: [([UInt8], String)] = [
            (Self.text("MZ") + [0x90, 0, 3, 0], "application/octet-stream"), (Self.png, "image/png"),
            ([0x1F, 0x8B, 8, 0], "application/octet-stream"), (Self.text("%PDF-1.7 "), "application/pdf"),
            (Self.text("plain text "), "text/plain"), (Self.text("#!/bin/sh "), "text/plain"),
        ]
        let small = Self.zip(1000, [Self.entry(packed: 1000, unpacked: 1000)])
        let bomb = Self.zip(1000, [Self.entry(packed: 1000, unpacked: 1 << 30)])
        for (head, type) in heads {
            let isOctets = type == "application/octet-stream"
            #expect(code(head, type).isEmpty, "\(type)")
            #expect(code(head + small, "application/octet-stream").isEmpty, "\(type)")
            #expect(code(head + small, type) == (isOctets ? "" : "invalid"), "\(type)")
            for rest in [[], [0], [UInt8](repeating: 0x20, count: 60_000)] {
                #expect(code(head + bomb + rest, type) == "too_large", "\(type), \(rest.count)")
                #expect(code(head + bomb + rest, "application/octet-stream") == "too_large")
            }
            // Its places count from the beginning of the file.
            let absolute = Self.zip(1000, [Self.entry(packed: 1000, unpacked: 1 << 30)], after: head.count)
            #expect(code(head + absolute, type) == "too_large", "\(type)")
            // A file that only has an archive within, as a container may.
            #expect(code(head + small + Self.text(" more"), type).isEmpty, "\(type)")
            // Records that lead nowhere.
            let decoys = (0..<1000).flatMap { _ in Self.text("PK\u{5}\u{6}") + [UInt8](repeating: 0, count: 18) }
            #expect(code(head + decoys, type).isEmpty, "\(type)")
        }
    }

    @Test("M17 archives that unpack to too much, in all or for their size, overlap, or are inconsistent are refused")
    func zips() throws {
        let rules = ZipRules(unpackedMax: 1 << 30)
        func problem(_ bytes: [UInt8]) -> ZipRules.Problem? {
            do {
                try rules.check(size: Int64(bytes.count), reading: Self.reader(bytes))
                return nil
            } catch {
                return error as? ZipRules.Problem
            }
        }
        let large = Self.little(1, 2) + Self.little(16, 2) + Self.little(1 << 40, 8) + Self.little(100, 8)
        for (bytes, expected) in [
            (Self.zip(1000, [Self.entry(packed: 1000, unpacked: 1000)]), nil),
            (Self.zip(1000, [Self.entry(packed: 1000, unpacked: 5)], comment: "PK\u{5}\u{6} in a comment"), nil),
            (Self.zip(1000, [Self.entry(packed: 1000, unpacked: 1000, method: 8)]), .malformed),
            (Self.zip(1000, [Self.entry(packed: 1000, unpacked: 1000, method: 14)]), .unknown),
            (Self.zip(1000, [Self.entry(packed: 1000, unpacked: 1000, method: 8, flags: 1)]), .unknown),
            (Self.zip(1000, [Self.entry(packed: 1000, unpacked: 1000, at: 7)]), .malformed),
            (Self.zip(1000, [Self.entry(packed: 1001, unpacked: 1001)]), .malformed),
            (Self.zip(0, []), nil),
            (Self.zip(1000, [Self.entry(packed: 1000, unpacked: 100 << 20)]), .tooLarge),
            (Self.zip(1000, [Self.entry(packed: 1000, unpacked: 0xFFFF_FFFF, extra: large)]), .tooLarge),
            (
                Self.zip(1000, (0..<10).map { _ in Self.entry(packed: 900, unpacked: 1000) }), .tooLarge
            ),
            (Self.zip(1000, [Self.entry(packed: 10, unpacked: 10)], stated: 2), .malformed),
            (Array(Self.zip(1000, [Self.entry(packed: 10, unpacked: 10)]).dropLast(30)), .malformed),
            (Self.text("PK\u{3}\u{4}") + [UInt8](repeating: 1, count: 200), .malformed),
        ] as [([UInt8], ZipRules.Problem?)] {
            #expect(problem(bytes) == expected, "\(bytes.count)")
        }
        let many = Self.zip(0, (0..<100_000).map { _ in Self.entry(packed: 0, unpacked: 0) }, stated: 34_464)
        #expect(problem(many) == .malformed, "more entries than stated")
    }

    @Test("M17 a link names its purpose, and cannot be forged or changed")
    func links() throws {
        let key = Sodium.randomBytes(32)
        let link = FileLink(purpose: .download, conversation: 7, id: Array(0..<16), account: 9, expiresAt: 1000)
        let path = link.path(key: key)
        func problem(_ path: String, _ key: [UInt8], at now: Timestamp = 0) -> FileLink.Problem? {
            do throws(FileLink.Problem) {
                _ = try FileLink(path: path, key: key, now: now)
                return nil
            } catch {
                return error
            }
        }
        #expect(try FileLink(path: path, key: key, now: 999) == link)
        #expect(try FileLink(path: path + "?x", key: key, now: 999) == link)
        #expect(problem(path, key, at: 1000) == .expired)
        #expect(problem(path, Sodium.randomBytes(32)) == .forged)
        for index in path.indices.dropFirst(FileLink.prefix.count) {
            var changed = path
            changed.replaceSubrange(index...index, with: path[index] == "0" ? "1" : "0")
            #expect(problem(changed, key) == .forged)
            #expect(problem(changed, key, at: 2000) == .forged, "a forged link is not reported as expired")
        }
        for wrong in [path.uppercased(), String(path.dropLast()), path + "0", path + "/", "/v1/files/../x", ""] {
            #expect(problem(wrong, key) == .forged)
        }
    }

    @Test("M17 T3 a link of an import names its file and object, and is no other link")
    func importLinks() throws {
        let object = Hex.text(Sodium.randomBytes(16))
        let path = "/v1/files/0000000000000007" + Hex.text(Array(0..<16)) + "/" + object
        let link = try #require(ImportLink(path: path))
        #expect(link.conversation == 7 && link.id == Array(0..<16) && link.object == object)
        #expect(ImportLink(path: path + "?x") == link)
        let sealed = FileLink(purpose: .upload, conversation: 7, id: Array(0..<16), account: 9, expiresAt: 1000)
        for wrong in [
            path.uppercased(), String(path.dropLast()), path + "0", path + "/", "/v1/files/../x", "", "/v1/files//",
            sealed.path(key: Sodium.randomBytes(32)),
        ] {
            #expect(ImportLink(path: wrong) == nil, "\(wrong)")
        }
    }

    @Test("M17 ranges follow RFC 9110")
    func ranges() {
        for (header, expected) in [
            ("bytes=0-", 0..<10), ("bytes=2-3", 2..<4), ("bytes=-3", 7..<10), ("bytes=-30", 0..<10),
            ("bytes=5-100", 5..<10), ("bytes=10-", nil), ("bytes=-0", nil),
        ] as [(String, Range<Int64>?)] {
            let range = FileRange(header, of: 10)
            #expect(range.map { $0.first..<$0.end } == expected && range?.isAll != true, "\(header)")
        }
        for header in ["bytes=3-2", "bytes=-", "bytes=a-b", "lines=1-2", "bytes=1-2,3-4", "", "bytes=+1-2"] {
            #expect(FileRange(header, of: 10) == .all(of: 10), "\(header)")
        }
    }

    @Test("S3 requests are signed as in Amazon's example")
    func signature() {
        let signature = S3Signature(
            region: "us-east-1", keyID: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
        let time: Int64 = 1_369_353_600
        #expect(S3Signature.stamp(time) == "20130524T000000Z")
        #expect(S3Signature.stamp(951_827_696) == "20000229T123456Z")
        let payload = S3Signature.hash([])
        let value = signature.authorization(
            "GET", path: "/test.txt",
            headers: [
                ("host", "examplebucket.s3.amazonaws.com"), ("range", "bytes=0-9"), ("x-amz-content-sha256", payload),
                ("x-amz-date", "20130524T000000Z"),
            ], payload: payload, time: time)
        #expect(value.hasSuffix("Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"))
    }
}
