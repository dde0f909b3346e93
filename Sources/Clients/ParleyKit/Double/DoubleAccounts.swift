import Foundation
import ParleyClient

/// My account and the people around me, as a double knows them.
extension ParleyDouble {
    func answerAboutAccounts(_ answers: inout DoubleAnswers) {
        answers.on(ConversationsMethods.getChallenge) { [unowned self] _ throws(ParleyError) in challenge() }
        answers.on(ConversationsMethods.register) { [unowned self] request throws(ParleyError) in
            guard passwords[request.username] == nil else {
                throw ParleyError(
                    code: Refusal.Code.usernameTaken.rawValue, message: "Somebody has this name.", field: "username")
            }
            let id = UserID(rawValue: "u" + nextID().description.filter { $0 != "-" })
            if request.username.isEmpty { return signedIn(guest(id, request.displayName), request.deviceName) }
            let name = request.displayName.isEmpty ? request.username : request.displayName
            let user = User(id: id, username: request.username, displayName: name)
            addAccount(user, password: request.password)
            return signedIn(user, request.deviceName)
        }
        answers.on(ConversationsMethods.signIn) { [unowned self] request throws(ParleyError) in
            guard let known = passwords[request.username], known.password ?? request.password == request.password
            else {
                throw ParleyError(
                    code: Refusal.Code.wrongCredentials.rawValue, message: "Wrong username or password.")
            }
            return signedIn(known.user, request.deviceName)
        }
        answers.on(ConversationsMethods.signOut) { [unowned self] request throws(ParleyError) in
            devices.removeAll { request.everywhere || $0.current }
            return .init()
        }
        answers.on(ConversationsMethods.listDevices) { [unowned self] _ throws(ParleyError) in
            .with { $0.devices = devices }
        }
        answers.on(ConversationsMethods.revokeDevice) { [unowned self] request throws(ParleyError) in
            guard devices.contains(where: { $0.id == request.device }) else { throw .missing("device") }
            devices.removeAll { $0.id == request.device }
            return .init()
        }
        answers.on(ConversationsMethods.eraseAccount) { [unowned self] request throws(ParleyError) in
            guard passwords[me.username]?.password ?? request.password == request.password else {
                throw ParleyError(code: Refusal.Code.wrongCredentials.rawValue, message: "Wrong password.")
            }
            passwords[me.username] = nil
            return .init()
        }
        answers.on(ConversationsMethods.updateProfile) { [unowned self] request throws(ParleyError) in
            await updateProfile(request)
        }
    }

    private func guest(_ id: UserID, _ displayName: String) -> User {
        let guest = User(id: id, username: "", displayName: displayName.isEmpty ? "Guest 4711" : displayName)
        people[id] = guest
        profile = .with { ($0.user, $0.guest) = (guest.stored, true) }
        return guest
    }

    private func challenge() -> Parley_V1_Challenge { .with { $0.kind = .noChallenge } }

    func signedIn(_ user: User, _ deviceName: String) -> Parley_V1_SignedIn {
        addDevice(deviceName)
        return .with {
            ($0.user, $0.device) = (user.stored, devices.last?.id ?? "")
            ($0.accessToken, $0.refreshToken) = ("double", "double")
            ($0.accessEndsUs, $0.refreshEndsUs) = (.max, .max)
        }
    }

    private func updateProfile(_ request: Parley_V1_UpdateProfileRequest) async -> Parley_V1_Profile {
        profile.user = me.stored
        if case .username(let name) = request.changeUsername { profile.user.username = name }
        if case .displayName(let name) = request.changeDisplayName { profile.user.displayName = name }
        if case .photoURL(let photo) = request.changePhoto { profile.user.photoURL = photo }
        if case .email(let email) = request.changeEmail {
            profile.emailConfirmed = profile.emailConfirmed && email == profile.email
            profile.email = email
        }
        if case .findableByEmail(let isFindable) = request.changeFindable { profile.findableByEmail = isFindable }
        profile.position = nextPosition()
        let password = passwords.removeValue(forKey: me.username)?.password
        me = User(profile.user)
        addAccount(me, password: password)
        await commit([.put(.profile(profile))])
        return profile
    }

