/// Lists of words, as a native speaker would write them down. Grammar and rules name the traits, not the words.
enum Vocabulary {
    static let months = [
        "january jan", "february feb febr", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
        "september sept sep", "october oct", "november nov", "december dec",
    ]

    static let weekdays = [
        "monday mon", "tuesday tue tues tuesd", "wednesday wed weds wednes", "thursday thu thur thurs", "friday fri",
        "saturday sat satday", "sunday sun",
    ]

    static let cardinals: [(Int16, String)] = [
        (0, "zero"), (1, "one"), (2, "two"), (3, "three"), (4, "four"), (5, "five"), (6, "six"), (7, "seven"),
        (8, "eight"), (9, "nine"), (10, "ten"), (11, "eleven"), (12, "twelve"), (13, "thirteen"), (14, "fourteen"),
        (15, "fifteen"), (16, "sixteen"), (17, "seventeen"), (18, "eighteen"), (19, "nineteen"), (20, "twenty"),
        (30, "thirty"), (40, "forty"), (50, "fifty"), (60, "sixty"), (70, "seventy"), (80, "eighty"), (90, "ninety"),
    ]

    static let ordinals: [(Int16, String)] = [
        (1, "first"), (2, "second"), (3, "third"), (4, "fourth"), (5, "fifth"), (6, "sixth"), (7, "seventh"),
        (8, "eighth"), (9, "ninth"), (10, "tenth"), (11, "eleventh"), (12, "twelfth"), (13, "thirteenth"),
        (14, "fourteenth"), (15, "fifteenth"), (16, "sixteenth"), (17, "seventeenth"), (18, "eighteenth"),
        (19, "nineteenth"), (20, "twentieth"), (30, "thirtieth"),
    ]

    static let units: [(Unit, String)] = [
        (.second, "seconds sec secs"), (.minute, "minute minutes min mins minutes"), (.hour, "hour hours hr hrs h"),
        (.day, "day days"), (.workday, "workday workdays"), (.week, "week weeks wk wks workweek"),
        (.fortnight, "fortnight fortnights"), (.month, "month months"), (.quarter, "quarter quarters qtr qtrs"),
        (.year, "year years yr yrs"), (.decade, "decade decades"),
    ]

    /// Short and careless spellings, with what they stand for.
    static let spellings = """
        tomorrow=tmrw tmrrw tmr tmw tmoro tmorrow tommorow tommorrow tomorow 2moro 2morrow tomoz tomo tomoro
        tonight=tn tonite 2nite 2night tnite
        today=2day todays
        please=abeg pls plz plss plsss pleaase pleeease pleease plsease
        you=u ya yous yall y'all youse
        are=r
        your=ur yr's
        do n't=dont don´t
        ca n't=cant
        can n't=cannot
        will n't=wont
        did n't=didnt
        does n't=doesnt
        is n't=isnt
        are n't=arent aint ain't
        was n't=wasnt
        have n't=havent
        has n't=hasnt
        would n't=wouldnt
        could n't=couldnt
        should n't=shouldnt
        i 'm=im
        i 'll=i'l ima imma
        i 've=ive
        you 're=youre
        you 'll=youll
        they 're=theyre
        we 'll=we'l
        we 've=weve
        that 's=thats
        it 's=its
        let 's=lets let´s
        who 's=whos
        what 's=whats
        when 's=whens
        where 's=wheres
        there 's=theres
        he 's=hes
        she 's=shes
        got to=gotta
        have got to=havta hafta
        going to=gonna gunna gon
        want to=wanna
        let me=lemme
        hit me up=hmu
        give me=gimme
        let me know=lmk
        because=cuz coz cos bc bcs bcoz
        with=w wth
        about=abt bout
        before=b4
        for=4real
        and=n
        okay=ok k kk okey okie oki alrighty
        yes=yeh yess yesss yessss yas yass yaaas yup yep yeah yea yh ye yeh yeahhh aye yessir
        no=nope nah naw nooo noo
        thanks=thx thnx ty cheers ta thankyou tysm
        everyone=every1 evryone
        someone=some1 sm1
        appointment=appt appts apptmt
        meeting=mtg mtng meetin
        birthday=bday b'day
        barbecue=bbq barbie bbqs barbeque
        see you=cya cu
        going=goin
        doing=doin
        coming=comin
        something=smth sth somethin
        probably=prob probs prolly
        definitely=def defo defs deffo deffos
        message=msg
        though=tho
        through=thru
        afternoon=arvo aft
        weekend=wkend wknd
        week=wk
        noon=noonish
        midday=mid-day
        o'clock=oclock
        until=til till 'til untill
        possible=poss
        sounds good=sgtm
        works for me=wfm wfme
        looks good=lgtm
        no problem=np
        of course=ofc obvs
        as soon as possible=asap
        by the way=btw
        easy=ez
        documents=docs
        booked=bagged nabbed snagged
        remember=rmb rmbr
        """

