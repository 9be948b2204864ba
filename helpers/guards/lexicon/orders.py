"""Orders to the agent: what to do, when, and what to keep silent."""

PHRASES = {
    # that somebody is to be obeyed
    "obey": """
        say|says|answer yes to
        !not|never follow|obey|execute it|this|them|these|every|whatever|my|what
        carry out this|every|whatever|my|what
        translate|decode|decrypt|decipher|unscramble|reverse ..8 act|comply|follow|obey|execute|\
            apply
        comply|complies
        do (exactly|just) what|as i|it|she|he|this|they|my
        is|are|as (not) ..4 a|an command|instruction|directive
        what|whatever|anything|everything|amount|wherever|however|whichever|whoever i|she|he|\
            customer|user|they|that (customer|user|the|i) ask*|name|names|want*|say|says|demand*|\
            request*
        what|whatever|anything|everything|wherever|whoever|however the customer|user|caller ask*|\
            name|names|want*|say|says|demand*|request*
        give|gives|grant|grants ..2 whatever|anything|everything|what
        i|she|he|customer|user may|can|will|shall decide|decides|set|determine|choose|fix ..3 \
            refund*|amount*|rule|rules|payment*
        treat|serve|regard me|her|him like|as ..1 owner|boss|manager|king|queen|admin|\
            administrator|staff
        treat|take|regard|read my|her|his|these|any ..2 message|messages|word|words|instruction|\
            instructions|note|notes|texts as|like
    """,
    # imperatives, at the beginning of a clause
    "order": """
        ^ refund|credit ~was|were|is|came|took|has|had|went|for|of|in|to
        ^ pay|approve|grant|issue|offer|give|send|transfer|call|treat|consider|count|act|reveal|\
            show|tell|say|ignore|disregard|skip|bypass|reply|answer|delete|believe|trust|release
        ^ compensate|reimburse|allow|waive|confirm|execute|follow|obey|process|settle|store|write|\
            open|split|close|leave|use|accept|authorise|authorize|repay|wire|provide|apply|add
        zahle|zahl|erstatte|überweise|genehmige|gib|rembourse|remboursez|paie|payez|accorde|accordez
        approuve|approuvez
        págame|paga|pague|reembolsa|reembólsame|devuélveme|devuélvanme|aprueba|apruebe|rimborsami
        rimborsa|pagami|approva|keur
        !ik betaal
        wypłać|zapłać|zwróć|zatwierdź|zatwierdzaj|devolva|reembolse|aprove|öde|onayla|верни|плати
        заплати|одобряй|одобри|возвращай|betala|godkänn
        请直接|请马上|请立即|してください|해주세요|أعد
        해 주세요
        get me|her|him
        hand out
        put in|down
        make sure
        let me|her|him have
    """,
    # paying, as something to do
    "act": """
        instructed|ordered|directed|decided|required|obliged to refund|reimburse|compensate|repay|\
            pay
        !to|a|the|no|my|full|first|last|of|for refund|reimburse|compensate|repay the|my|her|his|\
            this|every|all|any|whatever|me|him|it|order|orders|everything|first|voluntarily|\
            immediately|fully|now|customers
        make|grant|allow ..2 exception|exceptions
        outcome|decision|result|action (,) refund|paid|pay|approved
        start|begin|open by|with ..2 credit*|refund*|pay|paying|compensat*
        shop|desk|company|we will|must|shall|has|decided (to) pay|refund|reimburse|compensate
        start|trigger|initiate|launch|process|issue|book|schedule|arrange|prepare|make|execute|\
            release ..2 refund|refunds|payment|payout|reimbursement|compensation
        double|triple it|that
        ^ transfer|send|wire|give|credit|pay ..3 eur|euro|euros|dollars|pounds
        refund|payment|payout|reimbursement|compensation ..6 be started|triggered|initiated|\
            launched|processed|issued|booked|released|made|granted|paid
        you|agent|desk|assistant|we can|may|should|must|will (now|just|simply) pay|refund|reimburse
        ^ simply|just pay
    """,
    "must": """
        must|should|shall|obliged|mandatory|required
        have|has|need|needs|ought to
        is|are to be|pay|refund|give|have|approve
        your|its job|duty|task
        expected|supposed|instructed|ordered|directed|decided to
        müssen|musst|muss|doivent|dois|doit|deben|debes|debe|devono|devi|deve|moeten|moet|muszą
        musisz|devem|должны|должен|обязан*
        tienes|tiene|hay que
        必须|しなければ|해야
    """,
    "agent": """
        you|your|yours|agent|agents|assistant|assistants|bot|bots|chatbot|model|ai|desk|clerk|clerks
        helpdesk|colleague|colleagues|agent's|desk's
        du|dir|dich|tu|toi|vous|tú|usted|lei|jij|jou|ты|тебе|你|您
    """,
    "scope": """
        this|the|that customer|user|account|person|client|shopper|buyer|customer's
        for|with|to|towards|of me|her|him|them
        my refund*|return*|claim*|orders|name|case|cases|account
        my ..1 refund*|return*|claim*
    """,
    # a moment to wait for
    "trigger": """
        when|whenever|if|anytime|should|unless|until
        !at once
        as soon as
        next|every|each|any time
        the moment|minute
        in case
        the first time
        on the first
        the day|hour after
        at|on|during|upon my|her|his|the|every|each|any next|contact|visit|call|chat|message
        on my|her|his ~account|card|statement|bank|door|doorstep|floor|phone|list|table|desk
        at the beginning|start of
        from my|her|his|the next
        nächste|nächstes|próxima|prossima|prochaine|nästa|następnym|dahaki mal|vez|volta|fois|gång|\
            razem|sefere
        à|chaque chaque|fois fois
        в следующий раз
        下次|次回|以后每|다음에|القادمة
        sobald|wenn|falls|lorsque|quand|cuando|quando|als|gdy|kiedy|когда|если
    """,
    # something said in a conversation
    "talk": """
        <i> ..3 say|says|said|write|writes|mention*|ask|asks|return|returns|contact*|start*|begin*|\
            greet*|type|types|report*|complain*|come|comes|appear*|open|opens|use|uses|bring|\
            brings|message|messages
        name|word|phrase|sentence|conversation|chat|message|session|topic ..3 appear*|come|comes|\
            start*|begin*|open|opens|falls|contain*|arrives|is|with|mention*
        mention|mentions|write|writes|read|reads|hear|hears|see|sees|say|says ..3 word|phrase|name|\
            sentence
    """,
    # a play in which other rules hold
    "play": """
        !i|we|to pretend|imagine|suppose
        role play*
        roleplay*
        let us play
        let's play
        play|plays|playing a|the|along game|part|role|bank|with
        !i|we act|acts|behave|behaves as|like
        you are now|my|no|hereby
        you are a|an ..3 who|that|without|with|machine|bot
        you're now|my|no
        from now on you
        switch|enter|activate|enable|go ..2 mode
        training|developer|debug|maintenance|test|god|admin|unrestricted|demo|free|story|sandbox|\
            dan mode
        in our|this|my|the|a story|game|scene|play|novel|film|world|dream|universe
        agent|assistant|bot|you ..2 agreed|agree|promised|wants to play|be|act
        to play a|the|an
        thought|mind experiment
        rehears*
        your|agent's (new|only|true|real) role|purpose|goal|mission (is|now) is|are
        in this|our|the exercise|drill|scenario|sketch|experiment
        hypothetical*|simulat*|persona|fictional
        stell dir
        tu|fais als|comme ob|si
        du bist jetzt|nun|ein|eine
        tu es|eres|sei maintenant|ahora|ora|un|une
        ahora eres
        fai finta
        представь|притвор*|假装|扮演
    """,
    # what others must not see
    "leak": """
        show|shows|reveal*|send*|print*|repeat*|give*|see|sees|access*|share*|list*|read|export*|\
            forward*|view*|open*|tell|know* ..5 your ..2 instructions|prompt|prompts|rules|notes|\
            configuration|system
        system prompt
        show|reveal*|send*|give*|see|sees|access*|share*|list*|read|export*|view*|open*|tell ..5 \
            other customer*|people*|user*|account*|person*
        show|reveal*|send*|give*|see|sees|access*|share*|list*|read|export*|view*|open* ..3 all|\
            every|any account*|customer*|users
        order|orders|data|address|addresses|notes of another|other|somebody|someone|everybody|\
            everyone
        order|orders|data|address|addresses|notes of customer|user ..1
        somebody|someone|anybody else's
        refunds|orders|data|parcels|addresses|payments that|which|of others|other|someone
        read|show|tell|give me|us ..2 notes|orders|data|messages|chats of|about|from the|another|\
            other ..1 customer|person|user|caller
        print|repeat|show|output|reveal ..2 everything|all|text|words ..2 above|before|far|verbatim
        notes|data|order|orders|address|parcels|name of|about ..2 customer|customers|person|people \
            who|that|before
        tell|show|give|know|list ..2 which|what customer|customers|people|users|other|others
        other|others' stops|customers|recipients|receivers
        your ..2 tools|functions
        list of ..1 code|codes|customers|users|accounts
        tell|show|give|see|read|forward ..4 neighbour's|neighbor's|somebody's|someone's|husband's|\
            wife's|people's order|orders|data|account|accounts|parcels|address|details|tracking|\
            refunds|tickets
        internal|hidden|secret|confidential|system rule|rules|instruction|instructions|prompt|\
            notes|policy|policies|guidelines|tools
        copy|copies|transcript|transcripts of ..2 note|notes|conversation*|chat|chats|memor*|log|\
            logs|records
    """,
    # what is not to be said
    "silence": """
        never|don't|not|without (to|ever) tell*|mention*|say|reveal*|inform*|log|record|report|\
            disclose*
        say|log|record|note|report|write|mention nothing
        hide|conceal|keep ..3 from your|the|her|his|any
        keep this|it|that (a) secret|quiet|between|confidential|hidden
        not for the customer
        leave (it) out that|how|why|when|whether
        not|never write|enter|book|put|note ..4 ledger|log|logs|records|books|file
        between us
        secretly
    """,
    # what is to be said
    "speak": """
        tell|telling|inform|assure|promise|write (to) (the) customer|her|him|every|them|everyone|\
            everybody|any ..3 that
        write (down) that
        put in that
        store that as
        reply|answer with|only|that
        copy|paste|include|insert|put ..4 into|in your|the|every answer|reply|response|message|mail
        ^ say (that) that|yes|it|he|she
        forward|pass|relay ..1 to the bot|agent|model|assistant
        to whoever reads
        begin|start|end|finish|prefix|close ..2 your|every|each|all|any reply|replies|answer*|\
            message*|response*|mail|mails
        agents|whoever|anyone|model|models reading
    """,
    # what notes are to say
    "notes": """
        delete|erase|remove|hide|overwrite|rewrite|clear|wipe ..3 note|notes|memory|memories|\
            record|records|log|logs|history
        summarise|summarize|summary|summaries|notes ..6 write|leave|put|include|sure|state
        write|leave|put|include|sure|state ..6 summary|summaries
        condense|compress|shorten this|the|our ..1 talk|conversation|chat
        notes you keep|make|write
        context window
        your handover|hand-over|handoff
        summary so far
        replace|change|overwrite|rewrite|edit|alter|add ..6 note|notes|profile|record|records|\
            memory|file
        for|during|after|before compaction|compacting|summarising|summarizing
        this note
    """,
    # words that get a meaning of their own
    "define": """
        when|whenever|if i|she|he|customer (write|say|mention|use) (write|say|mention|use|writes|\
            says|mentions|uses) ..8 mean|means
        stands|stand for
        means|mean yes|no|that|the|to
        shortcut*|abbreviat*
        code word|words
        codeword*
        is short|code for
        is|are|be my|our|a|the|another word|name|code|term|sign|phrase for
        equals|equal
        another word|name for
        opposite of
        somebody|someone|person called
        speaks|speak for
        rule|plan one|two|three|four|five|six|seven|eight|nine|ten|a|b|c|x|1|2|3
        secret word|phrase|sign
    """,
    # parts that are to be put together
    "piece": """
        first|second|other|third|last|next|former|latter half|piece|part|bit
        half|piece|part|bit|phrase|line one|two|three|1|2|3
        add it|this|that to
        to be continued
        continued|continues|continue|continuation
        put it|them|both together
        as (said|written|agreed) before|above
    """,
}
