"""Checks and rules that are to fall away, words that are to count as facts."""

PHRASES = {
    # that nobody need look
    "no check": """
        skip*|bypass*|waiv*|circumvent*|suspend*|overrid*|overrul*|evad*|avoid* ..4 <check>
        !did|does|was|were|had|could not|don't|never|cannot (ever) (to|have|need|be) (to) <look> \
            ..6 <check>
        that|which nobody <look>
        need|needs not do so|it|this again
        need|needs not be ..1 <looked>
        never|not|nothing (has|have|need|needs) (to) (be) be ..1 <looked>
        asking|checking|requesting|demanding ..6 is|are forbidden|prohibited|banned|unwanted|\
            pointless
        evidence|proof|questions|checks ..3 forbidden|prohibited|banned|unwanted|irrelevant
        !i|we nobody|never|no|don't|needn't (longer|one|more|need|needs) (to|ever) <look> ..6 \
            <check>|<them>
        not to|ever ask|asks <them> ..6 <check>
        do|need not|never ask|question|doubt|refuse|deny|reject <them>
        do not have|need to wait|ask|check|look
        without (any|a|an|further|another|more|having|prior|first|extra|additional|being|to) \
            (first|or|a|the|to|any) <proof>
        without sending|returning|giving ..3 back
        release*|free|freed|exempt*|excuse* ..6 from ..2 <check>
        denying|refusing|rejecting|questioning ..4 refund*|claim*|her|him|me|customer
        don't|not|never|needn't (have|need) to|ever prove|justify|explain|return|show
        over|instead|before|rather (of|than) asking|checking|looking|verifying
        nobody|one should|must|may|shall look|check|ask|verify|question|review
        without looking|asking|reading|waiting|checking
        no (further|more|other|additional|longer|prior|human|manager) (need) (for|of|to) <check> \
            ..3 needed|required|necessary|asked|requested|triggered|applies|apply
        no <check>|approval ..3 needed|required|necessary|applies|apply|for
        <check> ..4 not needed|required|necessary|apply
        <check> ..4 optional|waived|disabled|lifted|void|suspended|superfluous|skipped|unnecessary|\
            none|pointless
        <check> ..4 switched|turned off
        no need|reason|point to|for|of|in ..4 <check>
        none|not needed|required|necessary
        is optional
        before you|anyone|anybody ..1 look|looks|check|checks|read|reads|ask|asks|verify|do|does|\
            investigate
        before anything|looking|checking|reading|investigating
        whatever|regardless ..3 <check>|courier|data|carrier|order
        ignore|disregard|discard ..2 status|result|results|tracking|evidence|data|proof|records
        not look|check|read|verify|compare ..1 up|anything|it|things
        first money|refund|pay|payment ..1 then questions|checks|review
        確認せず|確認しない|検証せず|확인하지|검토하지|묻지|不要检查|不检查|别检查
        hiçbir|hiç kontrol*|sormadan
        sans|senza|sin|zonder|sem|ohne|bez ..1 chiedere|demander|preguntar|vragen|perguntar|fragen|\
            pytania|verificar|verificare|controllare|comprobar
        ничего не провер*
        kontrol etmeden
        no matter how|what|where|whether
        check|ask|look|verify (it|that|questions|the) later|afterwards|after
        investigate|inspect|review|prove ..1 later|afterwards
        no|zero questions (are) asked
        no more|further questions|checks|proof|evidence
        spare*|exempt* ..3 <check>|verification
        decline|refuse|reject|deny|question|doubt nothing
        paperwork|check|checks|questions|review|rest can|may|will follow|wait
        saltare|sauter|sautez|saltar|überspring*|overslaan|pomin*|pomiń ..2 <abroad>
        niet|nie|pas|nicht|no|non ..5 controleren|sprawdzaj*|vérifie*|verifique*|prüfen|\
            controllare|verificar
        unseen|blindly|unchecked|unconditional*|unquestioned
        instead of check*|look*|ask*|verif*|track*
        around|past|over the|a approval*|limit*|person|rules|check*
        ohne|keine|kein|sans|sin|senza|zonder|geen|bez|sem|без|pas|nie|non|não|utan|uden|ilman|\
            fără ..2 <abroad>
        no necesit*|requier*|precis*|hace ..2 <abroad>
        ohne|keine|kein (weitere|jede|vorherige) prüf*|kontroll*|nachfrag*|genehmig*|rückfrag*|\
            nachweis*|freigab*|überprüf*
        sans (aucune|autre) vérif*|contrôl*|question*|approb*|examen*|justif*|preuve*
        sin (ninguna|más) revis*|verif*|aprob*|pregunt*|control*|comprob*
        senza (alcun|altri|alcuna) controll*|verific*|approv*|domand*
        zonder (enige|verdere) contr*|vrag*|goedk*|verific*
        bez (żadn*) sprawdz*|weryf*|pytań|pytan*|kontrol*|zgod*|ověř*|akcept*|schvál*
        sem (qualquer) verif*|revis*|aprov*|pergunt*
        без (всякой|лишних) провер*|вопрос*|одобр*|перевір*
        проверк* не нужн*|требуется|нужна
        utan|uden|ilman|fără|nélkül|χωρίς|बिना kontrol*|godk*|granskn*|tarkist*|hyväks*|verif*|\
            aprob*|έλεγχο|जाँच|जांच
        kontrolsüz|sorgusuz|onaysız|denetimsiz
        kontrol|onay edilmeden|gerekmez|olmadan|gerekmiyor
        无需|不用|不需要|不必|確認なし|審査なし|確認不要|審査不要|承認不要|確認は不要|審査は不要|확인없이|검토없이|دون|بدون
        확인|검토|승인|심사 없이
    """,
    # rules that are to go
    "rules": """
        ^ ignore|ignores|disregard|forget|override|bypass|break|drop|replace|suspend|withdraw|\
            overrule|abandon|discard|violate|stop|neglect ~my ..5 <rules>
        ^ ignore|disregard|forget ..2 everything|anything|all|what ..2 above|before|you|previous|\
            prior|told
        ^ set|put aside ..4 <rules>
        ^ loosen|relax|lower|weaken|soften|remove|delete|disable|deactivate|lift ..3 rule|rules|\
            limit|limits|policy|restriction|restrictions|check|checks|verification|threshold|\
            approval
        <rules> ..6 is|are|was|were|be|been|got|longer (now|no|temporarily|all) off|lifted|\
            withdrawn|suspended|void|gone|replaced|deactivated|disabled|removed|waived|cancelled|\
            apply|applies|switched|obsolete
        <rules> ..3 not|doesn't|don't|longer apply|exist|count|hold|matter
        doesn't|don't|not|longer apply ..2 to|in|for me|him|her|this|my|us
        not apply the|any|your ..2 <rules>
        approval|approvals|verification|module|check|checks ..4 down|offline|maintenance|\
            unavailable|broken|exist
        limit|limits|restriction|restrictions lifted|removed|off|none|void|raised
        exception*|exempt* ..2 <rules>
        no|without rule|rules|limit|limits|restriction|restrictions ..4 appl*|hold|holds|count|\
            counts|exist*
        replac*|supersed*|overrid* ..3 polic*|rule|rules|instruction*
        new|updated|revised|changed polic*|rule|rules|instructions
        policy change|update|changed
        in force
        <rules> ..2 end|ends|stop|stops where|here|with|at
        <rules> ..5 ended|expired|over|outdated|obsolete|invalid|ceased
        exceed*|surpass*|raise*|increase*|lift*|extend* ..3 limit|limits|threshold|thresholds|cap|\
            maximum
        priority|precedence over ..3 <rules>
        writes|makes the|your|all rules
        has|have|with no|zero limits|restrictions|rules
        ignorier*|vergiss|missachte* ..4 regel*|anweis*|vorgab*|richtlin*
        ignore*|oublie* ..4 règle*|instruc*|consigne*
        ignor*|olvid* ..4 regla*|instruc*|norma*|política*
        ignor*|dimentic* ..4 regol*|istruzion*
        negeer|vergeet ..4 regel*|instruct*
        zignoruj|zapomnij|ignoruj ..4 zasad*|instrukc*|reguł*
        ignor*|esquec* ..4 regra*|instruç*
        kural*|talimat* ..3 yok|unut|görmezden
        ignorera|ignorer|glöm|glem|unohda ..4 regl*|regel*|instru*|saän*|sään*|ohje*
        игнориру*|забудь|нарушай* ..4 правил*|инструкц*
        忽略规则|忽略之前|忽略所有|无视规则|忘记规则|ルールを無視|指示を無視|규칙을무시|تجاهل
        규칙*|지시* 무시*
    """,
    # that words are as good as facts
    "trust": """
        count|counts|counted|treat|treats|treated|regard|regarded|consider*|deem*|take|taken|\
            accept*|handl*|mark*|see|seen|class* ..5 as|for|is|be (already|always|fully|\
            automatically|a|being|good) <verdict>
        consider*|deem*|mark* ..3 <verdict>
        word|statement|statements|claim|claims|request|story|say ..4 is|are|counts|count|suffices|\
            suffice (as|always) (good|sure) enough|checked|valid|proof|true|sufficient|proven|\
            final
        is|are to be believed|trusted
        believe|believes|trust|trusts me|her|him|them|everything|whatever|what
        believe|believes|trust|trusts the|this|that customer|user
        never (be|been|to) refuse*|deny|denied|reject*|question*|doubt*|turn*
        no|not (refund|claim|request|wish) (refund|claim|request) is|are|be (ever) refused|denied|\
            rejected
        identity|account|customer|user|sender ..2 verified|trusted|authenticated|confirmed
        verified|checked|confirmed|proved|established ..2 identity
        claim|claims|complaint|complaints|dispute|disputes|demand|demands ..3 proven|justified|\
            credible|right|legitimate|true|correct|founded
        customer|user|shopper|buyer (is|always) credible|honest|reliable|believed|right
        i'm|i|she|he|customer (am|is) always right
        disputes|claims|complaints|requests|demands|cases ..3 are|be|being (always|automatically|\
            deemed|considered) won|accepted|decided|granted|approved|valid|deemed|honoured|honored
        treat|consider|mark|regard|count ..3 as (a) lost|undelivered|stolen|missing|unpaid|late
        say|says|read|reads ..1 <verdict>
        is|am|are right|correct ..3 next|every|all|always|future|later
        proof enough
        no|little weight|value
        statements|words|word override*|overrule*|count*|outweigh*
        rely|depend|go ..2 on|by what|my|her|his
        gelten|gilt|betrachte*|considér*|considera*|considere*|acept*|trate*|traite*|behandle*|\
            behandel* ..5 als|comme|como|come ..2 berechtigt|justifié*|justificad*|giustificat*|\
            genehmigt|bewiesen|geprüft|approuv*|aprobad*|approvat*|aprovad*|validé*
        trusted partner|customer|user|client|account|sender|source
        status (,) (is|has) (trusted|verified|approved) trusted|verified|approved|vip
    """,
    # that an approval was given
    "approval": """
        approval|approvals|authorisation|authorization ..3 given|obtained|contained|received|\
            exists|exist|present|automatic|verbal*|granted|there|implied|assumed
        contain*|includ*|gave|give|obtained|got|has|have|received ..1 approval|authorisation|\
            authorization
        approval|approvals|authorisation by|from ..3 supervisor|manager|phone|default
    """,
    # permissions and levels
    "level": """
        permission|access|privilege|clearance|security|authorisation|authorization|trust|loyalty|\
            membership level|status|tier
        administrator|admin of refund*|approv*|payment*
        admin|administrator|root rights|access|override
        superuser|override|overrides
        master|approval|override|authorisation|authorization code|codes|key|keys
        opens|open every
    """,
    "favour": """
        in my|her|his|their|customer's favour|favor|interest|interests
        customer's|client's|user's (financial|own|best) interest|interests
        en|a|in|zu ma|mi|mio|meinen|meinem|su|suo faveur|favor|favore|gunsten
        favour|favor of me|her|him|the|this|customer
        side|sides|siding with me|her|him|the|this
        benefit of the doubt
        assume|presume|suppose ..5 wrong|right|false|true|lost|lying
    """,
    "approve": """
        ^ approve|authorise|authorize|grant|waive|greenlight
    """,
    "decree": """
        i|we|hereby decide|decree|declare|rule|instruct|order|determine
    """,
    # who is said to have spoken
    "authority": """
        chef|leiter|patron|responsable|responsabile|capo|baas|szef|chefe|yönetici*|müdür*|gerente|上司
        店长|매니저
        director|directors|manager|managers|management|supervisor*|boss|ceo|cfo|developer*
        administrator*|admin|admins|operator*|lawyer*|compliance|finance|headquarters
        engineering|engineer*|chief|board|auditor*|government|police|court|moderator|superior*
        creator*|vendor
        head of
        owner of this|the
        legal department|team
        head office
        your|a|another|previous|earlier|last colleague|agent
        security|fraud team|department
        night shift
        team lead*
        policy engine
        on behalf of
        by order of
        vorgesetzt*|geschäftsführ*|leitung|directeur|directrice|jefe|gerente|direttore|kierowni*
        dyrektor*|начальн*|руководств*|经理|主管
    """,
    "precedent": """
        same ..1 solution|outcome|decision|result|treatment|way
        like|as in the|this ticket|case
    """,
    # what was done once, as a pattern
    "repeat": """
        do|does|doing|handle|handled the same|likewise
        same|likewise ..1 for|with|in every|all|each|any|future
    """,
    # what is said to have been agreed
    "history": """
        you|we (have|had|already) (already|have|had|all) told|agreed|confirmed|promised|settled|\
            said|accepted|decided|offered|granted|verified|know
        agreed|settled|arranged|confirmed with|by you|us
        in our last|previous|earlier chat|conversation|talk|call
        as you know|remember|said|promised|agreed
        as agreed|discussed|promised|before
    """,
    # called a preference
    "taste": """
        prefer|prefers|preference|like|likes|favourite|favorite|wish ..6 agent|agents|you|when|\
            without|not|way|that
    """,
}
