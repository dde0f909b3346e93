import Language
import Testing

/// Sentences as people write them, in the rows of the conventions. After `||` stand the messages before one.
@Suite("E8: what messages yield")
struct ExtractionTests {
    private func check(_ line: String, _ expected: String) {
        let parts = line.split(separator: "||").map { $0.drop { $0 == " " } }.map(String.init)
        let found = Scene.found(parts[0], after: Array(parts.dropFirst()))
        #expect(found.map(\.kind.rawValue).joined(separator: " ") == expected, "\(line): \(found)")
    }

    @Test("a plan with a day or a time is an event", arguments: events)
    func eventsRows(line: String) { check(line, "event") }

    @Test("a task with a day is a reminder", arguments: reminders)
    func remindersRows(line: String) { check(line, "reminder") }

    @Test("a conclusion of the group is a decision", arguments: decisions)
    func decisionsRows(line: String) { check(line, "decision") }

    @Test("without the messages before, the result is the same, or it is known to depend on them")
    func withoutContext() {
        var dependent = 0
        for line in events + reminders + decisions + nothing {
            let parts = line.split(separator: "||").map { $0.drop { $0 == " " } }.map(String.init)
            let alone = Extractor().extract(
                Utterance(sender: "me", text: parts[0]), at: Scene.wednesday
            ) { nil }
            guard let alone else {
                dependent += 1
                continue
            }
            #expect(alone == Scene.found(parts[0], after: Array(parts.dropFirst())), "\(line)")
        }
        #expect(dependent > 50)
    }

    @Test("what says nothing by itself is known to say nothing, whatever was said before")
    func saysNothing() {
        let texts = [
            "hello there", "how are you?",
            "the dog has eaten half of the sofa and looks rather pleased with himself about it",
        ]
        for text in texts {
            let found = Extractor().extract(
                Utterance(sender: "me", text: text), at: Scene.wednesday
            ) { nil }
            #expect(found == [], "\(text)")
        }
    }

    @Test("what is open, past, elsewhere or of others yields nothing", arguments: nothing)
    func nothingRows(line: String) { check(line, "") }
}

