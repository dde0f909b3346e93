// What speaks of gatherings, and against them.

extension CuePatterns {
    static let compound = """
        all -? hands; town -? hall; tee off|time; kick off has; mock trial|exam|interview
        stand|catch|clean - up
        kick - off {meeting|call|is|on|at|this|for|friday|monday|tuesday|wednesday|thursday}?
        check - up|in; get - together; one - on|to - one; meet - up|and; off - site; book club|group
        eye|blood|driving|hearing|smear|swim|pregnancy test|exam
        parents|parent|parents' 's? '? evening|night
        board|town|team|staff|residents|project|budget|client|sales|partner|committee|union|weekly|daily|monthly|quarterly|annual|status|family|group|conference|video|zoom|planning|sprint|standup|design|code|tenants meeting|call|sync|review|catchup|drinks|dinner|lunch|planning
        girls|boys|lads|finals|awards|talent|bake|craft|date|game|games|movie|film|quiz|curry|poker|pub|open|music|comedy|trivia|bingo|karaoke|wine|pizza|taco|family|night|opening|guys|ladies|school night|nights|mic
        office|happy|visiting hours|hour; open day|house|evening|mic
        parent|parents teacher thing|meeting|night|conference|evening|conferences
        picture|photo|career|careers|culture|orientation|speech|founders|sports|field|fun|moving|play|wedding|beach|spa|training|family|graduation|prize|leavers day|date|giving
        birthday|leaving|farewell|welcome|garden|dinner|launch|engagement|retirement|surprise|house|pool|christmas|xmas|halloween|office party|do|drinks|lunch|dinner|thing|bash|meal
        baby|bridal shower; hen|stag do|party|weekend; dress|costume rehearsal|fitting
        flea|farmers|christmas|food|street|craft market|fair|festival
        house|flat|apartment|property viewing
        photo shoot; board|video|card|card games|game; escape room; laser tag
        bible|study|prayer|reading|writing|support|knitting study|group|circle|session
        yoga|spin|dance|cooking|pottery|art|music|piano|guitar|swimming|swim|riding|driving|language|spanish|french|german|english|boxing|gym|dog|fitness|salsa|ballet|drawing|painting class|lesson|lessons|training|session|practice
        job|client|phone|video interview|call
        hair|doctor|doctors|dentist|vet|hospital|clinic|bank|visa|passport|gp|dental|medical appointment|visit|checkup
        school|summer|band|football|soccer|training|scout|day camp
        school|end|class play|concert|trip|assembly|fair
        fun|park|charity|group|morning|night run|ride|walk|hike|swim
        bike|dog|group ride|walk|training
        movie|film|book|game|craft|quiz|date night|club|screening
        farewell|team|business|working|christmas|sunday|family|work lunch|dinner|breakfast|brunch|roast|drinks|meal
        annual general meeting; funeral|afternoon|high tea; house - warming; bring and share
        bring - and - share; pot - luck
        watch|viewing|tasting|dinner|slumber|pizza|block|street|cocktail|dance|listening party
        litter pick; bake -? off|sale; car boot; house|flat party|warming; half marathon
        clean up day
        work|study|jam|writing session|party|group
        meet and greet; sign - up|in day; fire|evacuation drill
        {doing} day|session|class|club|party|trip|evening|night|lesson|practice|group|weekend|workshop|retreat
        birthday {gathering|loose|thing|bash|celebration|meal|weekend|bbq|tea|evening|night}
        supper|book|film|wine|cheese|chess|running|hiking|breakfast|lunch club
        pub|bar crawl; axe throwing; ice|roller skating; go - karting; paint|sip and sip
        wine|beer|whisky|gin|cheese|food tasting
        gender reveal; bar|bat mitzvah; lunch and learn; lunch - and - learn; brown bag
        life drawing
        school|summer|village|church|winter fete|fair|fayre
        swim|track meet; site|home|school|farm visit; dim sum; hot pot; korean barbecue; fish fry
        crawfish|crab|shrimp|lobster boil
        pumpkin|apple|strawberry|berry picking
        carol singing|service|concert; tree lighting
        pancake|cheese|raclette|fondue|pottery|craft|knitting|bridge|sauna|taco|burger|steak|gaming|anime night
        murder mystery; scavenger|treasure|egg hunt
        thesis|dissertation|phd defense|defence|viva
        vow renewal
        sprint|quarterly|annual|project|design|code|performance|mid - term review
        jury duty; working bee
        jumble|yard|garage|rummage|cake|plant|book sale|swap
        barn|line|square|tea dance|dancing; tai chi; five|six|seven - a - side; root canal
        {my|the|her|his|'s} wisdom tooth|teeth
        parent|parents|teacher - teacher; comic con
        coffee|curry|gaming|bonfire|burns|quiz|girls|guys|lan|poetry morning|night|evening|party
        prize|award|awards|graduation|opening|closing|naming|citizenship ceremony
        court date
        {my|the|'s} 30th|40th|50th|60th
        's 18th|21st|70th|80th|90th|100th; meet the teacher|team
        beach|boat|city|day|road|camping|ski trip
        work|farewell|birthday|leaving dinner|lunch|meal|drinks|do
        a - side; three - legged race
        team|class|group|family|school photo|photos|portrait
        dental|teeth cleaning|checkup|appointment|surgery
        dungeons and|& dragons
        ^signing|handover|fitting|inspection|closing|induction|registration|rehearsals|trials|auditions at|with|in|on|is
        """

