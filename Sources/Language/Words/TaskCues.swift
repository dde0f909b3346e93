// What speaks of tasks, and against them.

extension CuePatterns {
    static let remind = """
        remind|reminding me|us
        someone|somebody|please|can|could|will|would remind me|us
        ping|poke|nudge|buzz|prod|alert|bug|hassle|shout|nag|kick me|us {adv}? about|to|at|on|in|if|tomorrow|later|when|before|tonight|friday|again|for|with|regarding|re
        ping|poke|nudge|buzz|prod|alert|bug|hassle|nag me|us$
        give me|us a nudge|reminder|poke|shout|ping|kick|prod|buzz|heads
        do n't|not let me|us forget|miss|leave|skip|lose|go|out|get|sleep
        never let me forget
        make sure {me|us} do n't|not forget
        make sure {me} remember
        make sure {me} not? forget
        help me remember
        someone|somebody|please|nobody tell me to
        nobody let me|us {adv}? forget|leave|miss|go
        shout|yell|scream at me|us
        set|need|want|add|create|put a|me|up? a? reminder
        reminder to self|me; note to self; keep reminding me; need|want|have|like to be reminded
        keep me from forgetting
        """

    static let request = """
        can|could|will|would {you|someone|somebody|anyone|anybody|everyone|everybody|one|all} {adv|all|guys|please|kindly|of|you|two|both|three|boys|girls|lads|folks|body}? {adv|all|please|maybe|kindly}? {task|come|have|try|be|go|keep|help|watch|pop|pass|stick|chuck|throw}
        do n't|not|never forget
        must|can n't|not {adv}? forget to|about|the|my
        {you} could n't {adv}? {task}
        do n't|not forget {to|about|the|your|that}
        remember to|the|your|that|and
        make|making sure {to|you|that|your|it|the|all|everyone|everybody}?
        be sure to
        ^try|aim to {task|get|have|be}
        need|want|looking for? someone|somebody|anyone|volunteers|one to
        let 's {adv}? have|get {the|my|this|that|it|all|everything}
        who|anyone|anybody|someone|somebody can|could|will drive|host
        ensure that?; would you mind
        can|could {the|it} _? be {past}
        is|would|'s it be? possible to {adv}? _
        any|some chance of {doing|tasking}
        any|some chance of a lift|ride|hand|loan|favour|favor
        ^someone|somebody|volunteer|volunteers to {task}
        ^someone|somebody|everyone|everybody {task}
        someone|somebody {adv}? will|'ll {adv}? have|need to
        one of you|us {adv}? will|'ll|needs|has {adv}? have|need? to
        do n't|not let _ forget
        do n't|not let {my|our|your} {kin} forget
        it would|'d be great|lovely|good|nice|helpful|ideal|useful to get|have
        could do with {the|my|those|it|some}
        anyone|anybody|someone mind {tasking}
        {me}? {adv}? need|want a lift|ride|hand|favour|favor with|to|from|home|at|on|tomorrow|today|tonight
        reckon|suppose {you} could|can|might|would
        can|could|will|would|please whoever _ _? _? _? {task}
        fancy {tasking}
        can|could|will|would you$
        be a love|dear|hero|treasure|saint|star|legend|angel|darling|hero|gem|mate|sport|doll|pet and
        do the needful
        whose turn is it to {task}
        ^keep me|us posted|updated|informed
        do you mind {tasking}
        would|do someone|somebody|anyone|anybody mind {tasking}
        {you|everyone|everybody|all} {all|guys|both|two|each}? {adv}? need|needs|have|has|got to
        {you|everyone|everybody|all} {all|guys|both|two|each}? {adv}? must|should
        need|want|like|expect|ask you|everyone|everybody|all {all|guys|both}? to
        needs|need you
        needs|need|wants|want|expects|expect|asked me|us to {task}
        said|says to? {task}
        can|could|please help me|us {task}
        paid|submitted|registered|signed|voted|yet|member|person|anyone|student|tenant to? _? should|must {task|do}
        kids|children|students|pupils|players|members|parents|residents|guests|volunteers|drivers|attendees|staff {adv}? need|must|should|have to? {task|wear}
        someone|somebody {adv}? needs|need|has|have|should|must|ought to?
        {all|everyone|everybody} {adv}? please
        everyone|everybody {in|on|from}? _? _? {does}
        if you|someone could; think you could
        would|could|can|will|are {you} {adv}? be? able to
        who|anyone|anybody can|could|will {task|able}
        who|anyone|anybody 's|is {adv}? able|free|available to {task}
        can|could|will|would one|some|any of you {adv}? {task}
        ^mind {tasking}
        {you} {adv}? promised|agreed|offered to {task}
        {you} {adv}? said|promised {you} 'd|would|'ll|will {adv}? {task}
        could|can|may {me} {adv}? have|get {the|my|those|it} _
        let 's {adv}? {task}
        let 's {adv}? aim|try|plan|agree to {task}
        can|could {us} {adv}? get|finish|send|submit|ship|close|wrap|have|complete|settle|sort
        anyone|anybody|someone|somebody {adv}? able|free|available|willing to
        be so kind as? to
        any chance you could|can|would|'d|will
        please|kindly {adv}? {task|have|come|be|try|keep|help|ensure|allow|aim|remember|note|consider}
        please$; ^back up
        ^remember|reminder|note|todo|task|fyi :
        asap; it would be|help if|great you; your job is to
        you 're|are {adv}? in charge|responsible|on|down
        {you} to {task}
        your turn to|for|on
        wake|get|collect|fetch {me|us}
        hit me|us up
        kids|children|students|pupils|players|members|parents|guests|volunteers are to {task}
        chip in
        you {adv}? owe
        """

