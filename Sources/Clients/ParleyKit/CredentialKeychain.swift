#if canImport(Security)
    import Foundation
    import ParleyClient
    import Security

    /// Keeps the tokens of a signed-in device in the keychain: the default on Apple's systems. They stay on the device,
    /// and can be read after its first unlocking.
    ///
    ///     options.credentials = CredentialKeychain(service: "MyApp", group: "TEAM.com.example.myapp")
    public final class CredentialKeychain: CredentialStore {
        private let service: String
        private let group: String?

        /// - Parameters:
        ///   - service: names the item.
        ///   - group: the access group that an app shares with its extensions; nil: only the app reads it.
        public init(service: String = "Parley", group: String? = nil) {
            (self.service, self.group) = (service, group)
        }

        private var query: [CFString: Any] {
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "credentials",
                kSecUseDataProtectionKeychain: true,
            ]
            if let group { query[kSecAttrAccessGroup] = group }
            return query
        }

        public func load() async throws -> Credentials? {
            var query = query
            (query[kSecReturnData], query[kSecMatchLimit]) = (true, kSecMatchLimitOne)
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = found as? Data else { throw failure("read", status) }
            return try JSONDecoder().decode(Credentials.self, from: data)
        }

        public func save(_ credentials: Credentials?) async throws {
            guard let credentials else {
                let status = SecItemDelete(query as CFDictionary)
                guard status == errSecSuccess || status == errSecItemNotFound else { throw failure("remove", status) }
                return
            }
            let content: [CFString: Any] = [
                kSecValueData: try JSONEncoder().encode(credentials),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(query as CFDictionary, content as CFDictionary)
            if status == errSecItemNotFound {
                status = SecItemAdd(query.merging(content) { $1 } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw failure("write", status) }
        }

        private func failure(_ action: String, _ status: OSStatus) -> Refusal {
            .storage(
                "Cannot \(action) the sign-in in the keychain (status \(status)). Unlock the device and try again.")
        }
    }
#endif