    static let meeting = """
        see|seeing|cya {you|all}
        see you|everyone|everybody|all
        let 's {adv}? meet|do|have|catch|get|grab|go|hang|play|call|talk|chat|say|make|start|watch|celebrate|sync|train|run|ride|hike|walk|eat|speak|gather|move|push|shift|reschedule|bring
        ^meet|meeting|meetup
        ^assemble|gather|convene|converge at|in|outside|by
        let 's|us {adv}? link up
        let us {adv}? meet|gather|converge|assemble|convene|eat|hang|catch
        {us} 're|are|will|'ll|shall {adv}? meet|meeting|gathering|getting|having|hosting|throwing|celebrating|playing|watching|catching|hanging|doing|holding|organising|organizing|going|convening|assembling|training|starting|kicking
        {us} {adv}? meet|gather|start|convene|assemble|kick|eat|play|train|celebrate|host|throw
        will|'ll|to|gonna meet|gather|convene|assemble
        meet|meeting|meets {us|you|me|up|the|at|outside|in|by|for|there}
        catch up|you; hang out; get|getting together
        have|having {us|you|people|everyone|friends|them|the|some|a}? over
        have|having a few|couple? of? people|friends|mates|folks|guests|neighbours|neighbors over|round|around
        ^setting off at|from
        {us} {adv}? 're|'ll|will? {adv}? set|setting off at|from|on
        picking|collecting|fetching you up?
        ^call|talk|speak|chat at|on|tomorrow|today
        {me} 'm|am {adv}? having|hosting|throwing|celebrating
        {me} 've|have got? a|an|my {gathering}
        {me} 've|have {gathering}
        {me} got a|an|my|the? {gathering}
        got|have a? {gathering}
        kick|kicks|kicking off
        ^{gathering|loose} is|'s|are|will|starts|begins|on
        the {us|all|everyone} are|'re meeting
        getting|get married|hitched|engaged
        tying|tie the knot
        {me|us} 'm|am|'re|are {adv}? coming|popping|heading|swinging|dropping|calling|stopping {adv}? over|round|around|by|to yours|you|your|mine|ours|at|on|tonight|tomorrow
        pick you up; meet up
        {us} 're|are {adv}? {adv}? on for
        still on for|tomorrow|tonight|today|friday|monday|tuesday|wednesday|thursday|saturday|sunday
        it 's a date
        {me|us} {adv}? 've|have? {adv}? booked|reserved|got us|you|everyone? {the|our|a}? court|table|lane|lanes|tickets|seats|slot|pitch|field|boat|spot
        celebrating|reunite|reuniting; it 's a go for|on
        ^be there {weekday|on}
        ^be at|outside|round {the|mine|ours}
        table at _ _? is|'s {adv}? confirmed|booked|reserved
        {me|us} 've|have court
        {me|us} 've a|an|my {loose}
        got|getting|fitted|fit|squeezed|squeeze|booked you|me|us|him|her|them in with|at|for|on|tomorrow|today|this|next
        {me|us} 've|have got? {the|some} _ _? coming|visiting|over
        {me|us} 've|have got? _ _? booked|lined|planned
        turf|court|pitch|table|lane|room|ground|hall|slot|field|nets 's|is? booked
        {us} 'll|will|shall {adv}? start|begin|gather|convene at|from|with
        scheduled|booked|pencilled|put us|you|him|her|them {for|in|at|down}
        the wake
        {the|our|my} table is|'s for|booked|at
        {me|us} {adv}? have|'ve got? a table
        i|we|gonna|going {adv}? to? see you
        need to see you
        expect|expecting you|everyone|all {adv}? at|on|for|by
        {me|us} 'm|am|'re|are {adv}? seeing|meeting {the|my|our|dr|her|him|them|up}
        {body} meets|meet|gathers|gather|convenes
        meets|gathers|convenes {weekday|weekdays|on|at|every|each|this|next|tomorrow|tonight|today|in|again}
        shall|should {me} come|pop|drop|swing|head over|round|around|by|along|to
        you 're|are {adv}? coming
        wait for you
        getting|having {my} _ cut|done|off|out|serviced|filled|checked|removed|fitted|pierced|tested
        {me|us} {adv}? 've|have got? a date
        {us} 're|are {adv}? off to {the|a}
        {me|us} {adv}? 've|have {adv}? got? tickets for|to
        {me|us} {adv}? 've|have? {adv}? booked {me|us|you}? in with|for|at
        {you|me|us} 're|'m|are|am {adv}? booked|scheduled|confirmed in|for|with|at|on
        ^booked|reserved|got us|you|everyone? {the|our} table|court|lane|lanes|tickets|seats|slot|pitch
        ^table|court|lane|pitch|slot for|at|booked
        gather|gathering at|in|on|for
        dr|doctor|consultant|surgeon|specialist|midwife|solicitor|vet|dentist|physio|nurse _? will|can|'ll see
        """