    static let irregular: Set<Substring> = [
        "send", "bring", "buy", "get", "ring", "write", "read", "make", "take", "give", "tell", "let", "put", "set",
        "leave", "hang", "find", "sell", "cut", "hold", "keep", "go", "do", "build", "begin", "pay", "dig", "sew",
        "sweep", "lend", "run", "have", "catch", "feed", "upload", "speak", "teach",
    ]

    static let tasks = """
        send bring buy get pick drop call phone ring email mail text message write read check fix finish submit hand
        turn file upload download pay transfer book reserve order cancel renew return collect fetch grab print sign scan
        fill complete prepare prep make bake cook clean wash tidy water feed walk take give tell ask let inform notify
        confirm reply respond answer rsvp review update edit draft post publish deploy merge push release ship test set
        schedule arrange organise organize plan pack move clear empty lock unlock open close switch charge replace
        change install backup save share forward add remove delete register enrol enroll apply vote donate chase follow
        ping poke nudge remind report invoice bill deliver mow paint repair mend sort study revise learn practise
        memorise translate proofread correct grade mark measure weigh look find research investigate dig put leave hang
        iron vacuum hoover sweep rake shovel assemble build mount unpack sew knit cut trim wrap label sell list swap
        exchange refund invite cover start begin stop hold wire venmo paynow zelle gcash mpesa gpay paypal revolut monzo
        cashapp paytm momo lend borrow settle sync commit type format copy attach photocopy fax slack dm whatsapp
        compile tally count do run circulate distribute redo rewrite rework finalise finalize patch restart reboot
        rotate archive migrate onboard brief hire top refill restock defrost marinate thaw soak freeze fold hide unload
        load recycle bin dump pump inflate sharpen oil service pot plant prune weed spray groom brush bathe worm
        medicate contact approach thank congratulate apologise apologize warn alert involve loop cc escalate approve
        authorise authorize certify stamp witness notarise verify validate double-check doublecheck inspect audit assess
        evaluate compare calculate estimate quote price negotiate claim dispute appeal sue petition nominate elect
        second endorse present pitch explain describe summarise summarize outline sketch design model prototype code
        program debug nip pop park sub speak revert wear stick chuck bung shove shout holler extend refactor document
        record film shoot photograph crop retouch render animate compose rehearse perform
        """

    static let pastBases = """
        play watch want need help like love miss visit stay live work arrive land travel fly cross pass end happen
        decide agree talk chat discuss walk climb swim dance laugh cry wait hope try use enjoy finish attend join cook
        serve ask seem look show turn rain snow score wander ruin kill crash explode
        """

