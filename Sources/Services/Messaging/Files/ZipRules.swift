/// Decides whether an archive may be stored, by the unpacked size in its directory and by what its entries really
/// unpack to, since a directory may say anything. Pure: it reads only through a reader.
struct ZipRules: Sendable {
    /// The maximum unpacked size, in bytes.
    var unpackedMax: Int64
    /// The maximum ratio of unpacked size to file size. It does not limit archives that unpack to at most `smallMax`
    /// bytes.
    var ratioMax: Int64 = 200
    var smallMax: Int64 = 16 * 1024 * 1024
    var entriesMax = 100_000

    enum Problem: Error, Equatable {
        case malformed
        /// It would unpack to more than allowed, in total or for its size.
        case tooLarge
        /// It is encrypted or packed in another way than deflated, so that nobody knows what it unpacks to.
        case unknown
    }

    private struct Directory {
        var entries: Int
        var size: Int64
        var offset: Int64
    }

    /// - Parameter size: the size of the whole file.
    /// - Throws: ``Problem``; what `read` throws.
    func check(size: Int64, reading read: @escaping FileKind.Reader) throws {
        let directory = try directory(size: size, read)
        guard directory.entries <= entriesMax, directory.size <= 64 * 1024 * 1024 else { throw Problem.tooLarge }
        guard directory.offset >= 0, directory.size >= 0, directory.offset <= size - directory.size else {
            throw Problem.malformed
        }
        var (packed, unpacked): (Int64, Int64) = (0, 0)
        var (at, entries) = (directory.offset, 0)
        let end = directory.offset + directory.size
        var found: [Entry] = []
        var page = Bytes([])
        var pageAt = at
        while at < end {
            if at + 46 + 3 * 65535 > pageAt + Int64(page.count), pageAt + Int64(page.count) < end {
                page = Bytes(try read(at, Int(min(end - at, 512 * 1024))))
                pageAt = at
            }
            let entry = try Entry(page, at: Int(at - pageAt))
            packed = try Self.sum(packed, entry.packed)
            unpacked = try Self.sum(unpacked, entry.unpacked)
            at += Int64(entry.length)
            entries += 1
            if entry.packed > 0 { found.append(entry) }
        }
        guard at == end, entries == directory.entries else { throw Problem.malformed }
        // The smallest zip bombs consist of entries that share their bytes.
        guard packed <= size else { throw Problem.tooLarge }
        let most = min(unpackedMax, max(smallMax, size * ratioMax))
        guard unpacked <= most else { throw Problem.tooLarge }
        try checkContents(of: found, before: directory.offset, most: most, read)
    }

    /// Checks a file that begins as something else and may have an archive at its end. Unpackers look for it there,
    /// and take what stands before it, and some of what follows, for something else.
    /// - Returns: whether the file ends with the archive.
    /// - Throws: ``Problem/tooLarge``; what `read` throws.
    func checkEnd(size: Int64, reading read: @escaping FileKind.Reader) throws -> Bool {
        guard let found = try archiveAtEnd(size: size, read) else { return false }
        do {
            try check(size: found.end - found.begin) { offset, count in try read(found.begin + offset, count) }
        } catch Problem.tooLarge {
            throw Problem.tooLarge
        } catch is Problem {
            // Nobody unpacks it, or nobody knows to what.
        }
        return found.end == size
    }

    /// Finds the last record of an archive's end whose directory is where it says, and what belongs to the archive.
    private func archiveAtEnd(size: Int64, _ read: FileKind.Reader) throws -> (begin: Int64, end: Int64)? {
        let tailAt = max(0, size - Self.tailBytes)
        let tail = Bytes(try read(tailAt, Int(size - tailAt)))
        var tries = 64
        for at in stride(from: tail.count - 22, through: 0, by: -1) where tail[at] == 0x50 && tail[at + 1] == 0x4B {
            guard tail.has([0x50, 0x4B, 5, 6], at: at), tries > 0 else { continue }
            tries -= 1
            let record = tailAt + Int64(at)
            let end = min(size, record + 22 + Int64(tail.little(at + 20, 2)))
            if tail.has([0x50, 0x4B, 6, 7], at: at - 20) { return (0, end) }
            let (length, offset) = (Int64(tail.little(at + 12, 4)), Int64(tail.little(at + 16, 4)))
            // The directory stands before the record; what the archive counts from may come after other bytes.
            for start in [record - length, offset] where length > 0 && start >= offset && start + 4 <= record {
                guard Bytes(try read(start, 4)).has([0x50, 0x4B, 1, 2]) else { continue }
                return (start - offset, end)
            }
        }
        return nil
    }

    /// The record at the end, and the longest comment after it.
    private static let tailBytes: Int64 = 65_557

