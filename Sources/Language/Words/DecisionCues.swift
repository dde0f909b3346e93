// What speaks of conclusions, and against them.

extension CuePatterns {
    static let concluded = """
        {us} 've|have {adv}? {adv}? {settled} {adv}?
        {us} {adv}? {adv}? {settled}
        it 's|is|was|has been? {adv}? {adv}? {settled|official|final|unanimous|confirmed|done|sorted}
        it|that|this 's|is|was {adv}? {adv}? unanimous|official|final|settled|decided|agreed
        that 's|is {adv}? settled|decided|agreed|sorted|final
        {body} {adv}? has|have|'ve|'s {adv}? {adv}? {settled|gone}
        {body} {adv}? {settled}
        {body} will|shall {adv}? adopt|keep|stick|drop|use|retain|merge|ban|pay|cover|fund
        {body} will|shall {adv}? move|switch|change to
        {kin} and|& {me} 've|have {adv}? {settled}
        {kin} and|& {kin} {adv}? have|'ve? {adv}? {settled}
        and|& {me} {adv}? have|'ve {adv}? {settled}
        and|& {me} {adv}? {settled}
        all {settled}
        ^{settled}
        ^decision|resolved
        final|the|our decision|answer|verdict is|:|on|'s
        our|the final answer|decision|verdict|word|choice _? _? _? is|:
        final word on
        ^no|yes to {the} _? _ ,? yes|no to
        final|our call|choice|decision|answer is|:|on|'s|,|-
        ^final|sorted|settled|decided|agreed|conclusion|result|outcome|minutes|minuted|resolved :
        decision|verdict|outcome|conclusion|consensus|result is|:|was|'s
        it 's a deal; shook|shake hands? on
        {us} 're|are {adv}? aligned|agreed|decided|settled|unanimous|set|sorted
        {us} all? {adv}? agree|agreed|concur that|to|on|with|the|we|:
        came|come to? a|an|the|to agreement|decision|conclusion|consensus
        reached a|an|the? agreement|decision|conclusion|consensus|deal
        made a|the|our|up decision|our|choice|call|pick
        {us} 're|are doing away with
        that 's that$
        {settled} unanimously|collectively|together|jointly
        was|were|been|be {adv}? {settled|confirmed}
        for the record
        closing|close this|the thread|topic|discussion|matter|vote|poll
        decision made|time|final|taken
        decision|verdict|outcome|conclusion|result -
        ^calling it$; ^calling it :|,
        {us} {adv}? 've|have? {adv}? said yes|no to
        {us} 're|are passing on {the}
        {us} 're|are {adv}? calling off|it
        is|'re|are a go; show of hands
        {us} {all}? shook hands
        offer|bid|motion|proposal accepted|approved|denied|rejected|dismissed
        {my|the} offer|bid|proposal has|was|'s|is|got been? accepted|approved
        the theme|motto is|will|shall be?
        name of {my|the} _ shall|will|is be?
        final theme|name|title|colour|color|list|menu|line-up|lineup :|is
        theme|name|date|venue settled|sorted|chosen
        according to the poll|vote
        {us} proceed with
        following the|a vote|poll|discussion|ballot
        nobody|noone picked|chose|wanted|voted
        {us} {adv}? 've|have? booked|bought|chose|chosen|picked|took|kept|got|went _ _? _? in the end
        that 's the plan$; it 's a yes|no$
        {body} {adv}? backed|approved|rejected|endorsed|vetoed it|the|our|this
        team|band|group|quiz name :|is; nobody|noone 's|is against
        {us} {adv}? 've|have? {adv}? accepted|rejected|declined {the|their|his|her|your} offer|deal|terms|bid|proposal|quote
        has|have spoken
        {us} 're|are never {choosing|tasking|doing}
        {body|everyone|both|all|nobody|noone} of? {us|the}? {adv}? said|say yes|no
        takes|taking over as
        'll|will be our|the|your new? treasurer|captain|chair|secretary|president|chairperson|goalkeeper|organiser
        's|is our|the|your new chairlady|chairman|chairwoman|prefect|head|leader|lead|treasurer|captain|chair|secretary|president|chairperson|goalie|organiser|rep
        elected unopposed
        no -? one|body|objections? {adv}? objects|objected|minds|disagrees|opposed
        consensus|hereby|sealed|officially; that settles it|that
        that 's|is what {us} 'll|will|'re|are do|doing
        so be it; ayes have it
        verdict|outcome is|: _
        {body|everyone|nobody|no} {adv}? objects|objected|minds|disagrees|opposes
        {everyone|everybody|all} of? {us}? 's|is|are {adv}? on board|agreed|happy|fine|in
        {us} 've|have {adv}? gone|opted|plumped for|with
        {us} 've|have? {adv}? ruled|voted out|down
        {us} 've|have {adv}? ditched|dropped|scrapped|dismissed|rejected|vetoed|binned|abandoned|abolished|adopted
        {us} all agree|agreed$
        {us} 've|have|'re? {adv}? ended up|with {choosing|with}
        it 's a yes|no from all|everyone|us|everybody
        as agreed|decided
        {us} 're|are having|doing|getting|taking|using _ ,? not _
        ^approved|rejected|greenlit by|:
        to|let sum|summarise|summarize|recap
        no vetoes|veto|objections; agreed by all|everyone; by popular demand; done deal
        result|results|outcome of the|our|today poll|vote|survey|ballot|meeting
        {us} {adv}? went with|for
        {body} {adv}? went|goes|go with|for
        no longer {doing}
        jury 's|is in; we|meeting|group|team resolved
        has|have|'s|is|was|been {adv}? {adv}? elected|appointed|selected|chosen|voted|approved|rejected|scrapped|adopted|greenlit
        signed off on?; turned|voted down the|our|it|a
        {body} {adv}? {has|have|'s|is}? {adv}? turned|confirmed|scrapped|rejected|opted|keeping|moving|switching|buying|going
        locked|locking in
        motion|proposal failed|fails|defeated
        {us} 've|have {the} agreement|deal|consensus
        green light|lights for|on|to; got|have the go - ahead
        motion carried|carries|passed|passes|approved
        {us} 're|are|will|'ll {adv}? officially
        after {adv|much|some|long|a|the} discussion|debate|talk|thought|deliberation|vote|meeting
        {us} landed|settle|settles|settling on
        {us} gone with|for
        {us} 've|have got? a name|winner|verdict|decision|result|captain
        made our minds? up; , agreed|decided|settled|final$; last word :|on|is
        sounds|looks|seems like {us} 're|are {choosing|doing} {the} _? _? _? then$
        end of story|discussion|debate
        {us|,} agreed to {task}
        the? compromise|plan|deal|arrangement is|:
        , agreed|decided|voted|approved at|in|by|last|yesterday|today|this
        ^confirmed : {us|no}
        ^scrapping|ditching|binning|axing|abolishing {the|our}
        {us} 're|are {adv}? in agreement
        that 's|is {the}? _ _? settled|decided|agreed
        sorted$; ^all sorted
        """