private let events = """
    that's perfect || dinner friday at 7?
    love it, yes || dinner friday at 7?
    that should work || dinner friday at 7?
    yes but I might be 10 min late || dinner friday at 7?
    ok where? || dinner friday at 7?
    our slot at the climbing hall is 10-12 on sunday
    Got you in with Dr. Patel on Friday at 11:20
    we'd love for you to join us friday at 7 for dinner
    we had to move the meeting to friday at 7
    I got us tickets for hamlet on friday at 7
    I'm getting my braces off friday at 2
    they're throwing us a party on friday at 7
    don't forget your appointment on friday at 2
    Jess and I are getting hitched on 12 November, noon, botanical gardens!
    just booked the squash court, 7 tomorrow evening
    we've got the inspector coming friday at 10
    I made an appointment for both of us at the bank, tuesday 1:30
    Ooh yes. Shall I get the tickets? || Fancy the new exhibition on Sunday afternoon?
    10 at the gate || zoo on saturday? || yes, what time?
    kickball friday 6:30, field 3. wear something red
    raid starts 21:00 tonight, be online 10 min early
    my place thursday night, 8ish
    so that's sunday, 2 o'clock, under the clock at the station
    ok im coming round yours at 7 tonight then
    we'd be honoured, what can we bring? || dinner at ours friday 7?
    Jess and Tom are getting hitched on 12 November, noon, botanical gardens!
    absolutely, where? || fancy a ride on sunday at 9?
    heck yes || pizza thursday at 7?
    The residents' circle meets Monday at 18:30 in the lobby
    4 is good || what time shall I come round tomorrow
    got tickets for the comedy club on saturday, doors 7, starts 8
    I've booked us in with the mortgage advisor tomorrow at 4
    we've got tickets for Hamilton on Friday at 8pm
    Fri 12:30 – pho with the team
    mum's taking me to the orthodontist tomorrow at 4:30
    👍 || beach on saturday?
    Grandma turns 80 on the 12th, we're throwing her a party at the village hall
    Interview panel confirmed: Friday 10am, room 4
    Evensong Friday 6pm at the cathedral, the choir would love to see you there
    working bee at the allotment saturday 10am
    wouldn't dream of missing it || wedding tasting saturday 7pm, you're coming right?
    not at all || mind if we push our call to tomorrow 3pm?
    got us a table at Noma, Friday 7:45pm 🤯
    Please save the date: 14 March, 11am, naming ceremony for baby Ada
    fishing with dad on saturday, leaving at 8am
    we celebrate dad's retirement on saturday at the lake house
    I've booked us a table for 8 on friday
    tomorrow 5pm at the usual bench
    7 tonight at Joe's
    Nan's 85th on Saturday, 1pm, the usual pub
    they've moved my surgery to the 9th, 7am check in
    game night's back on! thursday, 7, bring snacks
    Open day at the college on the 21st, 10-3
    I'm seeing the consultant on the 11th at 9:15
    The crew meets 5am at the dock tomorrow
    Lovely. We'll expect you for tea on Sunday around four.
    My graduation is on July 3rd at 10am, hope you can all make it
    Just confirming your dental cleaning on Thursday, March 12 at 2:30 PM.
    got a meeting w/ HR at 3 tmrw, wish me luck
    I'm taking Dad to his check-up on Thursday at 2
    You have been invited to an interview on 10 March at 14:00
    Meeting confirmed: Tuesday 10 March, 14:00-15:30, Zoom
    don't forget we have the notary at 9:30 tomorrow
    Dinner Friday 7pm
    see you tomorrow at 8
    let's meet Friday at 4
    come over Sunday
    dentist tuesday 3:15
    we're having people over on saturday night, bring a bottle
    Team lunch moved to Thursday 1pm
    The standup has been pushed to 10:30 tomorrow
    Got my haircut booked for friday at 2
    Mum's birthday meal is on the 14th at 7, Pizza Express
    I've got a job interview on Monday at 11
    You're all invited to our housewarming on 9 May from 4
    kickoff is at 3 on saturday, see you at the ground
    Swimming lessons start again next Monday at 4:30
    my scan is on thursday at 9
    parents' evening is next Tuesday from 5 to 7 in the hall
    Wedding rehearsal Thursday 6pm at the church
    We're meeting outside the cinema at 7:15
    meet me at the station at noon
    join us for brunch on sunday, 11ish
    I'm throwing a party on the 20th
    PTA meeting tomorrow 6pm, library
    the game is on saturday at 2, we need 11 players
    Tom's leaving drinks, Friday from 5:30, the Crown
    pizza at ours tomorrow night
    let's grab coffee tomorrow at 10
    we'll be at the park from 2 on Sunday, come join
    Don't forget dinner with the Smiths tomorrow at 8
    reminder: all hands tomorrow at 3pm
    vet appointment for Rex is Friday 9:40
    catch up thursday 4pm then
    Retro moved from Wednesday to Friday 11am
    Choir every Wednesday at 7:30 in the village hall
    picnic in the park on Saturday if you fancy it, 1pm
    I'll see you at the airport at 6
    we're going bowling on friday at 8, wear socks
    the funeral is on Tuesday at 11am
    Let's do Thursday at 2
    ok let's say 8 at mine tomorrow
    Meeting at 3pm today in room 4
    Zoom with the client at 2:30
    call at 5
    family dinner on christmas eve, 6 o'clock at grandma's
    board games tonight at 8
    Sarah's graduation ceremony is June 12 at 10am
    Training's back on Monday, 6:30 at the usual pitch
    I have a meeting with my supervisor on Wednesday at 10
    5-a-side tomorrow, 8pm, goals
    bbq this weekend at mine, saturday from 3
    We're getting together at Jo's on New Year's Eve
    The AGM takes place on 3 March at 19:00
    dinner reservation is at 8 tonight
    Our next residents' meeting is scheduled for 12 May, 7pm
    therapy at 4 today
    you're coming to ours for lunch on sunday, 1 o'clock
    school play is on thursday, doors at 6, starts 6:30
    hike on saturday, leaving at 8 from the car park
    i booked us a table for 7:30 on friday at Nopi
    Guys, movie night, Friday, 8pm, my place
    your appointment with Dr Lee is on 4 April at 10:20
    Design review is tomorrow at 11, not 10
    we fly out... no wait, dinner is thursday at 7 not friday
    yes, count me in || dinner friday at 7?
    works for me || can we do tuesday at 3?  meeting about the budget
    perfect see you then || coffee tomorrow at 10?
    sure, 8 is fine || drinks on friday? || what time? 8?
    I'm in! || hike on saturday, 9am?
    sounds good || lunch on thursday at 1?
    make it 7:30 and I'm there || dinner tomorrow at 7?
    Yes please || We can offer you an appointment on 12 March at 9:30, does that work?
    thursday works || can you do a call tuesday or thursday at 4?
    ok 6 then || tennis tomorrow? || 6 or 7?
    booked! || shall we do Nando's on friday at 7?
    Deal. See you at the court || squash tomorrow at 6?
    Yep let's do that || how about brunch on sunday at 11?
    👍 see you there || pub at 8 tonight?
    great, Saturday at noon then || are you free for lunch saturday? || yes, noon?
    Ok so the plan: we meet at the fountain at 11 on Saturday and walk from there
    Just got off the phone with the surgery, my appointment is Thursday 8:50
    they confirmed it! interview is on the 12th at 2pm
    Sorry for the short notice, but the meeting tomorrow is now at 9 instead of 10
    hey all, quick reminder that book club is tonight at 7, my place
    Nan's 80th is on Saturday the 14th, lunch at the Bell from 1
    You are cordially invited to the opening of our studio on 20 March at 18:00
    we're on for thursday, 6:30, usual table
    Football's back on tomorrow night, 8 till 9, astro pitch
    I've put us down for the 10:15 spin class on Sunday
    Please join us on Friday 20 March at 4pm for Linda's farewell
    Mediation session with the landlord is set for Monday at 14:00
    practice is an hour earlier this week: thursday 5pm
    Got the keys! housewarming next saturday from 6, bring nothing but yourselves
    ultrasound is next tuesday, 11:20, come with me pls
    Drinks on me this Friday, 8 o'clock, the Anchor
    Kids' swimming gala is on Sunday morning at 10, hope you can come and cheer
    The choir sings on Sunday at 4 in the cathedral, all welcome
    Training moved, it's 7 on Wednesdays now
    we're celebrating Ana's promotion tonight at 9 in the garden bar
    I have physio at 4 today so I'll log off early
    tomorrow 12:30 lunch with the new starters, canteen
    The viewing has been confirmed for Thursday 17:15
    let's move our 1:1 to friday 3pm
    my flight got cancelled so we're doing dinner on sunday at 7 after all
    Anniversary dinner, March 21, 7:30pm, dress up!
    Next D&D session is Sunday at 6, level up your characters beforehand
    All staff: fire drill tomorrow at 10:00, please use the east stairs
    Hi team, sprint planning starts at 9:30 on Monday in the big room
    see you both on the 28th for Lily's christening
    The wake will be at the Red Lion afterwards, around 3 on Friday
    good news, doctor can see you at 10:20 tomorrow
    so we'll meet there at half six tomorrow
    Tennis on Saturday is at 10 not 11, court 2
    come round at 8 tonight, the others will be here too
    Quiz night thursday at the Fox, 8pm, teams of 4
    ok lunch, tuesday, 12:30, that new ramen place
    Graduation's on the 3rd of July at 2 in the main hall
    we've moved the call, it's on friday at 11 now
    Mom's flying in for thanksgiving dinner, we eat at 4
    Karaoke tonight 10pm who's scared
    I'm hosting game night on Wednesday, come any time after 7
    Sunday roast at ours, 2pm, no gifts please
    The demo is on for Thursday at 11am PT
    Stand-up is at 9:15 tomorrow because of the audit
    The kids have a playdate with Leo on wednesday at 3
    bring your swimsuit, pool party saturday at noon
    So it's a date: Friday, 8pm, Casa Mia
    Community clean-up this Saturday, 9am at the river bridge
    we'll do the handover on monday at 9
    the memorial service is next Friday at 11 at St Anne's
    Webinar on tax returns next Wednesday, 18:00 CET, link to follow
    my band plays on friday at 9 at the Dublin Castle, come!
    Ok so I booked the court for sunday 5pm
    reunion is on the 5th of september, save the date
    just confirmed with mum, brunch is sunday at 11
    I need to see you tomorrow at 10 in my office
    The class has been shifted to 6pm on Monday
    Half term fun: museum trip on tuesday, we leave school at 9
    group study session tmrw 4pm library 2nd floor
    Eid lunch at my parents' on Friday, everyone's welcome, from 1pm
    yes we are still on for tomorrow at 7
    Rehearsal tomorrow has changed from 5 to 6:30
    You have a haircut tomorrow at 4, don't be late
    sure! || hey are you up for padel on wednesday at 7?
    absolutely, looking forward to it || Would you like to join us for dinner on Saturday? 7:30 at ours
    Yes, that works for both of us || would thursday at 3 work for the viewing?
    cool, I'll be there || we're meeting at the station at 9 tomorrow, want to come?
    lovely, let's say 12:30 || lunch tomorrow?
    Wednesday's good || can we do the call tuesday or wednesday? || at 10 would be best
    ok 7:30 then, at the usual place || drinks tomorrow? || can't before 7
    Great, see you Monday at 2 || I could do Monday at 2 for the interview
    done, booked for 8 || can you book us in at Mario's for dinner on friday?
    ok ok you convinced me, I'm coming || party at Ben's saturday 9pm, you have to come
    That'd be perfect, thank you! || I can offer you a physio slot on tuesday at 11:40
    noon it is || lunch on sunday, noon or 1?
    Confirmed. || Interview on 10 March at 14:30, please confirm
    I'd love to! || do you want to come to the theatre with us on friday at 7?
    I can make 5 || could we talk at 5 today? or 6
    friday then! || cinema thursday or friday? 8pm
    yup, 9 works, see you at the gym || gym tomorrow at 9?
    Fine, Tuesday. Same time. || can we move the call from monday 3pm to tuesday?
    go on then, 8 o'clock || pub tonight? 8?
    Sold. I'll bring the wine || dinner at ours saturday 7?
    my driving test is on wednesday at 8:14 wish me luck
    interview's been brought forward to tomorrow 9am eek
    Exam on Monday 9am, hall B
    I've booked us in for afternoon tea at the Ritz, Saturday 3:30
    The vet can only do 4:45 on Thursday so that's when we're going
    class starts at 6 tonight, don't be late
    just a heads up that the Q2 review will take place on 7 April, 10:00-11:30
    Morning all! Church picnic this Sunday straight after the service, 12 noon
    hair appt tues 2pm
    sunday lunch at nan's this week, 1pm sharp
    ok, so Tuesday at 7 it is, my place, pasta
    You two are coming for dinner on Friday, 7:30, I'm not taking no for an answer
    Bring your dancing shoes: salsa night, Thursday from 9
    Heading to the climbing wall tomorrow at 6, meet me there
    The neighbours are throwing a street party on 6 June, starts at noon, we're all going
    Sports day has been postponed to Wednesday because of the rain
    Ladies, spa day is confirmed!! 18 april, 10am
    Kat's baby shower, 2 May, 3pm, her mum's house
    Emma's recital is this Friday at 6:45 in the school auditorium
    Standup in 10 minutes
    Call in half an hour with the lawyers
    meeting with the architect at noon on the 9th
    I'm meeting Sara for lunch tomorrow at 1, you should join
    we're all going to the fireworks on saturday, leaving ours at 6
    Next rehearsal: Tuesday 10 March, 19:30, please be on time
    The workshop runs from 9 to 12 tomorrow
    The kids' football match is now Sunday at 9:30, away
    Town hall with the CEO on Thursday, 4pm CET
    Dinner's at 7 sharp tonight, shoes off
    Friday is Jen's last day, cake at 3 in the kitchen
    so are we all set? kitchen at 3 for cake. see you there
    Let's have the retro on Thursday at 4 instead
    I have a call with the Tokyo office at 7 tomorrow morning
    We've got parents evening on the 12th at 5:40
    mass is at 10 on sunday
    Surprise party for Lou on saturday!! be there by 6:30, she arrives at 7
    the meetup is next Thursday, 6pm, doors close at 6:30
    Breakfast meeting Wednesday 8am at the Wolseley
    see ya sat 2pm at the skate park
    see u at 6
    Catch you at the gym at 7 tomorrow
    lunch is on me tomorrow, 12:30
    tonight: pizza and board games, 7ish
    Zumba has moved to Thursdays at 6 from next week
    Hi Tom, confirming your eye test on Tuesday 10 March at 2:15pm
    Speech therapy for Max is on Wednesday at 4
    The hearing is scheduled for April 22 at 9 a.m. in courtroom 3
    let's all get dinner after the show on saturday, 10pm, at Mao's
    Quick sync at 2?? ok 2:15. see you in the blue room
    we're going to see Dune on friday, 8:20 showing
    poker night's back! thursday 8, same stakes
    Can't wait for saturday! Dinner at 8, then dancing
    Yes!! bowling on friday at 8
    I'll host the book club on the 19th at 7
    we have a table at Dishoom for 8 on Saturday
    the plumber's coming tomorrow so we're meeting at yours instead, 6pm
    after the film let's meet at the fountain, around 10 tonight
    Wednesday 6pm, choir. Bring your folders
    holy communion classes begin on Sunday at 9
    if anyone's interested, pub quiz tonight at 8, the Swan
    Not on Friday after all, the dinner is on Saturday at 8
    forget friday, movie night is thursday at 8 now
    wine tasting at the Vaults on saturday, 6pm
    ice skating tomorrow at 4, meet by the lockers
    pancake night tuesday at mine
    Nativity play is on the 11th at 2pm
    go-karting friday 7pm, 8 of us
    gender reveal on Sunday the 15th at 3, our garden
    supper club thursday 19:30
    Jonah's bar mitzvah is on May 9 at 10am
    lunch and learn tomorrow at noon in the atrium
    midwife appointment at 10 on friday
    walkthrough with the estate agent thursday 5:30pm
    thesis defense on Monday at 14:00, room 2.04
    pub crawl saturday starting at the Lamb at 5
    Mum's 60th is on the 21st, dinner from 7
    scrimmage tonight at 8
    site visit on Wednesday at 9, bring boots
    the christening has been set for Easter... sorry, for 19 April at noon
    Jury duty starts Monday at 8:30
    curry at Raj's, wednesday 8pm
    ramen tonight at 7, the usual
    stargazing at the hill on friday at 10 at night
    watch party for the final at Kev's, Sunday 7:30
    carol singing on 20 December at 5, main square
    school fete this Saturday 11-3
    our slot at the notary is Thursday 11:45
    I'm seeing the physio tomorrow at 8:30
    house inspection thursday at 10, be home
    done and done, 7 at the Crown || pub tonight? || what time || 7?
    sgtm || want to sync tomorrow at 11?
    perf, see u there || lunch at 1 tomorrow? the noodle bar
    I'm game || escape room saturday at 3?
    k, 7 at yours || movie tonight? || sure, when || 7 or 8
    you're on || tennis rematch sunday 10am?
    Great, that's in my diary || Could we do the review meeting on Monday at 14:00?
    8 works better, let's do 8 || dinner tomorrow at 7?
    works, booking it now || cinema on friday at 8:20?
    ok saturday it is || brunch sunday? || can't, saturday? 11?
    I'll take the 2:30 || We have slots on Wednesday at 2:30 or 4. Which would you like for the checkup?
    alright alright, I'll be at the gym at 6 || gym tomorrow 6am?
    bring it on || chess on friday at 8?
    fab, we're both coming || party at ours on the 21st, 8pm, can you two make it?
    ok but I have to leave by 10 || dinner at 7 tomorrow at ours?
    Tuesday at 3 is perfect for me || can we meet tuesday at 3 or wednesday at 10?
    cool, Thursday 4pm in the small room then || when should we do the retro? || thursday? || 4?
    Let's do it, same place as last time || poker on thursday at 8?
    wonderful! looking forward || would you come for tea on sunday at 4?
    ok ok, 6:30 at the station || hike sunday? || yes but early || 6:30?
    5 then. don't be late || shall we practise today? || after 4 || 5?
    lovely, thank you, see you on the 10th || Shall we say the 10th at 11 for the fitting?
    👌 friday 1pm || lunch one day this week? || friday? 1?
    yeah go on || fancy a swim tomorrow at 7am?
    why not! || karaoke tonight at 9?
    Right you are, 9 o'clock sharp || golf on saturday? 9?
    Accepted, thanks || Invitation: budget review, 12 March, 15:00
    Yes, both of us || will you join us for dinner on saturday at 7?
    he says yes, so 3pm at the park || can Leo come to play tomorrow? 3pm at the park?
    good, then Monday 10 a.m. it is || when can we talk about the offer? || Monday at 10?
    ok noon at Leo's works for me too || lunch? || noon at Leo's?
    I can do that || Are you able to come to the interview on 9 March at 13:00?
    No problem, I'll be there || the rehearsal on thursday starts at 6, can you come?
    Count us both in for saturday || barbecue on saturday at 5 at our place?
    nice one, put me down || 5-a-side tuesday 8pm, need one more. who's in?
    me! || who's up for a run tomorrow at 7?
    in || who's in for bowling on friday 8pm?
    Friday's fine. 6? yes, 6. || beers thursday or friday? || friday? || 6?
    Same as every month: board meeting on the first Thursday, 18:30, upstairs at Mo's
    Sorry folks, slight change, we're starting at 7 tonight instead of 6:30, same bar
    Not tomorrow, the day after: lunch with the auditors, 12:15
    Plot's ready, so gardening day this Saturday, 10 till 1, gloves provided
    Ok final plan for Sunday: meet 9:45 at the bus stop, hike, then pub
    Ollie's swimming gala, Friday 27 March, warm up 17:00, first race 17:45
    Great turnout last week! Next run club is Thursday, 6:30pm, same corner
    I know it's early but we're doing the photo shoot at 6am on Saturday
    You'd better not be late, the ceremony is at 2 on Friday
    We couldn't get Friday so the table is for Saturday, 8pm, under Patel
    Heads up, Nan arrives at 4 and we're having tea with her at 5 tomorrow
    Mark your calendars: alumni dinner, 17 October, 19:00
    The committee will meet on Tuesday 10 March at 18:00 to discuss the roof
    gig on the 28th!! support's on at 8, we're on at 9, the Windmill
    Uncle Joe's memorial is at 11 on the 16th, St Mary's, lunch after
    See you at the barbecue tomorrow, 1 o'clock, don't forget the buns
    ok so therapy moved me to 5 on Thursdays, starting this week
    we're going to Lou's for dinner tomorrow, she wants us there at 7
    Friday lunch is at the Greek this week, 12:45
    Stand up tomorrow is at 10 because of the all hands at 9
    tomorrow 8am: blood test. fasting from midnight ugh
    Dear neighbours, our summer party is on 20 June from 3pm in the courtyard
    Kids' party for Ida's 6th, Saturday 14th, 2 to 4:30, bring socks for the trampolines
    You're meeting the new client with me on Monday at 9:30
    Ana wants to introduce us to her parents, dinner on Saturday at 8
    we do parkrun every saturday at 9, you're welcome to join
    I moved our call to 4:30 tomorrow, hope that's ok
    tomorrow's stand-up will be at 11 instead
    Assembly point drill today at 3, whole building
    First antenatal class is on Tuesday evening, 6:45
    Let's catch up properly, tomorrow 4pm, my treat
    He proposed!! engagement drinks at ours Friday from 7
    just so everyone knows, Saturday's match is at 10:30 and we meet at 10
    please come to my recital on the 22nd at 5
    Pencil me out of nothing: I'll be at the quiz, thursday 8pm, be there too
    both twins have their check-up on Monday at 1:20
    i'll be giving a talk at the library on the 12th at 6, pls come
    BBQ Sunday at 2, bring a salad
    Rehearsal tomorrow at 6. Please bring ear plugs
    Class photo on Friday at 9, please wear the uniform
    Dinner at ours on Saturday 7:30, let me know if you're vegetarian
    Kickoff meeting on Monday 10:00, please read the brief beforehand
    Party on the 9th from 8, RSVP in the app
    Yoga tomorrow at 7, don't forget your mat
    Potluck on Sunday at 1, everyone brings one dish
    Meeting at 3, be on time please
    we're at nan's on sunday, she's doing a roast
    we're off to the Patels' on saturday at 2
    I'm down the allotment from 10 on saturday if anyone wants to join
    no training tuesday, it's wednesday at 7 this week
    Standup's cancelled today, we'll do it tomorrow at 10 instead
    i'll be outside the tube at ten to 7, see you there
    I'll book lane 4 for 8pm thursday, see you there
    Doing brunch with the Patels sunday 11am, you in?
    picking you up at 7 tomorrow for the concert, be ready
    having a few people over friday from 8, nothing fancy
    The surgery rang, they can fit me in tomorrow at 11
    they've brought the hearing forward to the 16th
    his memorial will be held on Friday at 2 at the crematorium
    she and I are having lunch on thursday at 12.30
    right we've got curling booked, friday week, 7pm
    my exhibition opens on thursday, private view 6-8
    Done. Wednesday, 4pm, your office. || When can we go through the budget?
    I need to move our 2pm to 3 tomorrow
    we'll start at 6.45 tonight not 7
    walking the dogs at 10 tomorrow up at the woods, join us
    I've scheduled us for 2 on wednesday to go through it
    little one's nativity is on the 10th at 1.45 if grandma wants to come
    I finish at 5 so meet you at the pool at 5.30 tomorrow
    our lane's booked 7 to 9 thursday
    tea at Betty's on the 9th at 3, want to join?
    Despedida for Tita Baby on Friday 7pm at Gerry's Grill
    Harambee for Otieno's school fees is on Sunday 2pm at Uhuru Gardens
    Fellowship holds this Sunday by 4pm at Brother Emeka's place.
    there's a PTM on saturday 10 am, both parents to attend
    visa biometrics tuesday 9:40
    parents forum: Wednesday 11th March 6-7pm, school hall
    kenduri at our house this sunday
    watch party for the finale sunday 9pm at mine
    rehearsal called for 6 tonight
    we booked the photographer for Sunday 3pm at the park
    Let us converge at the chief's palace by 10am on Saturday
    she's asked us over for dinner on friday at 7
    auntie's flight lands at 5 so dinner at hers at 8 tonight
    We'll take the 11.30 please || We have 10.15 or 11.30 on Friday for the haircut
    me and ravi are in || badminton tonight 8pm who's in
    10 by the fountain then || wanna go to the market saturday?
    ok see you both there || we're at the Crown from 7 tomorrow
    """.split(separator: "\n").map(String.init)

