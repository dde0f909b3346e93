/// The phrases behind each cue. A line is a pattern of ``Cues``.
enum CuePatterns {
    static let traits: [String: Traits] = [
        "task": .task, "does": .taskThird, "tasking": .tasking, "past": .past, "stay": .staying, "settled": .settled,
        "choosing": .choosing, "me": .me, "us": .us, "you": .you, "others": .others, "wh": .question, "aux": .auxiliary,
        "the": .article, "kin": .kin, "body": .body, "venue": .venue, "gathering": .gathering, "adv": .adverb,
        "all": .group, "my": .possessive, "weekdays": .weekdays, "doing": .doing, "figure": .figure,
        "loose": .looseGathering, "weekday": .weekday, "month": .month, "thing": .thing,
    ]

    static let lists: [(Cue, String)] = [
        (.compound, compound), (.meeting, meeting), (.invitation, invitation), (.schedule, schedule), (.moved, moved),
        (.standing, standing),
        (.remind, remind), (.request, request), (.commitment, commitment), (.duty, duty), (.due, due), (.until, until),
        (.delivered, delivered), (.concluded, concluded), (.picked, picked), (.inclined, inclined), (.ruled, ruled),
        (.voted, voted),
        (.settles, settles), (.accepts, accepts), (.refuses, refuses), (.defers, defers), (.tentative, tentative),
        (.conditional, conditional), (.cancelled, cancelled), (.history, history), (.habit, habit),
        (.elsewhere, elsewhere),
        (.news, news), (.noNeed, noNeed), (.advice, advice), (.opinion, opinion), (.undecided, undecided),
        (.personal, personal), (.forgets, forgets), (.closed, closed),
    ]
}