    static let picked = """
        {us} 're|are|'ll|will|shall {adv}? {adv}? be? going|goin|go|stick|sticking|sticking|stay|staying with|for|on
        {us} 're|are {adv}? not? going to {adv}? keep|sell|buy|hire|rent|use|drop|ditch|skip|switch|stick|stay|paint|split|replace|ban|adopt|scrap|renew|rename|postpone|alternate|move|merge
        {us} 're|are {adv}? {adv}? not? naming|calling|binning|axing|ditching|boycotting|scrapping|adopting|choosing|picking|sticking|switching|dropping|banning|abolishing|buying|hiring|keeping|selling|replacing|renaming|introducing|postponing|splitting|retiring|booking|renting|painting|launching
        {us} 'll|will|shall {adv}? {adv}? use|adopt|keep|stick|pick|choose|name|call|paint|rotate|split|alternate|drop|ban|stay|switch
        {us} will n't|not {adv}? be? {choosing|tasking|task|have|go|use|do}
        {us} 're|are {adv}? not {choosing|doing}
        ^{adv}? going|goin with|for
        ^gone|went with; ^gone for
        ^{adv}? sticking|staying with|on
        ^going to the|that|this? _? {venue}
        go|going|went|goes|goin with|w the|a|option|plan|that|this|_
        let 's|us {adv}? {adv}? go|stick|stay with|for|to
        it is {adv}?$
        it is|shall|will be?$; it shall be
        {us} {adv}? stay|stick on|with
        so {us} 're|are|'ll {adv}? {choosing}
        {us} 're|are definitely|officially|certainly not? {choosing|doing}
        so no _ _? _?$
        going|go ahead|forward with
        ^option _
        {us} 're|are|'ll|will {adv}? {adv}? getting|taking|using|hosting|inviting|allowing|raising|starting|stopping|merging|staying|wearing|ordering|renting|moving|adopting|homeschooling|trying {the|a|an|our|in|to|with|out|for}
        {us} 'll|will {adv}? share|rent|hire|sell|alternate|rotate|split|halve
        ^no _? _ then
        ^no _ _? this year|summer|winter|season|christmas|month|term
        that|it 's|is a no|yes to|on|for|from|then
        it is
        """