private let reminders = """
    consider it done || can you send me the report by friday?
    ill transfer you the money 2moro
    keep me posted by tuesday please
    can this be done by friday?
    would it be possible to send it by friday?
    I've got homework due tomorrow
    remember the bins tomorrow
    essays are to be handed in on friday
    everybody's slides in the folder by 6 tonight
    I aim to finish by friday
    Would somebody mind locking up tonight?
    If you haven't yet, please complete the survey by Friday
    would be awesome if you could bring the drill tomorrow
    could you please pop the forms in the post today
    I'll be needing those figures by Monday lunchtime
    You've got to hand your essays in by 15:00 on Thursday
    Students need to wear pyjamas to school on friday
    have the draft on my desk by tuesday
    Final call for kit orders: money to me by Sunday night
    Poster order forms close on Friday
    try to get it signed by Friday
    cut-off for the raffle is friday 5pm
    Proposals due March 19, no extensions
    mum don't forget to put the recycling out tonight
    let me know by tomorrow if you're coming
    Comments by Friday evening would be great
    i will ring the surgery when they open at 8 tomorrow
    Let's aim to submit the paper by 23 March
    Timesheets by Friday please!
    Action for Tom: update the docs by tomorrow
    grab some milk tomorrow, would you?
    aim to finish the report by Friday
    I've gotta run to the bank tomorrow
    Need someone to cover my desk tomorrow
    Let's have the draft finished by Monday
    My turn to do the school run tomorrow
    who can drive Gran to church tomorrow?
    PR needs reviewing before Friday
    by friday if possible || how soon do you need it?
    text me when you land tomorrow
    Library books due back Friday!
    I need to know by Friday if you're coming
    electricity bill due fri
    you said you'd send the invoice by friday
    can you grab the parcel before they shut at 6?
    I've promised to send Jo the photos by tonight
    Please be so kind as to return the signed copy by Monday
    I'd like the draft on my desk by Tuesday morning
    We should have the slides done by Wednesday night at the latest
    Can we get the budget signed off by Friday?
    Library book due back on the 11th
    I need to be reminded about the parking permit
    can one of you take the dog out at 5, I'm stuck at work
    Don't forget: council tax on the 1st
    by tomorrow evening, promise || when will the dress be finished?
    I'll take the cake to the party on Sunday
    I'll send it tomorrow
    you'll have it by Friday
    need to renew my passport by the end of the month
    gotta pay the electricity bill tomorrow
    note to self: cancel the gym before friday
    can you send me the slides by 5
    please submit your timesheets before Friday
    don't forget to lock the back door tonight
    bring the charger tomorrow
    rent is due on the 1st
    the form has to be in by Wednesday
    could someone take the bins out tonight?
    Would you mind picking up the cake on saturday morning?
    remind me to call the bank
    don't let me forget my passport
    ping me about the contract tomorrow
    I've got to finish the deck by tonight
    everyone please upload your photos by sunday night
    I need the numbers by noon
    Your library books are due back on Thursday
    make sure to water the plants on Wednesday
    i'll call you at 5
    I'll get back to you by tomorrow
    remember to book the tickets before Monday
    Applications close on Friday at 5pm
    The deadline for the essay is 12 May
    We have to hand the keys back by noon on Saturday
    assignment 3 due monday 9am
    pls let me know by thursday
    kindly confirm your attendance by 3 June
    I'm picking up the kids at 3:30
    Can you grab milk on your way home tonight?
    I have to call the landlord tomorrow morning
    we need to leave a deposit by the 5th
    you need to register by Friday
    I promise I'll fix it tomorrow
    RSVP by June 1
    Mom, can you sign the form by tomorrow?
    Will do it first thing tomorrow
    on it, you'll get the draft tonight
    Invoice needs to be paid by the 30th
    let me send you the address tomorrow
    tomorrow I'll drop the parcel at your office
    someone needs to order the cake by wednesday
    must remember to buy a card for Dad before Sunday
    Jo, please book the room for Monday
    can u remind me tomorrow about the thing
    poke me at 4 if I haven't replied
    set a reminder to take my pills at 9
    I should finish the report by friday
    I want the draft on my desk by Monday
    the council tax has to be paid by the 15th
    We'll get the quote over to you by close of business tomorrow
    take your medicine at 8
    tell Sam by tonight whether you're in
    I'm going to clean the garage on Saturday
    im gonna return the shoes tmrw
    your turn to do the dishes tonight
    tickets must be collected by 6pm today
    passport expires on 3 August, renew it
    thursday noon || when's the lab report due?
    friday at the latest || when do you need the photos by?
    by wednesday please || when should I send it?
    sure, will do || can you send the invoice by friday?
    Monday, end of day || what's the deadline?
    you've got until the 20th || how long do I have for the application?
    could you pick up the dry cleaning before 6 today?
    i owe you 20, will transfer tomorrow
    I'll have the designs ready by thursday
    I'll take the car to the garage on monday
    report's due end of next week
    Report to the front desk by 8:30 tomorrow
    the deposit must be paid no later than March 15
    Last day to register is Friday
    kids, clean your rooms before dinner tonight
    Ben, can you feed the cat on saturday and sunday
    heads up: your subscription expires on the 20th, renew before then
    Let me finish this first, you get the slides tomorrow by 10
    I said I'd bring a cake on Friday
    dont forget mums birthday present before saturday
    Don't forget your PE kit tomorrow
    Any chance you could send that over today?
    please have your passports ready by tomorrow
    hw is due tmrw at 8
    if you could get me the figures by Wednesday that would be great
    need your feedback by EOD
    We're collecting money for Ann's gift, please chip in by Thursday
    I still have to wrap the presents tonight
    Will send the minutes tomorrow
    gonna call the plumber first thing in the morning
    I'll remind you tomorrow about the forms
    tomorrow: call the insurance
    Everyone must complete the training by 31 March
    give the dog his pill at 8 please
    nudge me about the tickets on monday
    I'd better book the flights tonight
    you owe me the draft by tomorrow, remember
    Have the kids fed by 6 please
    Could you let me know by Monday whether you're coming?
    I'm sending the contract over tonight
    we should submit the proposal by Friday
    it's your turn to bring snacks on tuesday
    send me the address before 5 pls
    Hand in your badges on the last day of the month
    remind us to buy candles
    please don't let me forget to take the cake out at 4
    I'll look into it tomorrow and get back to you
    submit everything by 5pm Friday or you won't get paid
    Yes, tomorrow afternoon at the latest || can you fix the boiler soon?
    Next Tuesday || when do you have to return the books?
    I can do it, tomorrow evening || who can bring the ladder back?
    Descale the kettle by Friday please
    bleed the radiators on sunday
    Chip in 10 quid by tomorrow for the gift
    vote for your rep by 6pm
    the car needs taxing by the end of the month
    I must return the drill to Pete on Saturday
    We need everyone's dietary needs by Monday
    please fill in the survey by thursday night
    someone has to let the plumber in at 9 tomorrow
    I'll print the tickets tonight
    I'll pop round with the keys tomorrow
    will email you the invoice by 5
    i can drop it off tomorrow after work
    yes ok i'll clean the bathroom tomorrow
    sending the cv over tonight
    lemme know by friday if you want the ticket
    hey could you check the oven at 6
    can somebody water my plants on the weekend
    Please sign and return by 10 April
    cover letter due thursday 23:59
    Expenses must be in by the last day of the month
    the visa application has to be sent off before the 20th
    I haven't forgotten, you'll get your money on Friday
    You still owe me an answer by tonight
    gotta remember to defrost the chicken tonight
    don't let me leave without the cake tomorrow
    pls ping me when you land
    Remind me on Thursday to ring the bank
    remind me in 20 minutes to check the rice
    wake me at 7 please
    take out the recycling tomorrow morning pls
    Pick up Mia from school at 3 please
    I will book the ferry before the weekend
    I'll hand it in by Friday
    you need to read chapter 4 by Monday
    We'll need your passport copies by Wednesday
    on Friday I'm collecting the suit
    the library wants the book back by tuesday
    permission slips back by Thursday please
    forms to me by noon tomorrow please
    last day for early bird is Sunday
    Yes, by tomorrow evening || can you get me the numbers?
    I'll do it tonight || the bins need to go out
    sure, friday latest || can you return my drill?
    no problem, you'll have it at 3 || could you send me the floor plan?
    tomorrow, promise || when are you going to fix the tap?
    on the 15th || when is the rent due?
    I will, on Saturday morning || can you mow the lawn at some point?
    Give me until Thursday || when will the logo be ready?
    okay I'll pick them up at 6 || could you get the kids today?
    End of the month at the latest || when can you pay me back?
    Can it wait until Monday? I'll do it then || could you check my essay?
    One last thing: the keys go back to the agency by noon on Friday
    Homework for Thursday: read pages 40 to 60
    Can you two sort out the music by Saturday
    I still need to book the cattery before the 20th
    Shopping list for tomorrow: get eggs and flour
    Just to confirm, I'll transfer the rest on the 25th
    mum needs her meds picked up by 5, can you go
    Right, I'm ordering the flowers tomorrow
    If you want to come, reply by Thursday
    remember: bins out tonight
    We promised to feed next door's cat on Sunday
    My plan for tomorrow: call the bank, fix the tap
    Friday's the deadline for the grant
    Fees are payable by 1 April
    Can you cover for me on Saturday morning?
    I shall forward the contract by noon tomorrow
    tell your dad to ring me tonight
    Luke, your chapter is due Monday
    it's on me to bring the drinks on friday
    I'm supposed to hand in the keys tomorrow
    please don't forget to sign Ella's form before tomorrow
    I've to return the van by 6
    need these printed by 10 tomorrow
    I want everyone's slides in the folder by Thursday 5pm
    Let Jo know by Wednesday
    your essay must reach me by 9 on Monday
    Ping me if the deploy fails tonight
    got to be quick, the offer ends tomorrow so book it today
    whoever is last out on Friday, turn off the heating please
    I'm writing the report tonight, you'll get it before breakfast
    note: parking permit runs out on the 9th
    would be great if you could send it by Friday
    Please RSVP by the 10th
    make sure you pay the deposit before Monday
    drop me a line by Friday
    Back up your laptops before the upgrade on Sunday
    you've until Friday to correct your grades
    Before I forget: I'm picking up the cake on Saturday at 9
    bins out tonight, it's recycling week
    bins go out tonight
    passport renewal by friday, don't leave it again
    Gas bill by thursday latest
    car MOT by the 14th
    Form for the school trip has to be back tomorrow
    Maya needs picking up from gym at 5.30 tonight, I'm stuck
    2 quid for the cake sale tomorrow pls
    swimming stuff on thursday, don't forget goggles
    wetsuit back to Kev by friday
    note to everyone, keys back on the hook by 9
    water my plants on sunday would you?
    you couldn't nip to the post office for me before 5 could you
    don't suppose you could walk Bella at lunchtime tomorrow?
    fancy putting the oven on at 6 for me?
    be a love and put the oven on at 6
    I'd be grateful if you could return the marked copy by Tuesday
    can whoever has the projector return it by monday
    any chance of a lift to the station at 7 tomorrow
    could do with those figures by 3 if poss
    ping me the doc by 3?
    If you're not coming tell Sue by wednesday
    Ma take your BP medicine at 8
    someone grab ice on the way saturday
    nobody let me leave tonight without the cool box
    you're bringing the salad on saturday yeah?
    HMRC wants the return by the 31st
    I'll do the school run tomorrow, you have a lie in
    could you be in for the boiler man tomorrow 8 to 1?
    yes, by 6pm || Are you going to finish the slides today?
    send Dave £12 by tomorrow
    there's a bill to pay by the 15th
    I have 3 reports to finish by thursday ugh
    someone has to stay in for the delivery tomorrow
    you're on pickup tonight, 7.30
    done by 5, promise || when will the report be ready
    any chance you'd bring the drill back tomorrow
    kids are to bring a packed lunch on friday
    wellies needed tomorrow
    they need our numbers by friday for catering
    cover me at 4? gotta pick up my sis
    sign Joan's card before 10 tomorrow
    mum wants us to drop off the keys on sunday
    mum said to bring a coat tomorrow
    can help me buy bread tmr?
    mpesa me your 500 bob before friday
    if you need a lift let me know by thursday
    Please ensure timesheets are submitted by Friday noon
    contributions to reach the treasurer by Friday
    not yet, doing it tonight || did anyone call the plumber?
    will do, by friday latest || please update the wiki
    Everyone should come with their receipts on Monday
    tomorrow first thing I need that PO signed
    fees to be paid on or before 10th March
    note to self, cancel the free trial before the 10th
    you're on snack duty saturday
    """.split(separator: "\n").map(String.init)

