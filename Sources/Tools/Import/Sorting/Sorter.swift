import Foundation

/// Sorts any number of records by their keys in bounded memory: sorted runs go to files, which are merged. Records with
/// equal keys stay in the order in which they came.
final class Sorter {
    struct Record {
        var key: [UInt8]
        var value: [UInt8]
    }

    private struct Entry {
        var start: Int
        var keyCount: Int
        var valueCount: Int
    }

    private let bytesMax: Int
    private let folder: String
    private var room: [UInt8] = []
    private var entries: [Entry] = []
    private var runs: [Run] = []

    /// - Parameters:
    ///   - folder: where the files are. They have no names, so nothing is left of them, however the process ends.
    ///   - bytesMax: the memory for records that are not in a file yet.
    init(in folder: String, bytesMax: Int = 16 << 20) { (self.folder, self.bytesMax) = (folder, bytesMax) }

    func add(_ key: [UInt8], _ value: [UInt8]) throws(ImportError) {
        entries.append(Entry(start: room.count, keyCount: key.count, valueCount: value.count))
        room += key
        room += value
        if room.count >= bytesMax { try spill() }
    }

    /// Returns the records in order. Another call ends what the one before returned.
    /// - Parameter isLast: nobody asks again, and the sorter keeps nothing.
    func sorted(isLast: Bool = true) throws(ImportError) -> Sorted {
        if runs.isEmpty {
            sortEntries()
            let (entries, room) = (entries, room)
            if isLast { (self.entries, self.room) = ([], []) }
            return Sorted([Run(entries.lazy.map { Self.record($0, room) }.makeIterator())])
        }
        if !entries.isEmpty { try spill() }
        room = []
        defer { if isLast { runs = [] } }
        for run in runs { try run.rewind() }
        return Sorted(runs)
    }

    private static func record(_ entry: Entry, _ room: [UInt8]) -> Record {
        let middle = entry.start + entry.keyCount
        return Record(key: Array(room[entry.start..<middle]), value: Array(room[middle..<middle + entry.valueCount]))
    }

    private func sortEntries() {
        room.withUnsafeBytes { bytes in
            entries.sort { a, b in
                let shared = min(a.keyCount, b.keyCount)
                // The room of a sorter with entries has an address.
                let order = bytes.baseAddress.map { shared == 0 ? 0 : memcmp($0 + a.start, $0 + b.start, shared) } ?? 0
                if order != 0 { return order < 0 }
                return a.keyCount == b.keyCount ? a.start < b.start : a.keyCount < b.keyCount
            }
        }
    }

    private func spill() throws(ImportError) {
        sortEntries()
        let run = try Run(in: folder)
        for entry in entries {
            let end = entry.start + entry.keyCount + entry.valueCount
            try run.write(entry.keyCount, entry.valueCount, room[entry.start..<end])
        }
        try run.endWriting()
        runs.append(run)
        room.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    /// The records of one run, or of the memory.
    fileprivate final class Run {
        private static let pieceBytesMax = 1 << 16

        private let file: FileHandle?
        private var memory: AnyIterator<Record>?
        private var piece: [UInt8] = []
        private var next = 0

        init(_ records: some IteratorProtocol<Record>) {
            var records = records
            (file, memory) = (nil, AnyIterator { records.next() })
        }

        init(in folder: String) throws(ImportError) {
            var path = Array("\(folder)/parley-import-XXXXXX".utf8CString)
            let descriptor = mkstemp(&path)
            guard descriptor >= 0 else {
                throw ImportError(
                    .fileFailed, "Cannot make a file in \(folder): \(String(cString: strerror(errno)))",
                    advice: "Choose another folder with --work.")
            }
            unlink(path)
            file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }

        func write(_ keyCount: Int, _ valueCount: Int, _ bytes: ArraySlice<UInt8>) throws(ImportError) {
            withUnsafeBytes(of: UInt32(keyCount).littleEndian) { piece += $0 }
            withUnsafeBytes(of: UInt32(valueCount).littleEndian) { piece += $0 }
            piece += bytes
            if piece.count >= Self.pieceBytesMax { try endWriting() }
        }

        func endWriting() throws(ImportError) {
            do {
                try file?.write(contentsOf: piece)
            } catch {
                throw ImportError(
                    .fileFailed, "Cannot write a file of the import: \(error.localizedDescription)",
                    advice: "It needs about twice the size of the export. Choose another folder with --work.")
            }
            piece.removeAll(keepingCapacity: true)
        }

        func rewind() throws(ImportError) {
            (piece, next) = ([], 0)
            do { try file?.seek(toOffset: 0) } catch { throw unreadable(error) }
        }

        func record() throws(ImportError) -> Record? {
            if let memory { return memory.next() }
            guard try load(8) else { return nil }
            let (keyCount, valueCount) = (count(at: next), count(at: next + 4))
            next += 8
            guard try load(keyCount + valueCount) else { return nil }
            defer { next += keyCount + valueCount }
            return Record(
                key: Array(piece[next..<next + keyCount]),
                value: Array(piece[next + keyCount..<next + keyCount + valueCount]))
        }

        private func count(at index: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(piece[index + $1]) << (8 * $1) }
        }

        /// Sees to it that so many bytes are at `next`.
        private func load(_ needed: Int) throws(ImportError) -> Bool {
            while piece.count - next < needed {
                do {
                    guard let more = try file?.read(upToCount: max(Self.pieceBytesMax, needed)), !more.isEmpty else {
                        return false
                    }
                    piece.removeFirst(next)
                    piece += more
                    next = 0
                } catch { throw unreadable(error) }
            }
            return true
        }

        private func unreadable(_ error: any Error) -> ImportError {
            ImportError(.fileFailed, "Cannot read a file of the import: \(error.localizedDescription)")
        }
    }
}

/// Records in order.
final class Sorted {
    private struct Head {
        var record: Sorter.Record
        var run: Int
    }

    private let runs: [Sorter.Run]
    /// A heap of the first record of each run.
    private var heads: [Head] = []
    private var isBegun = false
    private var held: Sorter.Record?

    fileprivate init(_ runs: [Sorter.Run]) { self.runs = runs }

    func next() throws(ImportError) -> Sorter.Record? {
        if let record = held {
            held = nil
            return record
        }
        if !isBegun {
            isBegun = true
            for (index, run) in runs.enumerated() {
                if let record = try run.record() { push(Head(record: record, run: index)) }
            }
        }
        guard let first = heads.first else { return nil }
        if let record = try runs[first.run].record() {
            heads[0] = Head(record: record, run: first.run)
        } else {
            heads[0] = heads[heads.count - 1]
            heads.removeLast()
        }
        sink()
        return first.record
    }

    /// Returns the next records that have the same key.
    func nextGroup() throws(ImportError) -> (key: [UInt8], values: [[UInt8]])? {
        guard let first = try next() else { return nil }
        var values = [first.value]
        while let record = try next() {
            guard record.key == first.key else {
                held = record
                break
            }
            values.append(record.value)
        }
        return (first.key, values)
    }

    private func isBefore(_ a: Head, _ b: Head) -> Bool {
        if a.record.key == b.record.key { return a.run < b.run }
        return a.record.key.lexicographicallyPrecedes(b.record.key)
    }

    private func push(_ head: Head) {
        heads.append(head)
        var index = heads.count - 1
        while index > 0, isBefore(heads[index], heads[(index - 1) / 2]) {
            heads.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private func sink() {
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heads.count {
                if isBefore(heads[child], heads[least]) { least = child }
            }
            if least == index { return }
            heads.swapAt(index, least)
            index = least
        }
    }
}