    static let invitation = """
        come|drop|pop|swing {adv}? over|round|by|along|to|down|for|join|celebrate|and|in|up|through
        if {you} 'd|would {adv}? like|love|care to
        if {you} want|wanna|fancy to? {adv}? come|join|tag|joining|coming|pop
        ^{adv}? come {task|watch|see|cheer|support|play|have|hang|celebrate}
        if anyone|anybody|someone|{you} {adv}? fancies|fancy|wants|want it|in|a|to|some
        if anyone|anybody|you|someone wants|want|fancies|fancy|likes|feels|'s|is {adv}? to|like|keen|up? join|come|tag|joining|coming
        join|joining us|me|in
        you 're|are {all|both}? {adv}? invited|welcome
        ^{adv}? come on|at|this|tomorrow|tonight|today|saturday|sunday|friday
        all|everyone|everybody|anyone is|are|'re {adv}? welcome|invited
        {all|you} welcome
        you|everyone is? invited
        {you|me|us} 've|have {adv}? been {adv}? invited to|for
        invited {me|us} to|for|over|round
        asked {me|us} over|round|along|out
        {me|us} 're|'m|are|am {adv}? invited to|at|for|over|round
        save the date; invite|invites sent|out for
        sent you|everyone|everybody|all an|the? invite for
        please join|attend|come; hope|hoping to see; looking forward to; would love to see
        invite|inviting you|everyone|all
        """

    static let schedule = """
        scheduled|arranged|organised|organized|booked|confirmed|fixed|set|planned|reserved|pencilled|down|locked {adv|in|it|up}? for|on|at|to|in
        takes|taking|take place; will be held; is|are being? held
        is|are {adv}? holding|hosting|organising|organizing|running
        is|are|'s {adv}? on|at|from|this|next|tomorrow|today|tonight|scheduled|set|confirmed|back|happening|moved
        doors|starts|starting|begins|beginning|kicks at|from|on|open|off
        {us} 've|have {adv}? scheduled|arranged|booked|got|moved|set|organised|organized
        {me|us} 've|have gone? ahead? and? {adv}? scheduled|booked|arranged|moved|set|put|reserved
        {me|us} {adv}? booked|reserved|scheduled|arranged|organised|organized|got|booking {us|a|the|tickets|you|an|my|our|it|in}
        ^booked|reserved|scheduled|rescheduled|arranged
        got tickets
        {me|us} {adv}? booked _ in at|with|for
        ^have {adv}? booked|scheduled|arranged|reserved
        {me|us} {adv}? made {the|our} appointment|reservation|booking|date
        ^got us|me|you|everyone a|the|our table|court|lane|tickets|seats|slot
        reservation|table|booking for|at|is|booked
        """

    static let moved = """
        {me|us} 've|have {adv}? moved|rescheduled|rearranged|pushed|shifted|changed|postponed|switched|bumped
        {me|us} {adv}? moved|rescheduled|rearranged|pushed|shifted|changed|switched {the|our|my|your|it}
        they 've|have {adv}? moved|rescheduled|rearranged|pushed|shifted|changed|switched|swapped|bumped|put|brought {my|our|the}
        put|pushed back|forward to|until
        {gathering|loose} {adv}? moved|changed|rescheduled|rearranged|shifted|pushed
        moved|moves|rescheduled|rearranged|pushed|shifted|shifts|postponed|changed|switched|delayed|brought|bumped back|forward|up|out? to|from|until
        ^have {adv}? moved|rescheduled|rearranged|pushed|shifted|changed|switched
        has|have|been|is|are|'s|got|gets being|been|now? moved|rescheduled|rearranged|pushed|shifted|postponed|switched|bumped|brought
        is|are|'s now at|on|{wh}|from
        now at|on|starts|starting
        moving|pushing|shifting|changing|rescheduling|bumping it|the|to|our|this|dinner|lunch|that|things
        change|changed of? plan|plans
        had|have|need|got to {adv}? move|push|shift|reschedule|bring {the|our|my|it}
        new time|date|day|venue|plan; instead of
        """