private let decisions = """
    final tally 9 to 3, we keep the name
    we've made the call, season's over
    we're doing away with name tags
    blue won by a landslide
    we have an agreement: no trip this year
    the motion failed 3-5
    ok, scrapping the last chapter then
    we shook on it, the truck is ours for 4k
    We're definitely having the DJ, not the band
    you win, we'll get the cat
    sold. we take the old Corolla
    ok everyone hates it, we drop the green one
    starting next month rent is split by room size
    fine, we'll do it your way
    motion passed 6-2
    ok then it's the red curtains
    yes do it || should we go for the bigger van?
    Ok so to sum up: we take the train and split the cabin
    We're gonna keep the car
    sounds like we're going with Swift then || Kotlin or Swift? || swift imo
    we've ruled out Spain
    From Monday, all PRs need two reviews
    We put it to a vote and the cabin won
    so it's a no to the trampoline
    Starting next week, no meetings on Wednesdays
    We took a vote, it's the red one
    we will not extend the contract
    yes, let's get it || should we get a dog?
    agreed, we stay on Postgres || postgres or mysql?
    ok going with the Italian place then || italian or thai?
    We've decided to cancel the subscription
    The vote was 5 to 2 in favour of the new logo
    From now on, deploys only happen before noon
    it was decided that we skip the summer party this year
    we're not renewing the lease
    Fox it is || fox or wave?
    the committee has approved the new budget
    we all agreed on no presents this year
    Decision: we use Swift for the backend
    Team consensus is to drop IE support
    OK so it's settled, Portugal in September
    Right, blue for the kitchen then || blue or green for the kitchen? || blue
    we voted and the winner is Team Rocket
    majority says pizza, so pizza
    we're sticking with the old vendor
    unanimous: we're calling the dog Biscuit
    Let's go with option B
    we've settled on the blue one
    New rule: no phones at the table
    the family has decided to sell the house
    no more meetings on Fridays
    We're going ahead with the merger
    final answer: tacos
    after a long discussion we agreed to rewrite it in Rust
    perfect, train it is || train or car?
    deal, we split it three ways || shall we split it three ways?
    ok then we rent the van || should we rent a van?
    good, then Anna will chair || who should chair? || Anna?
    we decided against the extension
    Everyone's happy with Cornwall so that's that
    sold! we take the corner table || corner table or window?
    poll closed: 8 for Lisbon, 3 for Rome. Lisbon!
    The board voted to raise the membership fee to 40
    we'll use tabs
    we have chosen Maria as treasurer
    okay, decided: no gifts
    It's official, we're moving to Slack
    right then, that's agreed: two weeks in Cornwall
    No more red meat in the canteen, effective immediately
    Thanks all, Option A wins with 12 votes
    we'll stay with the current provider
    The team chose React over Vue
    so we're all agreed, nobody tells Mum
    After much back and forth we landed on "Nimbus" for the name
    By popular demand: taco Tuesdays are back
    As of today all PRs need two approvals
    alright, mountains over beach. done deal
    result of the poll: Saturday lessons move to the small gym
    The residents voted against the new bike shed
    Management decided to close the Leeds office
    we're not getting a dog, final
    let's go for the bigger one then, everyone agrees
    we won't be using Jira anymore
    Mark and I decided to home-school the kids
    okay so cats it is
    let's keep it simple: one slide each || how do we do the presentation?
    ok Thai it is then, ordering now || thai or indian? || thai
    yes, let's paint it green || green for the fence?
    fine, we drop it || shall we drop the third feature?
    good, then we hire her || should we hire Maria? || yes from me
    yeah let's do that || shall we split the bill evenly?
    The jury's in: we keep the old name
    We went with the blue tiles in the end
    okay you win, we get the big TV || big tv or small tv?
    we opted for the cheaper insurance
    It was agreed to postpone the launch
    resolved: the pool stays closed on Mondays
    We have a winner: Sunflower is the new class name
    everyone voted, blue logo it is
    that settles it: camping
    the ayes have it, we get a new coffee machine
    motion passes, quorum confirmed
    verdict: we keep the old sofa
    locked in: Crete, two weeks
    nobody objects so we switch to the new tool
    everyone's on board, we're doing Secret Santa
    we've gone for the oak floor
    right so the plan is: no gifts, just food
    we're keeping the cat!
    blue wins
    we ended up choosing the Thai place
    It's a no from all of us, we're not buying it
    as agreed in the meeting, all invoices go through Petra
    Approved by the committee: new goals for the pitch
    from next week we rotate the on-call
    the members voted 40 to 12 for the new statutes
    we're going to go with the second quote
    alright team B takes the morning slot, agreed by all
    ok so final: six people per table
    we came to the conclusion that we drop the feature
    Anna and I have agreed to sell the car
    ok, we take the early train || early train or late train?
    lovely, Greece it is! || Greece or Turkey? || Greece
    good, so we skip dessert || do we want dessert? || not really
    ok then Tim brings the grill || who brings the grill? || I can
    Okay so nobody minds, we move it online || anyone against moving it online? || no || nope
    agreed 👍 let's drop it || I think we should drop the newsletter
    done, we're getting the bigger one || small or big van?
    then let's do that || I suggest we split the costs by nights || fair
    fine, you win, dark mode it is || dark or light?
    Let's call her Luna then || luna or bella?
    So, democracy has spoken: Sunday walks stay
    Right. Nobody eats at their desk anymore, starting Monday
    I talked to everyone and we're going ahead with plan C
    The landlord and we agreed on 950 a month
    We're binning the old logo, the new one goes live with the redesign
    Minutes: item 3, agreed to hire a second cleaner
    Thanks for voting! Winner: the green one
    we shall call him Albert
    Everybody said yes so the cabin is ours for August
    alright, it's a deal, you cook and I clean
    The four of us have decided to start a band
    Long story short, we're not moving
    It has been decided that the office stays closed between Christmas and New Year
    We settled the argument: pineapple is allowed
    We picked a date format: ISO, end of debate
    the verdict is in and it's vinyl
    Yep, B then || A or B? || B for me
    Thanks, then I'll count that as a yes: we upgrade || any objections to upgrading?
    great minds! lasagne it is || lasagne or risotto? || lasagne
    Okay team, we're not doing overtime || are we doing overtime this week?
    oak then, sorted || oak or pine?
    sure, let's share one || do we each get a room or share?
    7-2 for the hoodies, hoodies then
    4 votes for Lisbon, 1 for Rome
    ok so we take the early train
    we're getting a puppy!!
    no trip this summer then
    Anna has been elected treasurer
    The parish council has turned down the playground
    we'll share a taxi
    The compromise is: dogs allowed on the patio only
    The club is keeping the old kit
    4 out of 5 said yes, so the trip is on
    we're taking the blue one
    lasagne won 🏆
    blue won, sorry greens
    ok calling it: we go monorepo
    design review outcome - keep the sidebar, lose the footer
    long story short, we said yes to the puppy
    no-one objected so Priya takes over as treasurer
    Bingo beats quiz 9 to 4, so bingo
    the votes are in. Nashville.
    we accepted the offer on the house
    right that's it we're never booking with them again
    nobody wanted the clown so no clown
    we took a show of hands and it's the escape room
    rebrand is a go
    Summary: vendor A wins, contract to be signed next week
    according to the poll we're doing tacos
    purple. done. || what colour for the bridesmaids || purple || purple
    Deal || 50 for me, 50 for you? || should we split the couch money evenly?
    ok Liam's doing the speech || who does the best man speech || liam obvs || fine by me
    we'll drop the quiz || shall we drop the quiz?
    we're all chipping in for a bike for Leo, that's the plan
    so yeah we went with Sky in the end
    nobody's against so the fee goes up to 12
    Following the vote, the name will remain unchanged.
    nobody picked hiking so it's laser tag
    rota decided, two people a week
    yes! Pepper. || should we name the puppy Pepper
    client picked concept 2
    Subs go up to £6 from April, agreed at the AGM.
    scrapping the raffle this year, too much work
    ok we're in agreement, no gifts over 30
    jess gets the big room, we drew straws
    we're doing curry not pizza
    """.split(separator: "\n").map(String.init)