    static let inclined = """
        {us} 're|are n't|not? {adv}? {adv}? {choosing}
        {us} 'll|will|shall n't|not? {adv}? {adv}? {choosing|task|doing|go|stick|take|get|keep|pick|use|do|move|switch|drop|skip|share|split|have}
        {us} 'll|will|shall n't|not? {adv}? stay
        ^{adv}? {choosing} _
        ^it 's|is {the}
        let 's|us
        {us} {adv}? host|proceed|adopt|appoint|move|stay|go|keep|drop|buy|stick|use|take|switch|ship|wait|hire|rent|do|book|get|skip|share|split|rotate|start|stop|make|have|invite|order|pay|sell|name|call
        then$
        then done|settled|sorted|final|chat
        it is; not? going|doing
        """

    static let ruled = """
        from now on
        from today|tomorrow|monday|here|this|next on|onwards|onward|forward|week|month {us|everyone|all|no}?
        going forward
        as of today|now|monday|next|tomorrow
        new rule|policy|house; no more
        effective {immediately|from|today|tomorrow|weekday}
        ^from tonight|today|tomorrow|now _? _? is|are|no
        henceforth
        ^from today|tomorrow|now ,? no|everyone|all|we
        starting today|now|monday
        starting|beginning|from next|this week|month|year|quarter|term ,? {us|everyone|all|no|every|each}
        ^from {weekdays|monday|tuesday|wednesday|thursday|friday|january|september} ,? everyone|all|no|every|each
        house rule
        ^starting|beginning|from next|this week|month|year|term|season ,? _ _? is|are|costs|goes|go|gets|get|pays|pay
        rule is|:
        """

    static let voted = """
        {body} voted
        {figure} -|to|/ {figure} for|against
        {figure} -|to|/ {figure} in favour|favor
        {figure} votes|hands|thumbs {to|for|against|in|up|,}
        {figure} out of {figure}
        {figure} for _? _? , {figure} for|against
        {figure} to {figure} on|that
        {us} {adv}? voted
        {us} {adv}? 've|have? took|taken|put|had|held|hold it|that|this? to? a? vote
        majority|unanimous|unanimously|carried|passed|outvoted|democracy
        vote|votes|voting|poll|ballot|tally says|said|went|came|closed|:|result|results|over|counted|passed|passes|carried
        votes are in|counted
        vote|poll 's|is in|over|closed|unanimous
        winner|winners is|are|:
        winner|winners of _ _? _? _? is|are
        thirds|half|most|majority voted
        {figure} of us|you|them voted
        everyone|everybody but|except _ voted
        {figure} against|versus|vs {figure}
        has it$; is the one$; have a winner; wins|won by|with|out
        got|gets|has|with the most|more votes
        beats|beat|over _ {figure} -|to {figure}
        wins$
        by a vote|majority|margin|landslide|mile|whisker
        vote is|was|went for|against
        {body|votes|vote|people|hands} in favor|favour
        thumbs up
        zero|none|nobody|noone|no against|objections|objection|veto|vetoes|opposed
        all in favor|favour
        everyone|everybody|all nodded|said|agreed|agrees|voted|wants|prefers|picked|happy|in
        _ to _ in favour|favor
        drew straws|lots
        coin|dice|wheel toss|flip? says|said|picked|chose
        """

    static let settles = """
        {settled}
        it is; it 's$; end of$
        then|deal|sorted|done|settled|final|won|wins
        let 's
        {us} 're|are|'ll|will|move|go|stay|keep|do|stick|so
        so {us}
        going|goin with|for; as agreed
        no _ then
        it? shall be
        that 's {adv}? that
        works for me|us; ^do it|that; go ahead
        _ next time
        """