    static let standing = """
        every|each {weekdays|week}
        weekly
        {weekdays} at|from
        """

    static let cancelled = """
        cancelled|canceled|cancelling|canceling|cancel|cancels|skip|skipping|skipped|scrap|scrapped|scrapping|postponed|postpone|postponing|declined|decline
        called|call|calling {it|this|that|things}? off
        is|'s|are off$
        not|n't {adv}? meeting|happening|on|coming|going|having|doing|taking|meet|gonna|happen|make|attend|come|join|able|free|available
        no {gathering|loose} {tonight|today|tomorrow|this|on|for|next|friday|monday|tuesday|wednesday|thursday|saturday|sunday}?
        no {gathering|loose|longer|more}
        {me|us} can n't|not {adv}? make|come|do|be|attend|join|get
        can n't {adv}? make|do|come|be|attend|join
        will n't {adv}? be|happen|make|come|have|take|attend
        ^forget about|it|that|the; fell|fallen|falls through; rained off; sold|ruled out
        is|are|'s|all {adv}? gone|sold|full
        no need
        {gathering|loose} {'s|is}? off
        not {the|a|an|our} {gathering|loose}
        did|do|does|was|were|is|are n't|not {happen|make|go|have|get|take|there|a|any|on}
        without me; give it a miss
        {me|us} 'll|will|'m|have|gonna to? miss|missing
        """

    static let habit = """
        used|go|goes to
        always|usually|normally|typically|generally|often|sometimes|never|rarely|whenever
        every day|week|time|single|now|weekend|morning|night|evening|year|summer|winter|christmas|halloween
        most days|weekends|mondays|fridays|saturdays|sundays|mornings|evenings|nights
        {me} {adv}? go|do|get|play|swim|run|work|start|finish|teach|train|wake|walk|have|eat|take|watch|clean _? _? _? on|every|each {weekdays}
        {me} {adv}? {adv}? go|play|swim|run|work|start|finish|teach|train|wake|walk|watch|clean
        ^on {weekdays} {me|others}
        """

    static let elsewhere = """
        {me|us} 'm|'re|am|are|'ll|will {adv}? be? {adv}? free|away|busy|off|out|home|back|here|there|around|in|on|at|available|working|travelling|traveling|flying|landing|arriving|leaving|late|driving|sleeping|online|offline|unavailable|stuck|running|still|abroad|asleep|up|awake|heading
        free|available|busy|away|around|home|back|off|landing|arriving|leaving|working|flying|online|in|out|asleep on|by|from|until|at|after|before|tomorrow|today|tonight|this|next|all|again|{weekdays}|friday|monday|tuesday|wednesday|thursday|saturday|sunday|around
        ^home|back|landing|arriving|leaving|working|flying|free|off|away|busy|eta|boarding|driving|heading
        on leave|holiday|vacation|call|shift|duty|pto|annual|site|lates|earlies|nights
        out of office|town; day off
        working from|until|late|tomorrow|on
        shift|shifts|flight|train|plane|ferry|bus|coach|tram|metro|tube|eta|parcel|package|delivery|courier|order|sleep|sleeping|slept|wfh|ooo|pto
        {me} {adv}? land|arrive|leave|finish|fly|start|work|get|travel|depart
        {me|us} {adv}? 'll|will|should {adv}? land|arrive|leave|get|reach|fly|depart
        be there|back|home|late|in|here|done|free|online|ready|around
        takes me; stay|staying in|home|at
        {me} have work|class|classes
        not? in the office
        """

