import Foundation
import ParleyClient

extension Parley {
    /// Returns the dates of my events between two days, by time. Those of events that recur are expanded. Without a
    /// connection it returns what the server answered last for these days or more, as the events are now.
    /// - Parameters:
    ///   - first: "2026-12-01".
    ///   - last: at most 366 days in all.
    ///   - zone: in which these days are meant.
    ///   - conversation: only events into which it is invited; nil: all of mine.
    /// - Throws: `offline` for days that were never asked for.
    public func agenda(
        from first: String, to last: String, in zone: TimeZone = .current, of conversation: ConversationID? = nil
    ) async throws(Refusal) -> [EventDate] {
        let days = AgendaDays(
            first: first, last: last, zone: zone.identifier, conversation: conversation?.rawValue ?? "")
        let refusal: Refusal
        do throws(Refusal) {
            let read = try await ask { client throws(ParleyError) in try await Self.dates(days, client) }
            await write { try $0.put(StoredAgenda(days: days, dates: read)) }
            return read.dates.map(EventDate.init)
        } catch {
            refusal = error
        }
        guard refusal.isTemporary, let kept = await self.read({ try $0.agenda(days) }) ?? nil else { throw refusal }
        return dates(of: kept, on: days, zone)
    }

    private static func dates(
        _ days: AgendaDays, _ client: ParleyClient
    ) async throws(ParleyError) -> Parley_V1_ListEventsReply {
        var all = Parley_V1_ListEventsReply()
        repeat {
            let page = try await client.listEvents(
                from: days.first, to: days.last, timeZone: days.zone, conversation: days.conversation,
                cursor: all.cursor, limit: 1000)
            all.dates += page.dates
            all.cursor = page.cursor
        } while !all.cursor.isEmpty
        return all
    }

    /// Returns what was read before, for fewer days and with what is held of the events now.
    private func dates(of kept: StoredAgenda, on days: AgendaDays, _ zone: TimeZone) -> [EventDate] {
        let known = Dictionary(events.map { ($0.id, $0) }) { $1 }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return kept.dates.dates.compactMap { stored in
            var date = EventDate(stored)
            guard let event = known[date.event] else {
                // One of a conversation may be none of mine.
                return days.conversation.isEmpty ? nil : date
            }
            let isOff = event.changedDates.contains { $0.date == date.date && $0.change == .calledOff }
            guard !isOff, kept.days == days || date.touches(days, calendar) else { return nil }
            (date.title, date.location) = (event.title, event.location)
            (date.isCancelled, date.answer) = (event.isCancelled, event.answer)
            return date
        }
    }
}

extension EventDate {
    /// Whether it takes place on one of the days.
    fileprivate func touches(_ days: AgendaDays, _ calendar: Calendar) -> Bool {
        func day(_ time: Date) -> String {
            let parts = calendar.dateComponents([.year, .month, .day], from: time)
            return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
        }
        return day(startsAt) <= days.last && day(max(startsAt, endsAt - 0.001)) >= days.first
    }
}
