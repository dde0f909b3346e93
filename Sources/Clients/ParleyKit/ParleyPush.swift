import Foundation
import ParleyClient

/// Pushes to devices on which the app is not open.
extension Parley {
    /// Registers this device for pushes. Call it whenever the system gives the app a token; repeating it changes
    /// nothing. It ends when I sign out.
    /// - Parameter language: BCP 47 tag of the language of pushes; nil: the device's.
    public func registerForPush(token: PushToken, language: String? = nil) async throws(Refusal) {
        try await register(token, nil, language)
    }

    /// - Parameter key: to which pushes are encrypted; nil: they are not.
    func register(
        _ token: PushToken, _ key: (contentKey: [UInt8], authSecret: [UInt8])?, _ language: String?
    ) async throws(Refusal) {
        let language = language ?? Locale.preferredLanguages.first ?? ""
        _ = try await ask { client throws(ParleyError) in
            try await client.registerPush(
                token.transport, token: token.text, app: token.app, language: language,
                contentKey: key?.contentKey ?? [], authSecret: key?.authSecret ?? [])
        }
    }

    /// Ends pushes to this device.
    public func unregisterForPush() async throws(Refusal) {
        try await ask { client throws(ParleyError) in try await client.unregisterPush() }
    }

    /// Returns my devices that are registered for pushes, the last registered first.
    public func pushDevices() async throws(Refusal) -> [PushDevice] {
        try await ask { client throws(ParleyError) in try await client.pushDevices() }.devices.map(PushDevice.init)
    }

    /// Sends a push to this device that says so.
    public func testPush() async throws(Refusal) {
        try await ask { client throws(ParleyError) in try await client.testPush() }
    }

    /// Reads of what I am told by pushes; from then on ``pushSettings`` follows what my other devices change.
    @discardableResult
    public func readPushSettings() async throws(Refusal) -> PushSettings {
        let state = try await ask { client throws(ParleyError) in try await client.getPushSettings() }
        show(state)
        return pushSettings ?? PushSettings(state)
    }

    /// Reads what other devices changed while this one was away.
    func readPushSettingsAgain() async {
        do {
            try await readPushSettings()
        } catch {
            // What was read before is shown until the next session, which a client that is not answered needs soon.
        }
    }

    /// Changes of what I am told by pushes, on all my devices.
    public func updatePushSettings(_ change: (inout PushSettings) -> Void) async throws(Refusal) {
        let before = if let pushSettings { pushSettings } else { try await readPushSettings() }
        var after = before
        change(&after)
        guard after != before else { return }
        let request = after.change(from: before)
        show(try await ask { client throws(ParleyError) in try await client.updatePushSettings(request) })
    }

    /// Sets of which messages of one conversation I am told.
    /// - Parameter level: nil: as of all others.
    public func setPushLevel(_ level: PushSettings.Level?, of conversation: ConversationID) async throws(Refusal) {
        show(
            try await ask { client throws(ParleyError) in
                try await client.updatePushSettings(
                    .with {
                        $0.conversation.conversation = conversation.rawValue
                        $0.conversation.level = level?.sent ?? .unspecified
                    })
            })
    }

    /// Shows settings, unless newer ones are shown.
    func show(_ state: Parley_V1_PushSettings) {
        guard state.version >= pushSettings?.version ?? 0 else { return }
        pushSettings = PushSettings(state)
    }
}