    static let traits: [(Traits, String)] = [
        (.gathering, gatherings), (.looseGathering, looseGatherings), (.task, tasks),
        (
            [.evening],
            """
            dinner drinks pub beer beers pint pints cinema movie movies film theatre theater concert gig party karaoke
            cocktails cocktail poker quiz night tonight evening fireworks supper clubbing disco mic comedy bingo trivia
            jam rave ceilidh opening sushi pizza curry ramen tapas hotpot steamboat
            """
        ),
        ([.morning], "morning breakfast dawn sunrise"),
        (
            [.past],
            """
            was were had did went got met came saw sat said told took made gave found left ran won lost ate drank slept
            bought brought thought felt kept heard paid sent spent stood held knew wrote read drove flew broke spoke
            fell began threw grew wore woke rode sang sank swam hit hurt built caught taught sold forgot forgotten done
            been died gone
            """
        ),
        (
            [.staying],
            """
            be am is stay arrive land get home sleep rest work fly travel leave depart finish wake live free busy around
            away late early out off back here there awake online offline stuck running
            """
        ),
        (
            [.timeStart],
            """
            today tonight tomorrow yesterday day the this next last coming upcoming following previous past current
            every each weekend end eow eom eoy month beginning start noon midday mid midnight half a an quarter between
            from in within after give another couple few fortnight now right at immediately asap as week year later
            earlier eod cob cop eob close same that then morning afternoon evening night lunchtime noontime midmorning
            midafternoon ytd first second third closest nearest am pm by during on over for just to q1 q2 q3 q4 h1 h2
            rest remainder date ides twenties thirties forties fifties sixties seventies eighties nineties
            """
        ),
        ([.me], "i me myself"), ([.us], "we us ourselves"), ([.you], "you yourself yourselves"),
        ([.others], "he she they him them himself herself themselves it"),
        ([.question], "who whom whose what which when where why how"),
        (
            [.auxiliary],
            "do does did is are am was were can could will would shall should may might must has have had 's 're 'm 'll 'd 've"
        ),
        ([.article], "the a an this that these those"), ([.possessive], "my our your his her their its mum's dad's"),
        (
            [.preposition],
            """
            at on in by for from to of with about around before after until into over under near through since between
            during against without within off up per despite via amid unlike onto throughout
            """
        ),
        (
            [.adverb],
            """
            just also really still already now then finally all both officially definitely actually always only so
            quickly probably maybe perhaps hereby jointly collectively unanimously together mutually simply basically
            pretty literally totally absolutely certainly surely quite again once soon therefore first next eventually
            """
        ),
        (
            [.kin],
            """
            brother sister mother father mum mom dad son daughter cousin aunt uncle grandma grandpa gran granny nana nan
            grandad granddad nephew niece wife husband boyfriend girlfriend partner boss manager neighbour neighbor mam
            aunty auntie bhaiya didi nonna oma opa gogo lola lolo tita tito ma amma papa mama mummy daddy friend
            roommate flatmate colleague ex coworker landlord kid kids
            """
        ),
        (
            [.body],
            """
            team committee board family council group class club jury panel crew squad department household band company
            leadership management parents staff everyone everybody majority association union members cabinet
            shareholders trustees congregation faculty assembly guild collective cooperative coop partners founders exco
            executive chama sacco clan elders choir cast mods admins delegates tenants client kids residents neighbours
            neighbors captain boys girls lads pta pto hoa trust society chat gc
            """
        ),
        (
            [.venue],
            """
            restaurant place pub bar cafe café hotel hostel cinema beach bistro diner pizzeria steakhouse trattoria
            brewery club airbnb campsite cabin cottage villa resort spot venue option one joint
            """
        ),
        (
            [.opener],
            """
            okay yes hey hi hello ooh aw so and but well also right alright righto great perfect lovely cool fine sure
            good super awesome excellent brilliant nice thanks sorry oh ah um hmm lol haha omg yay please then now
            anyway fyi ps btw reminder note psa update everyone everybody guys folks team all people friends dear kindly
            quick news no wonderful fantastic sweet deal done dude mate bro lads ladies girls y'all aight bet ngl tbh
            honestly just maybe attention important urgent heads-up plus lah lor leh sia hor yaar po fam sis
            """
        ),
        (
            [.conjunction],
            "and but so because or then plus yet although though while whereas since unless if as when after before"
        ),
        (
            [.settled],
            "decided agreed settled chosen chose picked voted opted resolved concluded landed plumped elected approved adopted"
        ),
        (
            [.choosing],
            """
            going choosing picking taking getting using keeping sticking switching moving dropping ditching boycotting
            scrapping cancelling canceling buying hiring adopting naming calling staying making doing having skipping
            splitting selling painting renting booking launching shipping starting stopping banning raising cutting
            merging renaming replacing building hosting opting settling allowing inviting voting closing opening
            introducing abolishing leaving postponing delaying pausing freezing killing retiring supporting running
            ordering serving wearing flying driving adding removing
            """
        ),
        ([.thing], things),
        ([.group], "everyone everybody all anyone anybody whoever those"),
        (
            [.foreign],
            """
            der das und nicht ich wir ihr sie ist sind ein eine einen auf für fur zum zur beim uhr morgen heute abend
            wann wer wie kommst kommt habe haben wird werden noch schon bitte danke aber oder une avec pour dans sur
            nous vous je elle et mais demain soir lundi mardi mercredi jeudi vendredi samedi dimanche midi heures heure
            chez rendez à où est-ce qui que los las un una por mañana noche lunes martes miércoles miercoles jueves
            viernes sábado sabado domingo nos vemos está esta hasta pero como cuando donde gli di che non sono domani
            lunedì martedì mercoledì giovedì venerdì sabato domenica alle ci vediamo os uma não nao amanhã amanha às
            reunião reuniao terça quarta quinta sexta het een niet voor naar vanavond om uur maandag dinsdag woensdag
            donderdag vrijdag zaterdag zondag og ikke det er på pa klokka klokken imorgen kl och inte jag vi imorgon
            kväll måndag tisdag onsdag torsdag fredag lördag söndag klockan się nie jest jutro wieczorem poniedziałek
            wtorek środa czwartek piątek sobota niedziela godzinie montag dienstag mittwoch donnerstag freitag samstag
            sonntag treffen treffpunkt
            """
        ),
        (
            [.english],
            """
            the a an and or but is are was were be been am i you he she we they it my your our their this that these
            those of to in on at by for from with about have has had do does did will would can could should shall not
            n't 's 'll 're 've 'm 'd if when what who how there here please let all so just get see meet next every
            tomorrow today tonight friday monday tuesday wednesday thursday saturday sunday morning evening afternoon
            night noon before after until
            """
        ),
    ]