    /// Counts what the entries unpack to.
    private func checkContents(of entries: [Entry], before end: Int64, most: Int64, _ read: @escaping FileKind.Reader)
        throws
    {
        var unpacked: Int64 = 0
        for entry in entries {
            guard !entry.isEncrypted, entry.method == 0 || entry.method == 8 else { throw Problem.unknown }
            guard entry.offset >= 0, entry.offset <= end - 30 else { throw Problem.malformed }
            let header = Bytes(try read(entry.offset, 30))
            guard header.has([0x50, 0x4B, 3, 4]) else { throw Problem.malformed }
            let start = entry.offset + 30 + Int64(header.little(26, 2) + header.little(28, 2))
            guard start <= end - entry.packed else { throw Problem.malformed }
            guard entry.method == 8 else {
                unpacked += entry.packed
                continue
            }
            do {
                unpacked += try DeflatedLength.count(
                    from: start, size: entry.packed, limit: most - unpacked, reading: read)
            } catch is DeflatedLength.Malformed {
                throw Problem.malformed
            }
            guard unpacked <= most else { throw Problem.tooLarge }
        }
        guard unpacked <= most else { throw Problem.tooLarge }
    }

    private static func sum(_ one: Int64, _ other: Int64) throws(Problem) -> Int64 {
        let (sum, overflow) = one.addingReportingOverflow(other)
        guard other >= 0, !overflow else { throw .tooLarge }
        return sum
    }

    /// One header of the central directory (APPNOTE 4.3.12), with its 64-bit extra field if it has one.
    private struct Entry {
        var packed: Int64
        var unpacked: Int64
        var length: Int
        var isEncrypted: Bool
        var method: Int
        /// Where its own header begins.
        var offset: Int64

        init(_ page: Bytes, at offset: Int) throws(Problem) {
            guard page.has([0x50, 0x4B, 1, 2], at: offset) else { throw .malformed }
            let (name, extra, comment) = (
                page.little(offset + 28, 2), page.little(offset + 30, 2), page.little(offset + 32, 2)
            )
            length = 46 + name + extra + comment
            guard offset + length <= page.count else { throw .malformed }
            packed = Int64(page.little(offset + 20, 4))
            unpacked = Int64(page.little(offset + 24, 4))
            isEncrypted = page.little(offset + 8, 2) & 1 != 0
            method = page.little(offset + 10, 2)
            self.offset = Int64(page.little(offset + 42, 4))
            let large: Int64 = 0xFFFF_FFFF
            guard packed == large || unpacked == large || self.offset == large else { return }
            var field = offset + 46 + name
            let end = field + extra
            while field + 4 <= end {
                let size = page.little(field + 2, 2)
                guard page.little(field, 2) == 1 else {
                    field += 4 + size
                    continue
                }
                var value = field + 4
                if unpacked == 0xFFFF_FFFF, value + 8 <= end {
                    unpacked = Int64(page.little(value, 8))
                    value += 8
                }
                if packed == 0xFFFF_FFFF, value + 8 <= end {
                    packed = Int64(page.little(value, 8))
                    value += 8
                }
                if self.offset == large, value + 8 <= end { self.offset = Int64(page.little(value, 8)) }
                return
            }
        }
    }

    /// Reads the record at the end (APPNOTE 4.3.16), which a comment may follow. For a large archive it refers to a
    /// 64-bit record.
    private func directory(size: Int64, _ read: FileKind.Reader) throws -> Directory {
        let tailAt = max(0, size - Self.tailBytes)
        let tail = Bytes(try read(tailAt, Int(size - tailAt)))
        var at = tail.count - 22
        while at >= 0 {
            if tail.has([0x50, 0x4B, 5, 6], at: at), tail.little(at + 20, 2) == tail.count - at - 22 { break }
            at -= 1
        }
        guard at >= 0 else { throw Problem.malformed }
        let found = Directory(
            entries: tail.little(at + 10, 2), size: Int64(tail.little(at + 12, 4)),
            offset: Int64(tail.little(at + 16, 4)))
        let isLarge = found.entries == 0xFFFF || found.size == 0xFFFF_FFFF || found.offset == 0xFFFF_FFFF
        guard isLarge, tail.has([0x50, 0x4B, 6, 7], at: at - 20) else { return found }
        let large = Int64(tail.little(at - 20 + 8, 8))
        guard large <= size - 56 else { throw Problem.malformed }
        let record = Bytes(try read(large, 56))
        guard record.has([0x50, 0x4B, 6, 6]) else { throw Problem.malformed }
        return Directory(
            entries: record.little(32, 8), size: Int64(record.little(40, 8)), offset: Int64(record.little(48, 8)))
    }
}
