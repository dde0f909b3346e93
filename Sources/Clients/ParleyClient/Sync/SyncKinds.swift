/// Kinds of Updates that an earlier version of the client did not know, so that it only counted their positions.
extension SyncMachine {
    /// Whether a stream was read with all the kinds that are known now.
    func wasReadWhole(_ stream: StoredStream) -> Bool {
        guard let kinds = stream.kinds, let known = options.kinds[stream.prefix], kinds != known else { return true }
        return Set(known.split(separator: " ")).isSubset(of: kinds.split(separator: " "))
    }

    /// Reads a stream from its beginning with the next request. What is held of it stays until the reply.
    mutating func readAnew(_ name: String) {
        guard let stored = streams[name]?.stored else { return }
        var anew = SyncStream(StoredStream(name))
        (anew.isReadAnew, anew.stored.kinds) = (true, stored.kinds)
        anew.stored.isBehind = stored.isBehind || stored.conversation != nil
        streams[name] = anew
    }

    /// A reply has come that begins with all there is.
    mutating func endReadingAnew(_ name: String) {
        streams[name]?.isReadAnew = false
        streams[name]?.stored.kinds = nil
    }

    /// Notes with which kinds a stream is read, before it is stored for the first time.
    mutating func noteKinds(of name: String) {
        guard let stored = streams[name]?.stored, stored.kinds == nil else { return }
        let known = options.kinds[stored.prefix]
        streams[name]?.stored.kinds = known
    }
}