    static let opinion = """
        {me} think|reckon|feel|believe|guess|prefer|would|like|love|vote|favour|favor|lean|suspect|fancy|hope|wish|want|say|suppose|doubt|'d
        {me} {adv}? {adv}? think|reckon|prefer|vote|like|love|want
        my vote|preference|pick|favourite|favorite|choice|two|opinion|view
        gets|has|got my vote; in my opinion
        imo|imho|tbh|personally|leaning|looks|sounds|seems|feels|tastes
        {us} would|'d|could|should|might
        would be|prefer|rather|go|vote|love
        'm|am leaning|inclined|tempted|torn|for|voting
        rather have|go|not; i 'm for|with|team|voting|pro; vote for|goes; for me
        is|are|'s|looks|seems|sounds {adv}? better|best|nicer|cuter|cheaper|worse|prettier
        whatever you; up to you; do n't|not mind|care
        """

    static let undecided = """
        to be {settled}
        not|n't|nothing|yet|never|did|whether|who|until|unless|once {adv}? {been|has|have|we|anything|us|be|'s}? {been|we|anything|us|be|yet}? {adv}? decide|decided|settled|agreed|agree|chosen|choose|picked|pick|deciding
        nothing {adv}? {has|is|been|was|'s}? {been|yet}? decided|settled|agreed|final
        n't|not {adv}? {adv}? {settled|decide|agree|choose}
        still|yet|need|needs|have|has|help|time|hard|trying|unable|struggling {to|us|me}? {to|we|me}? {adv}? decide|choose|pick|agree|vote|settle|deciding|debating|discussing|undecided
        {us} 'll|will|should|must|can {adv}? decide|vote|choose|discuss
        can n't|not {adv}? {decide|choose|agree|pick|settle}
        hard to decide|choose
        {settled} nothing
        {us} nearly|almost
        apparently|reportedly|allegedly|supposedly|undecided|might|maybe|perhaps|possibly|probably|could|likely|thinking|considering|leaning|tempted|wonder|wondering|hopefully|pending|awaiting|tbd|tbc|proposed|propose|proposing|suggest|suggesting|suggestion|if|unless|whether
        was|were|had {adv}? going|about|planning to|on
        may be|go|have|well|not|do|need|want
        either works|is|one|would; agree|agreed to disagree; open question
        let 's {adv}? wait|see|think|sleep|discuss|talk|decide|check|leave
        no decision|consensus|agreement|idea
        not sure; up in the air; waiting for|on; too early; what|which|how if|about; pros and
        decision|choice|call|pick is|'s {adv}? yours|theirs|his|hers|up
        on the fence|table
        did|do|have|has|are|is|were|shall|should {us|you|they|everyone|we|anyone|it|that} {adv}? {settled|decide|agree|going|choose|choosing|pick|had|reach|picked}
        """

    static let personal = """
        {me} 'm|am|'ve|have|'ll|will {adv}? {adv}? {settled|going|choosing|picking|getting|quitting|wearing|having|taking|sticking|buying|ordering|starting|keeping|changing|switching|moving|go|stick|take|wear|order|skip|give|stop}
        {me} {adv}? {settled}
        {he|she|they|apple|google|court|judge|government|parliament|ministers|fifa|uefa|brussels|congress|competitors|competitor|landlord|bank|school|police} {adv}? {has|have|had|'ve|'s|'d|are|is|'re|were}? {adv}? {settled|ruled|going|chosen|choosing}
        my|her|his|their parents|boss|company|landlord|school {adv}? {has|have|had|'s}? {adv}? {settled}
        {my} {kin} {adv}? {has|have|had|'s|is}? {adv}? {settled|ruled|going}
        court|judge|parliament|government|congress|competitors|competitor|referee|fifa|uefa|eu|senate|ministry|regulator|judges|police|minister|president {adv}? {has|have|had|'s|says}? {adv}? {settled|ruled|says|wants|rejected}
        it 's a yes|no from me
        best|bad|worst|smart|stupid|dumb|terrible|tough|hard|poor decision|decisions
        decision|decisions {of|in|was|were}
        decision fatigue|paralysis
        """
}
