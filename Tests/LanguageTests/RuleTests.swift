import Language
import Testing

@Suite("E8: how the rules judge")
struct RuleTests {
    @Test("a result says which rule read it, from which words, with title, place, end and limit")
    func explained() throws {
        let found = Scene.found("Dinner with Omar Friday 7 to 10pm at Luigi's")
        let event = try #require(found.first)
        #expect(
            found.count == 1 && event.kind == .event && event.title == "Dinner with Omar" && event.location == "Luigi's"
        )
        #expect(event.date?.text == "2026-03-06" && event.time?.text == "19:00" && !event.isDeadline)
        #expect(event.rule == "a gathering with a time" && event.words.contains("Friday"))
        guard case .time(let end) = event.end else { throw Unexpected() }
        #expect(end.text == "2026-03-06T22:00")
        let task = try #require(Scene.found("please send the slides by tomorrow").first)
        #expect(task.title == "Send the slides" && task.isDeadline && task.words.contains("tomorrow"))
    }

    private struct Unexpected: Error {}

    @Test("an answer takes the day, the time and the place from what it answers")
    func settled() throws {
        let event = try #require(Scene.found("yes, count me in", after: ["dinner friday at 7 at Luigi's?"]).first)
        #expect(event.kind == .event && event.date?.text == "2026-03-06" && event.time?.text == "19:00")
        #expect(event.location == "Luigi's" && event.title == "Dinner" && event.words == ["yes"])
        let task = try #require(Scene.found("thursday noon", after: ["when's the lab report due?"]).first)
        #expect(task.kind == .reminder && task.date?.text == "2026-03-05" && task.time?.text == "12:00")
    }

    @Test(
        "links, addresses, names of files and accounts, code and quoted lines say nothing",
        arguments: [
            "See you again soon! https://t.co/7h0sAXiGex",
            "look at this https://news.example.org/2026/03/06/senate-votes-on-budget",
            "check out example.org/events/tomorrow", "2026-03-06_Meeting_Minutes.pdf",
            "mail dinner.friday@example.org", "www.dinner-tomorrow.com", "invite_friday_7pm.ics",
            "see `meeting tomorrow at 5` in the code", "```\nmeeting tomorrow at 5pm\n```",
            "> dinner tomorrow at 7\nsounds nice", "the log is in /home/dana/tomorrow/meeting-9am.txt",
            "https://meet.example.com/lunch-tomorrow-12pm?call=friday", "it is C:\\meetings\\friday\\10am",
            "[notes](https://example.org/meeting-friday-10am)", "mailto:dinner@friday.example", "meeting_friday_10am",
            "git clone git@example.org:team/standup-monday-9am.git", "IMG_20260306_190000.jpg",
        ])
    func opaque(text: String) { #expect(Scene.found(text).isEmpty, "\(Scene.found(text))") }

    @Test("what stands beside a link is read as without it, and its words stay in the title")
    func besideLinks() throws {
        for text in [
            "Dinner tomorrow at 7 https://maps.example.com/friday/9pm", "Dinner tomorrow at 7 (see menu_friday.pdf)",
            "> lunch on friday?\nDinner tomorrow at 7", "Dinner tomorrow at 7. `cron: 0 9 * * 5`",
            "Dinner tomorrow at 7, mail me at dana@example.org", "dinner tomorrow.\nat 7",
        ] {
            let found = try #require(Scene.found(text).first, "\(text)")
            #expect(found.kind == .event && found.date?.text == "2026-03-05" && found.title == "Dinner", "\(found)")
        }
        #expect(Scene.found("please review report.pdf by friday").first?.title == "Review report.pdf")
    }

    @Test("messages before one yield nothing by themselves")
    func context() {
        #expect(Scene.found("haha nice", after: ["dinner tomorrow at 7", "I'll send it by Friday"]).isEmpty)
        #expect(Scene.found("", after: ["dinner tomorrow at 7"]).isEmpty)
    }

    @Test("a message may hold two things, each of its clause")
    func two() {
        let found = Scene.found("Lunch with Omar Thursday 12:30 at Nando's, and I need to email HR by 5 today")
        #expect(Set(found.map(\.kind)) == [.event, .reminder])
        #expect(found.first { $0.kind == .event }?.time?.text == "12:30")
        #expect(found.first { $0.kind == .reminder }?.time?.text == "17:00")
        #expect(Scene.found("dentist Tuesday at 3, and parents evening Thursday at 6").count == 2)
    }

    @Test("the same message gives the same result, whatever was read before")
    func deterministic() {
        let text = "dentist Tuesday at 3, ok going with the Thai place then, remind me to call mum"
        let first = Scene.found(text)
        for other in ["Dinner Friday", "🎉🎉", "we decided"] { _ = Scene.found(other) }
        #expect(Scene.found(text) == first)
    }

    @Test(
        "messages in other languages yield nothing",
        arguments: [
            "Abendessen am Freitag um 19 Uhr?", "Treffen wir uns morgen um 7 am Bahnhof", "Meeting am Montag um 10 Uhr",
            "Party bei mir am Samstag um 8, kommst du?", "Ich schicke es dir bis morgen",
            "Wir haben uns für Rot entschieden",
            "Der Film beginnt um 8", "bitte schick mir das bis 5", "Zahnarzt Dienstag 15:15",
            "Dinner heute Abend um 8 bei uns",
            "On se voit demain à 8 h au bar", "Dîner vendredi à 19h chez nous", "Réunion lundi à 10h dans la salle 4",
            "Je t'envoie le document avant vendredi", "C'est décidé, on prend le canapé gris",
            "rendez-vous mardi 12 mars à 9h",
            "Cena el viernes a las 7 en casa", "Nos vemos mañana a las 8", "Reunión el lunes a las 10",
            "Te lo mando antes del viernes", "Hemos decidido ir a Lisboa", "La fiesta es el 14 de marzo a las 9",
            "Ci vediamo domani alle 8", "Cena venerdì alle 19 da noi", "Jantar na sexta às 19h",
            "Vergadering morgen om 10 uur",
            "Vi ses i morgen klokken 8", "Middag fredag kl 19", "Spotkanie jutro o 10", "明日の7時に会いましょう", "金曜日の夜に夕食",
            "周五晚上七点吃饭", "내일 7시에 만나요", "Ужин в пятницу в 19:00", "Встреча завтра в 10", "Συνάντηση αύριο στις 10",
            "اجتماع غدا الساعة 10", "पार्टी शनिवार को 8 बजे",
        ])
    func foreign(text: String) { #expect(Scene.found(text).isEmpty, "\(text): \(Scene.found(text))") }
}