    func answerAboutPeople(_ answers: inout DoubleAnswers) {
        answers.on(ConversationsMethods.findUser) { [unowned self] request throws(ParleyError) in
            let found = people.values.first { $0.username.lowercased() == request.username.lowercased() }
            guard let found else { throw .noUser }
            return .with { $0.user = found.stored }
        }
        answers.on(ConversationsMethods.getUsers) { [unowned self] request throws(ParleyError) in
            .with { $0.users = request.users.compactMap { people[UserID(rawValue: $0)]?.stored } }
        }
        answers.on(ConversationsMethods.searchUsers) { [unowned self] request throws(ParleyError) in
            let text = Folding.folded(request.query)
            let found = people.values.filter { user in
                user.id != me.id && [user.username, user.displayName].contains { Folding.folded($0).contains(text) }
            }
            let limit = request.limit == 0 ? 50 : Int(request.limit)
            return .with {
                $0.users = found.sorted { $0.username < $1.username }.prefix(limit).map(\.stored)
            }
        }
        answers.on(ConversationsMethods.blockUser) { [unowned self] request throws(ParleyError) in
            await setBlocked(request.user, true)
            return .init()
        }
        answers.on(ConversationsMethods.unblockUser) { [unowned self] request throws(ParleyError) in
            await setBlocked(request.user, false)
            return .init()
        }
        answers.on(ConversationsMethods.createReport) { [unowned self] request throws(ParleyError) in
            reports.append(
                SentReport(
                    UserID(rawValue: request.user),
                    conversation: request.conversation.isEmpty ? nil : ConversationID(rawValue: request.conversation),
                    seq: request.seq == 0 ? nil : request.seq, note: request.note))
            return .init()
        }
        answers.on(ConversationsMethods.listReports) { [unowned self] _ throws(ParleyError) in
            .with { reply in
                reply.reports = reports.reversed().map { report in
                    .with {
                        ($0.user, $0.note) = (report.user.rawValue, report.note)
                        ($0.conversation, $0.seq) = (report.conversation?.rawValue ?? "", report.seq ?? 0)
                        $0.reportedAtUs = report.at.microseconds
                    }
                }
            }
        }
        answers.on(PresenceMethods.watchPresence) { [unowned self] request throws(ParleyError) in
            .with { reply in
                reply.states = request.users.compactMap { presences[UserID(rawValue: $0)]?.stored(of: $0) }
            }
        }
        answers.on(PresenceMethods.getOwnPresence) { [unowned self] _ throws(ParleyError) in ownPresence }
        answers.on(PresenceMethods.setTyping) { _ throws(ParleyError) in .init() }
        answers.on(PresenceMethods.setPresence) { [unowned self] request throws(ParleyError) in
            if request.availability != .unspecified { ownPresence.availability = request.availability }
            if request.hiding != .unspecified { ownPresence.hiding = request.hiding }
            if request.hasStatus {
                (ownPresence.statusText, ownPresence.statusEndsUs) = (request.status.text, request.status.endsUs)
            }
            ownPresence.version += 1
            return ownPresence
        }
    }

    private func setBlocked(_ user: String, _ isBlocked: Bool) async {
        learn(parley.outbox.entries.flatMap { $0.item.guess?.members ?? [] })
        let id = UserID(rawValue: user)
        let person = people[id] ?? User(id: id, username: user, displayName: user)
        let position = nextPosition()
        await commit([
            .put(
                .block(
                    .with { ($0.user, $0.blocked, $0.position) = (person.stored, isBlocked, position) }))
        ])
        let chat = ConversationID.direct(me.id, id)
        if conversations[chat] != nil {
            await change(chat) {
                $0.section = isBlocked ? .blockedPeople : .inbox
                $0.conversationStatus = isBlocked ? .blocked : .accepted
            }
        }
    }

    /// Notes people of whom the app knows.
    func learn(_ members: [Parley_V1_Member]) {
        for member in members where people[UserID(rawValue: member.user.id)] == nil { addAccount(User(member.user)) }
    }
}

extension ParleyError {
    static var noUser: ParleyError {
        ParleyError(
            code: Refusal.Code.userNotFound.rawValue,
            message: "User not found. Please check the username and try again.", field: "username")
    }

    static func missing(_ what: String) -> ParleyError { refused(.notFound, "There is no such \(what).") }

    static func refused(_ code: Refusal.Code, _ message: String) -> ParleyError {
        ParleyError(code: code.rawValue, message: message)
    }
}

extension Presence {
    fileprivate func stored(of user: String) -> Parley_V1_PresenceState {
        .with {
            ($0.user, $0.statusText) = (user, statusText ?? "")
            $0.lastSeenUs = lastSeen?.microseconds ?? 0
            $0.statusEndsUs = statusEnds?.microseconds ?? 0
            $0.status =
                switch status {
                case .online: .online
                case .away: .away
                case .doNotDisturb: .doNotDisturb
                case .offline: .offline
                }
        }
    }
}