    static let things = """
        bin bins rubbish trash garbage recycling washing laundry compost bottles glass cardboard binbags key keys book
        books slip slips form forms essay essays homework hw coursework assignment assignments worksheet paper papers
        report reports draft drafts slides deck chapter thesis abstract manuscript transcript proposal timesheet
        timesheets expenses invoice invoices receipt receipts quote quotes contract contracts minutes agenda rent
        deposit fee fees payment payments instalment installment bill bills tax taxes subs dues premium mortgage loan
        money cash cheque passport passports licence license visa id kit uniform bag bags packed-lunch lunchbox charger
        ladder toolbox tickets application applications entries registration renewal renewals feedback comments edits
        corrections changes figures numbers signature signatures consent permission questionnaire survey tablets pill
        pills meds medicine antibiotics inhaler vitamins wormer insulin dishes dishwasher hoovering ironing dusting
        groceries shopping prescription insurance rego logbook badge laptop swimsuit swimmers stuff gear clothes costume
        goggles notes quid pounds tenner fiver oven heating sprinklers milk bread eggs butter nappies diapers car van
        trailer bike bikes contribution contributions donations pledges pledge rsvps waiver waivers permit permits
        laptops badges chargers mugs plates tools helmets bibs shirts jerseys cones order orders
        """