private let nothing = """
    let's wait and see || shall we get the bigger van?
    I hate fridays || dinner friday at 7?
    not sure i can get it done by tomorrow
    done! || can you send me the report by friday?
    out of office friday || meeting friday 10?
    "have the best day tomorrow" is what she wrote
    Arsenal v Chelsea friday 19:45
    would love to but i'm skint || pub thurs 7?
    8 is inhuman || fancy a run on saturday at 8?
    what time's kickoff on saturday
    never mind, i'll not need the drill on sunday
    the decision is yours really
    You have to try the new ramen place on Friday
    It was decided long before I joined
    It is what it is
    I'd rather go on Sunday || beach on saturday?
    who else is going || beach on saturday?
    sorry, got a wedding to go to that day || beach on saturday?
    Doctor says I need to rest until Friday
    Thursday dinner would be nice
    hope the party on Saturday goes well
    enjoy your dinner tonight!
    I have to be up early tomorrow
    I have to work tomorrow
    the teacher wants her to redo it by Monday
    we always go with the cheapest
    do you have to work tomorrow?
    the deadline was Friday
    my parents decided to sell their house
    bit late for me tbh || is 3pm tomorrow too late?
    next time! || pub tonight?
    have another call then || can we meet tomorrow at 2?
    just landed, home at 7
    you should come tomorrow
    I'll have been here 5 years by Friday
    can you make it on friday?
    page 12 for tomorrow's class
    As he said: "I'll pay you on Friday". Sure.
    good luck with the exam tomorrow
    The rent was due on Monday
    who's free on Friday?
    can we get pizza on Friday?
    we should do brunch on Sunday
    Mum reminded me yesterday
    you should have told me on Friday
    dinner friday?
    could we meet at 2?
    maybe Saturday
    how about lunch on Tuesday?
    would 3 suit you
    thinking of having a bbq on Sunday
    we should grab dinner some time
    I'm free Friday
    on leave Monday
    landing at 18:40
    I'm working late tonight
    we're NOT meeting Friday
    tomorrow's 10am is cancelled
    the party on saturday has been called off
    I used to swim every Tuesday
    if it rains we meet at the pub at 7
    lol imagine a meeting at 6am on a Sunday
    Arsenal play Chelsea on Sunday at 4
    Shop opens at 9 on Mondays
    Your parcel will be delivered tomorrow between 9 and 11
    The train leaves at 7:42
    rain all day tomorrow apparently
    what time is the meeting on friday?
    are you coming on saturday?
    can't make it on friday, sorry
    we had dinner on friday at 8
    The meeting on Tuesday was a waste of time
    she's got the dentist at 3
    shall we say 8?
    drinks after work?
    anyone up for tennis on sunday?
    my shift starts at 6
    i'm on nights until thursday
    who's coming to the party on saturday?
    the pool reopens on Monday at 6am
    I can't do Thursday, what about Friday at 5?
    no football this saturday, pitch is frozen
    it's going to be 30 degrees on friday
    they're getting married in June
    I'd love to do dinner on Friday but I'm broke
    the film starts at 8 on channel 4
    we might go to the beach on sunday
    not sure about friday yet
    Half marathon in 1:45, not bad
    the bus is at 5:10
    I'll be home by 6
    Let me check with Sam about Friday
    wish we could have dinner on friday like we used to
    I'll do it at some point
    call u later
    I sent it yesterday
    no need to send it by tomorrow
    if you have time tomorrow send it over
    when is the essay due?
    she has to hand in her thesis by Friday
    you have to try the dumplings
    that reminds me, I saw Tom
    I already paid the rent
    you don't need to bring anything on Saturday
    He needs to submit by Monday
    thanks for reminding me
    is the rent due tomorrow?
    I finished the report on Tuesday
    remind me again why we live here
    my sister has to move out by the 1st
    could you believe it's friday already
    they have to refund you within 14 days
    do I need to hand this in by Friday?
    you should really see that film
    i have to say that was good
    I'd go for pasta || pasta or pizza?
    ramen gets my vote || ramen or sushi?
    did we decide?
    can't decide
    we might go with Rust
    ok || should we get the sofa?
    I'm going with the green dress
    I've decided to grow a beard
    The court decided against Apple
    That was decided before my time
    my sister decided to move to Spain
    we haven't decided yet
    I think we should go with A
    either is fine by me || a or b?
    hmm not sure || should we book it?
    Which one did you pick?
    they went with the cheaper one
    maybe we go with blue
    I vote for the red one || red or blue?
    have we agreed on a date?
    best decision ever
    let's decide tomorrow
    I'd rather have thai || thai or indian?
    sorry can't || dinner friday at 7?
    maybe, let me check || dinner friday at 7?
    I'm busy then || dinner friday at 7?
    what time? || dinner friday?
    could we do saturday instead? || dinner friday at 7?
    not this time || drinks tonight at 8?
    who else is coming? || party on saturday at 8?
    ooh tempting, will let you know || drinks tonight at 8?
    I wish, but I'm away || bbq sunday at 2?
    I'd love to but I can't || do you want to come to the theatre with us on friday at 7?
    Is 8 ok? || dinner tomorrow?
    let me ask my wife || dinner tomorrow at 8?
    depends on work || gym tomorrow at 6?
    Only if Tim isn't there || party on friday at 9?
    I'll try || party on friday at 9?
    I'm not sure I can || bbq sunday at 3?
    count me out || poker thursday at 8?
    ask me again on friday || drinks friday?
    the shop closes at 6 today
    kickoff 20:45, Bayern at home, on TV
    My alarm goes off at 5 every day
    She said the wedding was on Saturday
    last friday's dinner was great
    We met at 7 and talked until midnight
    train to Leeds leaves at 8:15 from platform 4
    I'm at the dentist
    I land at 6 on Friday
    Wish I could come on saturday
    Out of office until Monday
    They play again on Thursday at 8
    The gym is open until 10
    my parents are visiting from Friday to Sunday
    In case we meet on Friday, bring the book
    Was the meeting at 9 or 10?
    Do we still meet at 6?
    the party might be on Saturday
    concert tickets go on sale friday at 10
    This week's episode airs on Thursday at 9
    there's a 3pm bus
    He has his driving test on Monday
    it took from 9 to 5
    on Sundays I always have lunch with my parents
    I never go to the gym on Mondays
    he'll send it tomorrow
    I was supposed to send it yesterday
    Did you send it by friday like I asked?
    I could send it tomorrow but I won't
    You don't have to pay until March
    forget it, no need to call tomorrow
    i'll be late tomorrow
    i'll be at my desk by 9
    they need to finish by Friday
    we'll see each other around
    what do I have to bring on Friday?
    if I get the job I'll pay you back tomorrow
    Tom has to renew his visa by June
    remember when we had to hand in essays by fax?
    you'll love it, watch it tonight
    that reminded me of you
    I like the blue one better || blue or red?
    either works for me || thai or indian?
    hm, let me think || shall we hire her?
    could go either way || mountains or beach?
    Shall we go with blue?
    I decided not to go
    Scientists have agreed on a new definition
    Google decided to kill another product
    they agreed to meet later
    it's hard to decide
    what did the team decide?
    We need to agree on a name
    we'll decide on Monday
    no decision yet
    I chose the salad
    lol ok || should we rename the group?
    good question || which one do we take?
    we could go with the second one
    we went to Italy last year
    her boss decided to let her go
    thanks || shall we do A?
    he's meeting his lawyer on Friday at 3
    Amy has a dentist appointment on Monday
    did you have fun at the party on saturday?
    The restaurant is closed on Mondays
    The exhibition runs until 5 May
    What are you doing on saturday night?
    The dinner at 7 was delicious
    i was at the gym at 6 this morning
    The final is on Sunday at 8, Spain against France
    The appointment took two hours
    My dentist is great
    I love friday night dinners
    Dinner was amazing, thanks for having us on Saturday
    My flight boards at 7:20
    Should we book the cinema for friday?
    There's no class on Thursday
    class is cancelled today
    we didn't have training on monday
    I was thinking dinner on Friday maybe?
    Would love to do lunch sometime next week
    Let me know when you're free for dinner next week
    how was the concert on friday
    I have lectures until 5 every day
    We could do brunch on Sunday, or not
    yoga is at 6 on tuesdays if you ever want to come? no idea if it's full
    I'd rather meet on Friday
    Sam can't do Friday so dinner is off
    The party starts at 8 in my dream lol
    pick whatever you like
    I'll be in touch
    I'll think about it tomorrow
    I'll be there at 7
    we'll see on Friday
    I'll sleep in tomorrow
    I'm going home tomorrow
    They want it by Friday
    my boss wants the report by Monday, poor her
    he'll pay me back on Friday
    It will be ready when it's ready
    I was going to call you yesterday
    you should have sent it by Friday
    Would be nice to finish by Friday
    How am I supposed to finish this by Friday
    do you need it by friday?
    When do I have to pay?
    the sun will set at 8
    tomorrow will be sunny
    No rush on this, whenever you can
    I hate having to pay by the 1st
    nothing due this week
    I always pay rent on the 1st
    don't bother sending it tomorrow
    which one is it then? || luna or bella?
    tacos for me || tacos or pizza?
    I don't mind || tacos or pizza?
    they both sound good || tacos or pizza?
    why not both || tacos or pizza?
    we should decide soon
    the best option is B in my opinion
    we were going to go with B
    it was a tough decision
    everyone has their own opinion
    he's going with us
    I settled on the blue dress
    the vote is on Thursday
    voting closes at noon
    it's not final yet
    we don't have a decision
    Going to bed
    going to the gym
    then what
    done!
    agreed
    Deal with it
    so we got lost and then we ran
    the choice is yours
    final exam done
    haha who's paying || dinner at Nobu tomorrow at 8?
    what should I wear? || party on saturday at 9?
    hmm can we make it later? || dinner at 6 tomorrow?
    I have to work, sorry || gym at 6 tomorrow?
    ugh not again || retro on thursday at 4?
    Is Tom coming too? || dinner at 6 tomorrow?
    who's in? || bowling friday at 8
    let me get back to you || interview on tuesday at 9?
    8 is too late for the kids || dinner at 8 tomorrow?
    I'd prefer thursday || retro on wednesday at 4?
    Sounds fun but I'm broke || karaoke on friday at 9?
    maybe next week || lunch tomorrow at 1?
    Not really || are you up for a run tomorrow at 7?
    nah || beer at 6?
    can't this week || squash on thursday at 5?
    I'm out of town until sunday || poker thursday 8?
    I thought it was on friday || the party is on saturday at 8
    do they have vegan food? || dinner at Nobu tomorrow at 8?
    thursday is bad, what about friday || lunch thursday at 1?
    If the meeting is at 9 I'll miss the bus
    Had the party been on Friday I'd have come
    The doctor sees patients from 9 to 12
    My cousin's wedding was on the 14th
    I used to have choir on Mondays
    Dinner's ready
    The concert was moved last year
    in the show they always meet at 8
    Every time we have a party it rains
    I wonder when the next meeting is
    the kids go to football on tuesdays
    he's got a gig on friday but I'm not going
    What time was dinner again?
    nobody came to the party on friday
    we were at the dentist until 4
    Sam: "dinner at 8?" me: asleep
    I can only do lunch after 1
    I'm never going to that gym at 6 again
    It's my birthday on Friday and nobody cares lol
    the 7pm show was sold out
    lunch break is from 12 to 1 here
    no meeting today, enjoy
    Wimbledon final is on at 2 on BBC1
    Was hoping to see you on Friday
    Tickets for the gig on the 9th are gone
    she asked me to call her on Friday but I forgot
    We sent everything by the deadline
    You needn't bring anything on Sunday
    I would send it by Friday if I could
    is there anything due on Monday?
    He must hand it in by Friday
    I didn't have to pay until the 1st
    you must be tired
    Remind him, not me
    Don't remind me of that
    I'll let it go
    we'll always have Paris
    Can you believe he paid on Friday?
    the dishwasher is finally fixed since Friday
    I will never forget that Friday
    I say we go with oak || oak or pine?
    oak would be nice || oak or pine?
    Can we settle this tomorrow?
    we almost agreed
    my vote: oak || oak or pine?
    The jury is still out
    they've decided to close the school
    Decide for yourselves
    it all depends on the price
    looks like we may go with oak
    I'm cooking tonight
    the baby is due in May
    the bus is due at 5:15
    school ends at 3 on Friday
    last day of school is Friday
    Tom's essay is due Friday
    my sister's thesis is due on the 4th
    I can help on Saturday
    I'm painting all day tomorrow
    Lisa has to pay by Friday
    the sale ends on Sunday
    term ends on Friday
    I'll drive
    we'll miss you
    we'll see
    we're having a great time
    we're going to the beach
    so we went home
    ok we are here
    so we are late again
    right, we have to go
    we were at nan's last sunday
    i'm at mum's until sunday
    blue won the boat race again lol
    we won!!!! 🏆
    mum won the bake off at church
    bins weren't collected today, anyone else?
    why are the bins still out
    homework was due last friday and he's only just told me
    home by 10 hopefully
    all gone by 9am
    snow by friday they reckon
    do you need a lift on sunday?
    doing nothing on sunday for once, bliss
    me and dan went for a run at 6
    dan's going for a run at 6, mad man
    who schedules a dentist at 8am
    parties on sundays are the worst
    sunset is at 7:52 tonight
    the museum is closed mondays
    Congratulations! You have won a voucher. Claim by midnight
    Your order will be with you on Thursday
    Your verification code expires in 10 minutes
    let me know if friday or saturday is better for dinner
    "buy milk tomorrow" said the note. I did not buy milk.
    Stop reminding me how old I am
    oh nice! || I've got my driving test tomorrow at 9
    we're in Wales that weekend || paella at ours on sunday at 2, who's in?
    sounds amazing but we've got the in-laws || paella at ours on sunday at 2, who's in?
    let's vote || electric or petrol?
    it's a yes from me
    no more crisps left
    officially sick of this weather
    agreed, it was a great film
    we went with a guide and saw three lions
    going to bed then
    can you get the afternoon off on friday?
    the deadline for the poster was friday
    9 to 12.30 is too long for a workshop
    settled in nicely thanks
    hmm wednesdays are bad || Wednesday 2.30 for the walkthrough?
    drop off is friday, i think
    Please be advised the lift is out of order until Friday
    Thank you for attending the interview on Tuesday
    sorry in another meeting || quick huddle at 3 in the kitchen pls
    milk went off by tuesday
    order arrived at 5
    fancy seeing you here on a monday
    you couldn't pay me to go back on a friday
    set off at 6 this morning, just got in
    the plan is falling apart
    nobody picked up
    the chat died at 9
    England beat Wales 2-1 on saturday
    we stayed home in the end
    storm from midnight so no ferries
    would be great to see you before christmas
    we nearly went with blue
    the club has decided to sign him apparently
    Sam's bringing the ball on Saturday
    the gym is open till 10 tonight
    the kids go swimming on tuesdays
    Leeds against York saturday 3pm
    parcel at my house on friday
    ok || do we release today?
    price drops friday 9am
    """.split(separator: "\n").map(String.init)
