import Foundation

/// A stretch of work of a thread: from when it woke until it waited again.
struct Stretch: Sendable, Equatable {
    /// The process and the thread, such as "gateway NIO-ELT-0-#1".
    var place: String
    /// By CLOCK_MONOTONIC, in nanoseconds, as all times here.
    var woke: UInt64
    var slept: UInt64
    /// Reads and writes of sockets, pipes and signals between threads.
    var reads = 0
    var writes = 0
    /// The time in which it waited for the disk.
    var syncs: UInt64 = 0
}

/// What `libparley-hops.so` noted of the system calls of one process; `hops.h` says what is where.
enum HopNotes {
    /// A wait that took less is no wake-up: there was something to do already.
    static let leastSleep: UInt64 = 5_000

    private static let head = 32
    private static let record = 32

    private enum Call: UInt16 { case wait = 1, read, write, sync }

    /// Returns what the threads did, in the order in which they woke.
    /// - Parameters:
    ///   - notes: the file of the process.
    ///   - place: the name of a thread of it.
    static func stretches(in notes: Data, place: (UInt32) -> String) -> [Stretch] {
        guard notes.count > head else { return [] }
        return notes.withUnsafeBytes { bytes in
            let capacity = UInt64((bytes.count - head) / record)
            let count = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
            var open: [UInt32: Stretch] = [:]
            var done: [Stretch] = []
            for number in (count > capacity ? count - capacity : 0)..<count {
                let at = head + Int(number % capacity) * record
                func value<T: FixedWidthInteger>(_ offset: Int, _: T.Type) -> T {
                    bytes.loadUnaligned(fromByteOffset: at + offset, as: T.self)
                }
                guard let call = Call(rawValue: value(20, UInt16.self)) else { continue }
                let (began, ended, thread) = (value(0, UInt64.self), value(8, UInt64.self), value(16, UInt32.self))
                if call == .wait, ended - began >= leastSleep {
                    if var stretch = open[thread] {
                        stretch.slept = began
                        done.append(stretch)
                    }
                    open[thread] = Stretch(place: place(thread), woke: ended, slept: ended)
                    continue
                }
                var stretch = open[thread] ?? Stretch(place: place(thread), woke: began, slept: began)
                stretch.slept = ended
                switch call {
                case .wait: break
                case .read: stretch.reads += 1
                case .write: stretch.writes += 1
                case .sync: stretch.syncs += ended - began
                }
                open[thread] = stretch
            }
            return (done + open.values).sorted { $0.woke < $1.woke }
        }
    }
}