    static let gatherings = """
        dinner lunch brunch breakfast supper drinks pint pints beers cocktails barbecue picnic potluck cookout braai
        tapas party parties wedding reception ceremony funeral memorial christening baptism housewarming stag hen
        anniversary graduation prom gala fundraiser reunion gathering celebration farewell bonfire sleepover playdate
        shiva vigil bris quinceañera quinceanera bachelorette mixer soiree meeting meetup meet-up standup stand-up retro
        retrospective kickoff kick-off workshop seminar webinar conference interview huddle debrief presentation
        townhall all-hands briefing agm hearing offsite off-site postmortem lecture tutorial viva assembly recital
        symposium hackathon roundtable colloquium dentist doctor doctors doctor's gp vet vets haircut barber barbers
        hairdresser physio optician opticians checkup check-up appointment ultrasound jab vaccination therapy massage
        orthodontist dermatologist chiropractor manicure pedicure facial consultation fitting viewing physiotherapy
        osteopath podiatrist paediatrician pediatrician gynaecologist therapist counselling counseling mot yoga pilates
        zumba spin hike swimming bouldering climbing tennis squash badminton football footy soccer basketball volleyball
        rugby cricket hockey golf bowling padel paddle pickleball karate judo boxing salsa choir rehearsal practice
        class lesson scouts match tournament race marathon quiz trivia poker karaoke movie cinema concert gig theatre
        theater opera ballet musical festival exhibition museum zoo aquarium camping fireworks parade pub dancing
        clubbing sauna surf bingo dnd paintball regatta carnival matinee netball lacrosse softball baseball kayaking
        sailing skiing snorkelling rowing parkrun crossfit gymnastics jiujitsu taekwondo dodgeball ballgame sightseeing
        retreat excursion outing get-together catchup catch-up communion mass bbqs seder iftar eid diwali thanksgiving
        nativity carols panto pantomime skating karting go-karting trampolining darts snooker frisbee stargazing
        antenatal midwife smear jury inspection walkthrough onboarding scrum fika fete fête tryout scrimmage mitzvah
        confirmation shabbat puja cuppa sledging wreath campfire hayride clambake fondue raclette dim-sum vaccine
        booster checkups obstetrician acupuncture reiki osteo chiro hygienist counsellor counselor tutor tutoring
        masterclass bootcamp meditation breathwork archery fencing wrestling parkour orienteering geocaching nurse
        cardiologist urologist podiatry trampoline rounders ultimate quidditch triathlon aquathlon relay derby friendly
        scavenger murder-mystery notary solicitor lawyer accountant showing procedure prayers op conferences interviews
        screening premiere vernissage showcase gigs recitals auditions audition casting stargaze 1:1 evensong vespers
        matins brainstorm brainstorming kickabout kickboxing aerobics hiit kettlebells barre capoeira futsal petanque
        boules croquet mahjong scrabble catan warhammer cremation burial interment colonoscopy endoscopy biopsy
        mammogram dialysis chemo chemotherapy appraisal webcast keynote summit convention expo tailgate luau hoedown
        suhoor hanukkah garba mehndi sangeet nikah walima aqiqah gymkhana hackday kickoffs crit mentoring coaching
        hypnotherapy optometrist audiologist endocrinologist gastroenterologist oncologist neurologist dietitian
        nutritionist registrar conveyancer banquet feast barmitzvah raffle tombola fishing angling foraging caving
        abseiling canoeing canyoning rafting zorbing windsurfing kitesurfing snowboarding tobogganing birdwatching
        pottery ceramics cycling jogging gardening rendezvous surfing sledding paddling grading gradings tee-off trial
        nets naming despedida steamboat hotpot harambee mehendi ptm negotiations outdooring baraza owambe hustings lobola haldi
        pooja bhajan kirtan dandiya visarjan milad taraweeh choma meet-and-greet bake-off biometrics induction
        homecoming disco rave ceilidh open-mic jam session training orientation checkin check-in
        """

    static let looseGatherings = """
        coffee tea call slot zoom sync demo review planning exam test lecture game show film run walk swim ride gym
        church service study course fair market beach trip visit bowls chess cards games board-games ceilidh shower ball
        prayer group club band practice meet hangout talk chat pizza curry ramen sushi burgers roast cake scan nails
        tattoo spa sail ski quiz dance standups one-on-one onsite engagement screening premiere launch opening unveiling
        tasting tour auction rave lesson camp sermon worship discussion debate briefing handover grooming defence
        defense surgery operation x-ray xray mri tryouts trials
        """
}