    static let news = """
        good luck; best of luck
        have fun|a {adv}? at|with|on|great|nice|good|lovely
        breakfast|lunch|dinner|tea|food|coffee is|are|was {adv}? served
        weather|forecast|rain|raining|sunny|storm|snow|temperature|humid|drizzle|heatwave|apparently|reportedly|allegedly|rumour|rumor|supposedly|score|scored|scores|kick-off|fixture|fixtures|halftime|half-time|offside|highlights|standings|season|episode|finale|series|trailer|album|netflix|hbo|bbc|itv|tv|sky|espn|channel|broadcast|livestream|airs|airing|aired|premieres|podcast|dream|dreamt|dreamed|nightmare|reopens|reopen|reopening|arrives|arriving|arrived|delivered|dispatched|shipped|interrupted|outage|maintenance|roadworks|closure|disruption|disrupted|shutoff|cut|election|parliament|minister|president|government|premier|collection|bins|bin
        final score|whistle; plot twist
        hope|hoping {the|my} {gathering|loose}
        goes|go well
        ^enjoy {the|my}
        in the movie|film|book|show|novel|dream|series|episode
        opens|open|closes|shut|closed at|from|until|hours|late|early|again|between
        opens|closes|closed on; late opening
        open|opens|closed {figure}
        is|are|'s closed|shut
        sunset|sunrise|tide|tides|moon|eclipse is|'s|at
        is|are free|closed|shut on|at|from|every|until
        opening|business|office hours; out for delivery
        departs|departing|departed|boarding|platform|delayed|runs late
        is|are|'re playing
        sale|sales|discount|offer|deal|tickets on|ends|starts|go
        released|releases|drops|dropping|launches|comes out
        says the|here|google|it|on
        they|he|she 're|are|'s|is|has|have|had|will|'ll {adv}? playing|meeting|getting|having|going|doing|hosting|visiting|coming|a|an
        """

    static let tentative = """
        maybe|perhaps|possibly|potentially|provisionally|tentatively|ideally|hopefully|might|wonder|wondering|sometime|someday|anytime|probably|likely|tbc|tbd|tba|either|suggest|suggesting|propose|proposing|preference|preferences
        could|should|would {us|you|everyone|it|that|the|{gathering}}
        {us|me|you|it|that} {adv}? could|should|would|'d
        how|what about; what if; how 's|is|does
        shall {us|me}
        thinking|think|thought|dreaming|toying|wondering|considering of|about|we|maybe|i|if|whether
        some time|day|point|stage
        one day|weekend|evening|night|morning
        not sure|certain|decided|clear|confirmed|final|set|fixed
        no idea
        to be confirmed|decided|announced|determined
        up for
        fancy|anyone|anybody fancy|up|want|free|keen|interested|down|game
        or so
        any|who interest|interested|takers|wants|fancies
        in theory
        would {you|people|anyone|everyone|that}
        would n't {it|that|you} be
        at this rate; do|are you; penciled|pencilled in; let me know if you
        let me know if|whether|which|what|when
        trying|hoping|want|wanting|wants|like|love to {gathering|see|go|do|have|meet|get|come|come|catch|plan|organise}
        {me|us} can {adv}? {adv}? do|make|manage|only
        waiting to hear|on|for
        {wh} suits|works
        still figuring|deciding|debating|planning|working
        """

    static let conditional = """
        ^if|unless
        if {us|you|me|he|she|they|it|i|the|someone|anyone|that|this|not|there|he's}
        had {us|me|you|they|he|she} _
        would|'d|could|should|might have
        'd|would have {past}
        {me|us} wish|wished
        what|even|as if; imagine|suppose|supposing; in case|theory; provided that
        {us|me} 'd
        would be
        """

    static let history = """
        yesterday|ago
        last night|week|month|year|friday|monday|tuesday|wednesday|thursday|saturday|sunday|weekend|time|summer|winter|spring|autumn
        {me|us|you|others|who|which|that|it|there|gathering|loose|they|he|she} {adv}? {past}
        {kin|body|my} {kin}? {adv}? {past}
        {kin|me|us|you|body} and|& _ _? went|had|did|met|got|saw|came|ran|took|played|watched|ate|drank|made|found|booked
        {gathering|loose} on|at|last _ {past}
        was|were a|an|so|such|great|good|really|very|too|fun|amazing|brilliant|terrible|awful|boring|lovely|due
        nobody|noone|everyone|everybody|someone|somebody|people|has|have|had {adv}? {past}
        deadline|deadlines was|were|passed; used to; back in|then|when; remember when|that
        remember the time|day|night|summer|trip|one|last
        days|years|back before
        had {us|me|you|they|he|she} {past}
        {me|us|they|he|she|you} 've|'d|have|had been
        already {past|done|did|sent|paid|went}
        {me|us|he|she|they|you} 've|have never|ever
        how was|were|did
        since|ever {the|last|we|i|monday|friday}
        in 19|20
        ^{past} at|in|by|on|until|from|it|the|my|a|up|there|home|out
        """
}
