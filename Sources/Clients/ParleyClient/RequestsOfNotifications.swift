/// Pushes to devices on which the app is not open.
extension ParleyClient {
    /// Registers this device for pushes, in place of what it registered before. Repeating it changes nothing.
    /// - Parameters:
    ///   - token: as the push service gave it: Apple's in hexadecimal, FCM's, or the endpoint of a subscription.
    ///   - app: the bundle id, or FCM's project; empty for browsers.
    ///   - contentKey: the device's public key of P-256, to which pushes are encrypted (65 bytes), and its secret (16).
    @discardableResult
    public func registerPush(
        _ transport: Parley_V1_PushTransport, token: String, app: String, language: String = "",
        contentKey: [UInt8] = [], authSecret: [UInt8] = []
    ) async throws(ParleyError) -> Parley_V1_PushDevice {
        try await call(
            NotificationsMethods.registerPush, key: user,
            .with {
                ($0.transport, $0.token, $0.app, $0.language) = (transport, token, app, language)
                ($0.contentKey, $0.authSecret) = (.init(contentKey), .init(authSecret))
            })
    }

    /// Ends pushes to one of the person's devices. Repeating it changes nothing.
    /// - Parameter device: empty: this one.
    public func unregisterPush(_ device: String = "") async throws(ParleyError) {
        _ = try await call(NotificationsMethods.unregisterPush, key: user, .with { $0.device = device })
    }

    /// Returns the person's devices that are registered for pushes, the last registered first, and over what the
    /// server sends.
    public func pushDevices() async throws(ParleyError) -> Parley_V1_ListPushDevicesReply {
        try await call(NotificationsMethods.listPushDevices, key: user, .init())
    }

    /// Sends a push that says so to one of the person's devices.
    /// - Parameter device: empty: this one.
    public func testPush(_ device: String = "") async throws(ParleyError) {
        _ = try await call(NotificationsMethods.testPush, key: user, .with { $0.device = device })
    }

    /// Returns of what the person is told by pushes. ``updates`` brings its changes, of kind `PushSettings`.
    public func getPushSettings() async throws(ParleyError) -> Parley_V1_PushSettings {
        try await call(NotificationsMethods.getPushSettings, key: user, .init())
    }

    /// Changes of what the person is told by pushes, on all devices. What the request does not have stays as it is.
    @discardableResult
    public func updatePushSettings(
        _ change: Parley_V1_UpdatePushSettingsRequest
    ) async throws(ParleyError) -> Parley_V1_PushSettings {
        try await call(NotificationsMethods.updatePushSettings, key: user, change)
    }
}
