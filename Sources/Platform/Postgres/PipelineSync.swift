import CPostgres
import Glibc

/// Sends a sync point, without a system call if libpq supports that.
///
/// `PQpipelineSync` flushes, so with libpq before 17 each group is a separate write. `PQsendPipelineSync` leaves that
/// to the end of the turn. It is looked up at run time, since the headers of the oldest supported libpq lack it.
enum PipelineSync {
    private typealias Function = @convention(c) (OpaquePointer?) -> CInt

    private static let unflushed: Function? = dlsym(nil, "PQsendPipelineSync").map {
        unsafeBitCast($0, to: Function.self)
    }

    /// - Returns: 1, or 0 when the connection can no longer be used.
    static func send(_ handle: OpaquePointer) -> CInt {
        unflushed?(handle) ?? PQpipelineSync(handle)
    }
}
