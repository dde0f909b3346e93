import ParleyClient

/// What of a device's storage can fail.
enum StoragePart: CaseIterable, Sendable {
    case writing, reading, credentials
}

/// Reading and writing the store, so that an app learns of each failure by ``Parley/storageProblem``.
extension Parley {
    /// Reads from the store of the person who is shown.
    /// - Returns: nil when it cannot be read, or when another person is shown by now.
    func read<Value: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> Value) async -> Value? {
        await attempt(.reading) { try await $0.read(body) }
    }

    /// Changes rows of the store of the person who is shown.
    /// - Returns: nil when it cannot be written, or when another person is shown by now.
    @discardableResult
    func write<Value: Sendable>(_ body: @escaping @Sendable (any StoreWriter) throws -> Value) async -> Value? {
        await attempt(.writing) { try await $0.write(body) }
    }

    private func attempt<Value: Sendable>(
        _ part: StoragePart, _ body: (any Store) async throws -> Value
    ) async -> Value? {
        guard let account else { return nil }
        do {
            let value = try await body(account.store)
            guard account === self.account else { return nil }
            note(nil, of: part)
            return value
        } catch {
            if account === self.account { note(StoreProblem(error).refusal, of: part) }
            return nil
        }
    }

    /// Notes that a part of the storage fails, or works again.
    func note(_ problem: Refusal?, of part: StoragePart) {
        guard storageProblems[part] != problem else { return }
        storageProblems[part] = problem
        showStorageProblem()
    }

    func showStorageProblem() {
        let failing = StoragePart.allCases.lazy.compactMap { self.storageProblems[$0] }.first
        let problem = account?.problem?.refusal ?? failing
        if storageProblem != problem { storageProblem = problem }
    }
}
