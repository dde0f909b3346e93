// How people accept, refuse and put off.

extension CuePatterns {
    static let accepts = """
        ^yes|yep|booked|reserved|sold|sure|absolutely|definitely|totally|certainly|deal|agreed|sounds|perfect|great|sorted|works|done|okay|fine|cool|lovely|brilliant|awesome|ace|wicked|excellent|wonderful|grand|sweet|right|gladly|roger|confirmed|affirmative|alright|yay|amazing|fab|fabulous|super|nice|good|cheers|course|you|accepted|coming|beautiful|marvellous|marvelous|splendid|noted|bet|understood|smashing|magic|mint|dope|ooh|rightio
        count|counting me|us in; in the|my diary|calendar
        works|work for|with|great|well|fine|perfectly
        {the|it|that|time|day} works
        works$
        sounds|sound|looks {adv}? good|great|perfect|lovely|fun|ideal|like|fab|brilliant|fine|excellent|amazing|wonderful|delightful
        {me} 'm|am {adv}? down|game|coming|free|happy|keen
        {me} 'm|am {adv}? up|in for
        {me} 'm|am {adv}? in|there$
        {us} 're|are {adv}? in|down|up|game|on|there|coming|both|free|keen
        {me|us} 'll|will {adv}? be there|along|come|join|make|see
        be there|along|delighted|honoured|honored|thrilled|glad|pleased|happy
        {me|us} can {adv}? make|do|come|join
        see you|everyone|all|everybody {there|then|at|on}?
        it 's a date|deal|plan; you 're|are on
        fine|good|perfect|great|okay|cool by|for|with me|us
        suits|suit me|us; let 's do it|that|this; let 's go; love|happy to; with pleasure; why not$
        of course
        put|sign|book|pencil|mark me|us down|up|in
        {me} accept
        no problem|worries|objections|objection
        ^in|down|can$; can|will do; wouldn't|would n't miss it; it is; that works; me too; same here
        deal|confirmed
        that|it|this|which would|'d|will|'ll be perfect|great|lovely|good|fantastic|amazing|ideal|fine|wonderful|awesome|brilliant|nice|fab|super
        you bet; bring it on
        {me} 'll take {the|that|it}
        ^{me}$
        how kind|lovely|nice|wonderful; would n't dream|want|say; not at all$; ^yes please
        count {me|us} _? in
        hell|oh|heck|god|fuck|damn|too right|yes
        go on then; convinced me; wild horses; i'll be there; take|book|love it; all|both good|set
        can 't|can n't wait; looking forward; thumbs up; done deal; on my way; make it so
        why the hell not
        that|it 's|is {adv}? {adv}? perfect|great|fine|ideal|lovely|brilliant|amazing|fantastic|grand|spot
        'd|would {adv}? love that|it|to
        ^for sure; ^hard yes; it 's on$; ^down|up for|with that|it|this
        {me|us} 'll|will {adv}? come|join|attend
        that|it|this should|will|'ll {adv}? work|do|suit
        ^should {adv}? be fine|good|okay|great|doable
        ^go on
        {me|kin} and|& _ are {adv}? in|down|coming|keen|free
        and|& {me} are {adv}? in|down|coming|keen|free
        ^still on|good|happening
        put|sign|book {me} and|& _ _? down|up|in
        ^let 's$; say no more; twist my arm
        """

    static let refuses = """
        ^no$
        ^no {me|us|it|that|sorry|thanks|thank|way|chance|can|not|there|they|she|he}
        can n't {adv}? make|do|come|join|attend|be|sorry|that|it|then
        can n't$
        will n't {adv}? make|be|come|work|do|attend
        not {adv}? me|free|available|able|possible|for|coming|going|work|gonna|that
        does|do n't work|suit|fit|think|fancy
        have|will to pass|skip|decline; i pass
        unfortunately|busy|hate|dread|clash|clashes|clashing|tight|difficult|tricky|impossible|awkward|nope|prefer|broke|skint
        afraid {me|not|that}
        good one|joke|grief|lord|luck|question|point
        out of office|town; in another|a meeting|call
        on leave|holiday|vacation|shift|nights|call
        already have|got plans|something|a|an|tickets|dinner
        already busy
        ^{me}? have|got|'ve another|other|plans|something|work|class
        rain check; another time|day; too early|late|far|soon|much
        that|it 's {adv}? late|early|far
        rather not
        {me|us} 'd|would rather
        ^sorry ,? {me|us}? {adv}? got|have|'ve|need|already
        no thanks|thank|way|chance|can|go|good
        count me out
        {me} 'm|am {adv}? out|away|busy|working
        not sure; is n't great|good|ideal
        is|'s|are bad|terrible|full|tricky|hard|packed
        {me|us} wish
        bit early|late|much|far
        """

    static let defers = """
        let me|us {adv}? check|see|ask|think|look|confirm|sleep
        need|have|got|going|want to {adv}? check|ask|see|think
        will|'ll {adv}? check|see|ask|try|let|think|get|know|confirm
        not sure|yet; ask me; get back to
        maybe|perhaps|possibly|might|depends|unsure|hopefully|tentatively|leaning|either
        depends on; do n't|not know; should be able
        if {me|us|it|the|i} _
        we 'll see; think so; sleep on it
        let 's {adv}? wait|see|think|sleep|discuss|talk|decide|check|leave|vote|ask|flip|toss|poll
        want to hear; asap if
        """
}