    static let commitment = """
        {me|us} 'll|will|shall|can {adv}? {adv}? {task|go|do|have|try|work|swing|look|handle|sort|deal|cover|get|be|make|pop|head|start|finish|aim|stop|help|see}
        {me|us} 'll|will|shall {adv}? {adv}? _
        {me|us} 'm|'re|am|are {adv}? going to {adv}? _
        {me|us} 'm|'re|am|are {adv}? {adv}? {tasking}
        {me|us} plan|promise|promised|intend|aim|agreed|offered|volunteered|said|commit to|that|you|{me}|her|him|them|the
        {me|us} promise
        {me|us} {adv}? 've|have {adv}? promised|agreed|offered|volunteered to
        {me|us} 'd {adv}? bring|send|call|pay|book|take|pick|drop|write|finish|submit|hand|return|get|give|let
        {me} {adv}? 've|have? told|promised|assured _ _? {me} 'd|would|will|'ll
        {me} {adv}? said {me} 'd|would|will|'ll {adv}? {task}
        let me {task}
        ^will|shall|ill {adv}? {task}
        ^will have {it|that|this|them|the|your|everything}
        ^{tasking}
        ^going to {task}
        {me|us} go {task}
        ^going to go to|and|get|pick; ^doing it|that|this; on it; on me to
        my job|turn|responsibility to|for; leave it|that with|to me; consider it done
        {me|us} 'll be|have {task|sending|bringing|paying|calling|dropping}
        comes|coming|arrives|follows from me|us
        {me|us} got this|it
        """

    static let duty = """
        {me|us|you} {adv|all|both}? need|needs|have|has|ought to {adv}? _
        {me|us|you} {adv}? 've|have? got to
        {me|us|you} {all|both}? 'll|will {adv}? need|have to {adv}? _
        {me|us|you} 've to
        {me|us|you} 'm|am|'re|are to {task}
        {me|us|you} {adv}? must|should {adv}? {task|go|do|have|be|make}
        {me|us|you} 'd|had {adv}? better
        {me|us|you} better {task|have|get}
        {me|us} 'm|'re|am|are supposed|meant|due|expected|required to
        ^need|have|got to {task|go|do|be|make}
        ^must {task|go|do}
        ^got to _
        ^better {task}
        to do|todo; on my list|plate
        {you} 're|are {adv}? bringing|taking|collecting|driving|cooking|making|sorting|ordering|booking|paying|buying|getting|fetching|doing|washing {the|my|your|our}
        {me|us|you} 've|have got? {a|an|the|two|three|some|figure} _ _? to {task}
        {you|me} 're|are|'m|am {adv}? on pickup|pickups|bins|dishes|snacks|teas|drinks|washing|cleaning|bar|door|goal
        {us|me} {adv}? owe
        {you|me|us} 're|are|'m|am {adv}? on _ duty|rota|run
        {me|us} still have|need
        still have|need|got to
        """

