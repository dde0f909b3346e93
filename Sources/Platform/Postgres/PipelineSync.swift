import CPostgres
import Glibc

/// A sync point without a system call, where libpq has it.
///
/// `PQpipelineSync` flushes, so with libpq before 17 each group is a write of its own; `PQsendPipelineSync` leaves
/// that to the end of the turn. Looked up at run time, since the headers of the oldest supported libpq lack it.
enum PipelineSync {
    private typealias Function = @convention(c) (OpaquePointer?) -> CInt

    private static let unflushed: Function? = dlsym(nil, "PQsendPipelineSync").map {
        unsafeBitCast($0, to: Function.self)
    }

    /// - Returns: 1, or 0 when the connection is of no more use.
    static func send(_ handle: OpaquePointer) -> CInt {
        unflushed?(handle) ?? PQpipelineSync(handle)
    }
}
