import Foundation
import ParleyClient

/// Random requests about events.
extension RandomRequests {
    mutating func ofEvent(_ draw: Draw) -> RandomRequest {
        let living = events.indices.filter { !erased.contains(events[$0].owner) }
        guard let last = living.last, random.below(4) > 0 else { return newEvent(draw) }
        let index = random.below(3) == 0 ? living[random.below(living.count)] : last
        let (id, owner) = (Data(events[index].id.bytes), events[index].owner)
        let host = random.below(6) == 0 ? draw.actor : owner
        switch random.below(22) {
        case ..<10: return answer(id, draw)
        case ..<14: return change(index, by: host, draw)
        case ..<16:
            return RandomRequest(EntitiesMethods.inviteConversation, by: owner, key: users[owner]) {
                ($0.id, $0.conversation) = (id, draw.anywhere)
            }
        case 16:
            return RandomRequest(EntitiesMethods.uninviteConversation, by: owner, key: users[owner]) {
                ($0.id, $0.conversation) = (id, draw.anywhere)
            }
        case ..<20:
            let isHost = random.below(3) > 0
            return RandomRequest(EntitiesMethods.setEventHost, by: owner, key: users[owner]) {
                ($0.id, $0.user, $0.host) = (id, draw.other, isHost)
            }
        case 20:
            return RandomRequest(EntitiesMethods.cancelEvent, by: host, key: users[host]) { $0.id = id }
        default:
            events.remove(at: index)
            return RandomRequest(EntitiesMethods.deleteEvent, by: owner, key: users[owner]) { $0.id = id }
        }
    }

    private mutating func newEvent(_ draw: Draw) -> RandomRequest {
        let (id, isSeries) = (random.uuid(), random.below(2) == 0)
        events.append((id, draw.actor, 1))
        return RandomRequest(EntitiesMethods.createEvent, by: draw.actor, key: draw.me) {
            ($0.id, $0.title, $0.when.date) = (Data(id.bytes), draw.word, "2090-03-24")
            $0.conversations = [draw.anywhere]
            guard isSeries else { return }
            ($0.when.time, $0.when.timeZone, $0.when.durationMinutes) = ("02:30", "Europe/Zurich", 90)
            ($0.location, $0.link, $0.notes) = (draw.word, "https://example.org/\(draw.word)", draw.word)
            $0.recurrence = "FREQ=DAILY;COUNT=9"
            ($0.conversation, $0.sourceMessage) = (draw.anywhere, Data(id.bytes))
        }
    }

    private mutating func answer(_ id: Data, _ draw: Draw) -> RandomRequest {
        let statuses: [Parley_V1_AttendanceStatus] = [.accepted, .declined, .tentative, .pending, .declined]
        let (status, what, hosts) = (statuses[random.below(5)], random.below(4), random.below(5))
        return RandomRequest(EntitiesMethods.answerEvent, by: draw.actor, key: draw.me) {
            ($0.id, $0.status) = (id, status)
            if what == 0, status == .accepted { $0.guests = 2 }
            if what == 1 { $0.remindMinutes = 60 }
            if what == 2 { $0.conversation = draw.anywhere }
            if hosts < 2, status != .declined { $0.host = hosts == 0 }
        }
    }

    private mutating func change(_ index: Int, by host: Int, _ draw: Draw) -> RandomRequest {
        let (id, version, what) = (Data(events[index].id.bytes), events[index].version, random.below(9))
        events[index].version += 1
        return RandomRequest(EntitiesMethods.updateEvent, by: host, key: users[host]) {
            ($0.id, $0.version) = (id, version)
            switch what {
            case 0: $0.location = draw.word
            case 1: $0.link = "https://example.org/\(draw.word)"
            case 2: $0.notes = draw.word
            case 3: $0.recurrence = "FREQ=DAILY;COUNT=12"
            case 4:
                $0.changedDates = [
                    .with { ($0.date, $0.newDate, $0.newTime) = ("2090-03-25", "2090-03-27", "08:00") }
                ]
            case 5:
                $0.changedDates = [.with { ($0.date, $0.cancelled) = ("2090-03-26", true) }]
                $0.restoredDates = ["2090-03-25"]
            case 6:
                ($0.when.date, $0.when.time, $0.when.timeZone) = ("2090-03-24", "03:00", "America/New_York")
                $0.when.durationMinutes = 30
            default: $0.title = draw.word
            }
        }
    }
}