    static let due = """
        is|are|'s {adv}? due
        due$
        due back|in {adv}? on|by|at|before|this|next|the|tomorrow|today|tonight|monday|tuesday|wednesday|thursday|friday|saturday|sunday
        need|needs to know|hear
        due {adv}? mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|noon|midnight|the|on|by|at|before|in|this|next|tomorrow|today|tonight|friday|monday|tuesday|wednesday|thursday|saturday|sunday|eod|end|no
        due {adv}? {weekday|month}
        deadline|deadlines|expires|expire|expiring|expiry|cutoff|cut-off|payable|overdue
        has|have|needs|need|must|should|ought|got to? be {adv}? in|submitted|done|paid|returned|sent|handed|finished|completed|ready|signed|filed|uploaded|booked|received|renewed|collected|delivered|ordered|back|out|up|over|with|posted|cancelled|confirmed|registered|fixed|reviewed|merged|settled|dropped|picked|cleared|emptied|vacated|shipped|live|printed|there|here|approved|turned
        has|have|needs|need|must|got to? be {past}
        need|want|expect|require|needs|wants|expects {the|my|a|your|our|it|them|all|everything|those} _
        'd|would {adv}? like|love|need|appreciate {the|my|a|your|our|it|them|all} _
        need|want|expect|require|needs|wants|expects {it|them|this|that|everything|numbers|answers}
        last day|date|chance to|for; last day|date is|:; last chance
        closes|close|closing|ends|end|shut|shuts {on|at|this|tomorrow|tonight|today|friday|monday|by}
        cut - off; rsvp|rsvps by|before|until; no later than; at the latest
        submissions|applications|entries|bookings|registrations|signups|orders by|close
        wants|want|wanted|need|needs|expects|expecting it|them|this|that|these|those|everything by|before
        go|goes|gets back to|in
        {thing} go|goes|going out|in|back|off
        has|have|needs|need|must to? {adv}? go|come back|in|out|off
        must|should|has|have to? reach|arrive|get
        {thing} to reach|get|come {me|us|the|to}
        runs|run|running out on|by|in|tomorrow|today|this|next
        need|needs an|a|your answer|reply|response|decision
        need|needs {doing|tasking}
        wants|want {tasking}
        needs|need _ _? by|before
        needed by|on|for|in|tomorrow|today|tonight|this|next
        needed {weekday}
        there 's|is|are {a|an|the|some|two|three|figure} _ _? to {task}
        turn to {task}
        is|are to be {past}
        to be completed|done|submitted|returned|paid|signed|handed|finished|filled|sent by|before|on|no|not|latest
        due :
        in|into the folder|drive|inbox|box|tray|office|sheet by|before
        be needing {the|my|a|your|our|it|them|all|those}
        ^have {the|your|my|our|it|them|all|everything}
        to|with me|us by|before|no
        would|'d be {adv}? great|lovely|appreciated|helpful|ideal|amazing|good|perfect|handy|nice|fab
        hand|hands|turn|turns in; sign up by|before
        """

    static let until = """
        {you|me|us} {adv}? have|'ve|got got? {adv}? until
        {you|me|us} {adv}? have|'ve got? _? _? days|weeks|hours to|left
        have|has until
        """

    static let delivered = """
        you|everyone|they|he|she|client 'll|will {adv}? have|get|receive
        with you by|before|on|tomorrow|tonight
        in your inbox; on your desk; expect it|them|that|this|the|my|a; you can expect
        """

    static let noNeed = """
        no need|rush|hurry|pressure
        no longer need|needed|have|necessary|required
        do|does|did n't|not {adv}? need|have|bother|worry
        need|would n't|not
        not|n't {adv}? need|require
        not necessary|needed|required|urgent
        {me|us} 've|have {adv}? {adv}? {past}
        already|just {past|done}
        is|are|'s {adv}? done|sent|sorted|paid|finished|submitted
        taken care; all done; never mind
        nevermind|someday|sometime|eventually
        forget it|about
        can n't|will n't|not|never {adv}? {task|finish|make|go|do|be}
        n't {adv}? {task|going}
        not {tasking|going|me|{task}}
        at some point; some time|day|point; one day
        """

    static let advice = """
        {you} {adv}? have|need|must|should|got|ought to? {adv}? try|see|watch|hear|visit|taste|know|eat|experience|admit|understand|believe|love|trust|relax|laugh
        should|must try|watch|read|see|visit|check
        highly recommend; worth; ought to try
        {you} {adv}? should {adv}? {task|go}
        """

    static let forgets = """
        reminds|reminded me|us|him|her|you|them
        that|this|it|he|she|which {adv}? reminds|reminded
        thanks|thank|thx|cheers {you|so|much}? for the? reminder|reminding
        {me|us|you|others|body} {adv}? reminded
        was|were|got|been reminded
        remind|reminds me {adv}? why|what|who|how|where|which|whose
        reminds me of
        {you|others|that|this|always|really} remind me of
        do|did n't {adv}? remind
        n't remind|poke|ping|nudge; do n't ping|poke|nudge|remind|bug; only if
        """

    static let closed = """
        when|what 's|is|are|was
        when {aux}
        {wh} {adv}? time|day|date
        how long|soon
        is|are it|they|that|this|the due|still
        """
}
