import Foundation
import ParleyClient

/// Codes that are mailed or shown by a device, as a double knows them.
struct DoubleCodes {
    /// What was mailed last; nil: nothing.
    var mailed: String?
    /// Devices that ask to be signed in, by what they show: what they are called, and as whom they are.
    var devices: [String: (name: String, user: User?)] = [:]
}

extension ParleyDouble {
    /// The code that was mailed last, for a new password or to confirm my address; nil: none was, or it was used.
    public var mailedCode: String? { codes.mailed }

    /// Makes another device ask to be signed in.
    /// - Returns: the code that it shows.
    public func addAskingDevice(_ name: String) -> String {
        let code = nextID().description
        codes.devices[code] = (name, nil)
        return code
    }

    /// Lets the device that shows a code sign in, as another device of a person does.
    public func approve(_ link: DeviceLink, as user: User) {
        if people[user.id] == nil { addAccount(user) }
        codes.devices[link.code]?.user = user
    }

    func answerAboutCodes(_ answers: inout DoubleAnswers) {
        answers.on(ConversationsMethods.requestPasswordReset) { [unowned self] _ throws(ParleyError) in
            codes.mailed = "2345-6789"
            return .init()
        }
        answers.on(ConversationsMethods.resetPassword) { [unowned self] request throws(ParleyError) in
            try use(request.code)
            passwords[me.username] = (me, request.newPassword)
            devices = []
            return .init()
        }
        answers.on(ConversationsMethods.requestEmailCode) { [unowned self] _ throws(ParleyError) in
            guard !profile.email.isEmpty else {
                throw ParleyError(
                    code: Refusal.Code.invalid.rawValue, message: "There is no address in your profile.", field: "email"
                )
            }
            codes.mailed = "2345-6789"
            return .init()
        }
        answers.on(ConversationsMethods.confirmEmail) { [unowned self] request throws(ParleyError) in
            try use(request.code)
            (profile.emailConfirmed, profile.position) = (true, nextPosition())
            await commit([.put(.profile(profile))])
            return profile
        }
        answerAboutDevices(&answers)
    }

    private func answerAboutDevices(_ answers: inout DoubleAnswers) {
        answers.on(ConversationsMethods.beginDeviceLink) { [unowned self] request throws(ParleyError) in
            .with {
                ($0.code, $0.secret) = (addAskingDevice(request.deviceName), "double")
                $0.endsAtUs = Date(timeIntervalSinceNow: 120).microseconds
            }
        }
        answers.on(ConversationsMethods.getDeviceLink) { [unowned self] request throws(ParleyError) in
            guard let device = codes.devices[request.code] else { throw .wrongCode }
            return .with {
                ($0.deviceName, $0.address) = (device.name, "192.0.2.1")
                $0.begunAtUs = Date.now.microseconds
            }
        }
        answers.on(ConversationsMethods.approveDeviceLink) { [unowned self] request throws(ParleyError) in
            guard let device = codes.devices[request.code] else { throw .wrongCode }
            codes.devices[request.code]?.user = me
            devices.append(
                .with {
                    ($0.id, $0.name) = (nextID().description, device.name)
                    ($0.signedInUs, $0.lastUsedUs) = (Date.now.microseconds, Date.now.microseconds)
                })
            return .init()
        }
        answers.on(ConversationsMethods.finishDeviceLink) { [unowned self] request throws(ParleyError) in
            guard let device = codes.devices[request.code] else { throw .wrongCode }
            guard let user = device.user else {
                throw ParleyError(
                    code: Refusal.Code.linkPending.rawValue, message: "Nobody approved it yet.", retryAfterMs: 100)
            }
            return signedIn(user, device.name)
        }
    }

    private func use(_ code: String) throws(ParleyError) {
        guard let mailed = codes.mailed, code == mailed else { throw .wrongCode }
        codes.mailed = nil
    }
}

extension ParleyError {
    fileprivate static var wrongCode: ParleyError {
        ParleyError(code: Refusal.Code.codeRefused.rawValue, message: "This code is wrong.", field: "code")
    }
}
