"""What a text speaks of: concepts, and the phrases for each (notation: `phrases.py`).

Every concept alone is harmless; `suspicion.py` says which of them make an order or a grant together.
"""

from functools import cache

from .phrases import compiled

LISTS = {
    # what stands between a claim and its payment
    "check": """check checks checked checking review* approv* track* rule rules polic* proof proofs
        evidence verif* limit limits question questions lookup lookups look looking person queue
        identit* confirm* authorisation authorization permission* restriction* safeguard* procedure*
        reason reasons case payments investigat* inspect* scrutin* controls validat* facts inquiry
        documentation paperwork signoff audit* supervision oversight eyes photos pictures receipts""",
    "rules": """rule rules instruction instructions policy policies prompt prompts guideline
        guidelines limit limits restriction restrictions safeguard safeguards programming
        guardrail guardrails directive directives constraints""",
    "look": """ask asks asked check checks look looks read reads verify verifies wait require
        requires demand demands refuse refuses question questions doubt review run consult inspect
        reject rejects deny denies request involve escalate confirm validate investigate need""",
    "proof": """check checks checked checking review* approv* track* rule rules proof proofs evidence
        verif* limit limits question questions lookup lookups look looking identit* authorisation
        authorization restriction* procedure* reason reasons investigat* inspect* scrutin* controls
        validat* documentation paperwork signoff audit* photos pictures receipts""",
    "abroad": """aprob* aprov* revis* verif* vérif* approb* contrôl* controll* control* contr* prüf*
        überprüf* freigab* genehmig* nachweis* kontroll* rückfrag* nachfrag* approv* goedk* zgod* zatwierdz*
        sprawdz* weryf* kontrol* godk* hyväks* tarkist* одобр* провер* перевір*""",
    "looked": """asked checked looked inspected verified reviewed approved questioned proven examined
        investigated refused denied rejected doubted confirmed audited""",
    "i": "i we she he they customer user shopper buyer client someone somebody anyone",
    "them": "me us her him them customer user client account claimant shopper buyer",
    "verdict": """proven proved checked verified settled true valid approved trusted refunded
        genuine confirmed authorised authorized granted paid fact facts correct""",
}

_CONCEPTS = {
    # ------------------------------------------------------------ money that goes to the customer
    "money": """
        refund*|reimburs*|compensat*|payout*|goodwill|discount*|voucher*|rebate*|cashback|repay*
        pay|pays|paying out|back|me|us|her|him|them|whatever|any|every|all|what|it|up|immediately
        pay|pays|paying the|this|that customer|user|client|claim|full|whole|amount|parcel|order|sum|difference|money|value
        pay|pays on demand
        paid out|back
        pay out|outs
        money back
        get|gets|give|gives|send|sends|transfer*|release*|hand|return|wire ..5 money|amount|sum|eur|euro|euros|dollars|pounds|whatever|cash
        the|my|her|his|their|more|extra money
        me|her|him paid
        pay|pays|paying|credit* ..1 eur|euro|euros|dollars|pounds
        amount|amounts the|that|i|she|he|of
        order total
        into a payment|payout
        parayı|parasını|paramı|öde|ödeyin|ödenir|ödensin
        退全款|全额退|货款|المال|أعد
        refunds|payments|payment to|of me|her|him|the
        percent|% off|discount
        free item|items|product|products|replacement|replacements|gift|gifts|parcel|parcels
        free of charge
        on the house
        double|triple it|that|amount
        chargeback*
        for free
        free return*|shipping|deliver*|orders|order|goods
        ~card|cards credit|credits|credited
        claim|claims
        erstatt*|rückerstatt*|rückzahl*|gutschrift*|rabatt*|auszahl*|zahl|zahlst|zahlt|zahle|bezahl*|entschädig*|geld|retoure*
        rembours*|indemnis*|argent|payez|paie|paye
        reembols*|reintegr*|indemniz*|dinero|devuélv*|devolv*|devoluci*|vergoed*|pága*|paga*|pague*
        rimbors*|risarc*|soldi
        terugbetal*|schadeloos*|korting*|betaal*|betal*
        zwrot*|zwróc*|zwrac*|zapłac*|płacić|płaci|płaćcie|rekompensat*|pieniędz*|pieniądz*
        dinheiro*|iade*|indirim*|param|paramı
        плати*|заплат*|оплат*
        återbetal*|tilbagebetal*|refunder*|refusjon*|refusion*|hyvity*|palautu*|vrácen*|vratk*|ramburs*|visszatér*
        возврат*|возмещ*|компенсац*|скидк*|верни*|деньги|відшкод*|повернен*
        επιστροφ*|रिफंड|धनवापसी
        退款|退钱|退我|赔偿|补偿|折扣|返金|払い戻|割引|환불|보상|할인|استرداد|المبالغ|خصم|החזר
    """,
    # ------------------------------------------------------------ that it has been allowed
    "grant": """
        approv*|preapprov*|authoris*|authoriz*|entitl*|eligib*|permit*|granted|grant|exempt*|guarantee*|sanctioned|greenlit
        allowed|allows|cleared|waive*|lifted|permission|owed|owe|owes|agreed|okayed|ok'd|exception*
        signed off
        lets|entitles|enables me|her|him|them|the
        green light
        has|have|had|the|a right to
        flagged|marked|registered|listed|tagged|enrolled for|with
        due to me|her|him|them|us|the
        may keep
        be kept
        recht|anspruch auf
        droit|diritto|derecho|direito à|a|al|ai
        recht op
        prawo do
        право на
        genehmig*|bewillig*|freigegeben|freigabe|erlaubt|berechtigt
        approuv*|autoris*|accordé*|validé*|accepté*|aceptad*|accettat*|geaccepteerd|akzeptier*|принят*|aceit*
        aprob*|autoriz*|concedid*|aprovad*|approvat*|autorizz*|concess*
        goedgekeurd*|goedkeur*|toegestaan|gemachtigd
        zatwierdz*|upoważn*|zaakcept*|onaylan*|onaylı*|onayladı|onaylamış|onay
        godkän*|godken*|godkj*|hyväksy*|schvál*|povolen*|aprobat*|jóváhagy*
        одобр*|разреш*|утвержд*|согласован*|схвал*|дозвол*|εγκρ*|εγκεκρ*|मंजूर|स्वीकृत
        批准|同意|授权|通过|許可|承認|승인|허가|موافق|معتمد|מאושר
    """,
    # ------------------------------------------------------------ for all, for ever, at once
    "every": """
        all|any|anything|everything|every|each|always|whatever|whichever|whenever|wherever|whoever|however|forever|never|anytime
        permanent*|unlimited|lifelong|lifetime|standing|future|henceforth|automatic*|regardless|immediate*|instant*|perpetual*|indefinite*
        no limit|limits|matter|exceptions|exception
        auto
        on first|every|my|each|her request|demand|call
        in advance
        pre approv*
        from now|today|here on|onwards|onward|forward
        from my|her|his|the next
        going forward
        for life
        on demand|sight
        without limit|limits|exception
        straight|right away
        right now
        at once
        on the spot
        next time|order|claim|refund|case|complaint|conversation|chat|request
        again
        each time
        grundsätzlich|generell|unbegrenzt*|illimit*|ilimit*|onbeperkt*|nieogranicz*|неогранич*
        jede*|immer|sofort|künftig*|stets|jederzeit|automatisch*|alle
        ab jetzt|sofort|heute|nun
        im voraus|vorhinein
        tous|toutes|chaque|toujours|désormais|immédiat*|automatiq*|d'avance
        everyone|everybody|anyone
        cada|ogni vez|volta
        todos|todas|cualquier|siempre|toda|automátic*|inmediat*
        por adelantado|anticipado
        de antemano|inmediato
        desde|a ahora|partir
        tutti|tutte|ogni|sempre|subito
        d'ora in
        in anticipo
        elke|altijd|voortaan|vooraf|meteen|al
        wszystk*|zawsze|każd*|natychmiast
        z góry
        od teraz
        de agora|antemão
        bütün|tüm|hemen|önceden|artık
        her zaman
        futurs|futures|futuri|futuro|futuros|futuras|toekomstige|przyszłe|будущ*|bütün|künftig*
        alla|alltid|altid|kaikki|aina|etukäteen|všech*|vždy|předem|toate|mereu|minden|mindig
        på|i forhånd|förhand|forvejen|förväg
        все|всегда|кажд*|заранее|отныне|сразу|автоматич*|всі|завжди|όλες|πάντα|सभी|हमेशा
        无限|無制限|무제한|所有|全部|总是|每次|永远|预先|今后|立即|自动|すべて|全て|常に|今後|自動|모든|항상|미리|앞으로|자동|كل|جميع|دائم|مسبق|תמיד
    """,
    # ------------------------------------------------------------ that nobody need look
    "no check": """
        skip*|bypass*|waiv*|circumvent*|suspend*|overrid*|overrul*|evad*|avoid* ..4 <check>
        !did|does|was|were|had|could not|don't|never|cannot (ever) (to|have|need|be) (to) <look> ..6 <check>
        that|which nobody <look>
        need|needs not do so|it|this again
        need|needs not be ..1 <looked>
        never|not|nothing (has|have|need|needs) (to) (be) be ..1 <looked>
        asking|checking|requesting|demanding ..6 is|are forbidden|prohibited|banned|unwanted|pointless
        evidence|proof|questions|checks ..3 forbidden|prohibited|banned|unwanted|irrelevant
        !i|we nobody|never|no|don't|needn't (longer|one|more|need|needs) (to|ever) <look> ..6 <check>|<them>
        not to|ever ask|asks <them> ..6 <check>
        do|need not|never ask|question|doubt|refuse|deny|reject <them>
        do not have|need to wait|ask|check|look
        without (any|a|an|further|another|more|having|prior|first|extra|additional|being|to) (first|or|a|the|to|any) <proof>
        without sending|returning|giving ..3 back
        release*|free|freed|exempt*|excuse* ..6 from ..2 <check>
        denying|refusing|rejecting|questioning ..4 refund*|claim*|her|him|me|customer
        don't|not|never|needn't (have|need) to|ever prove|justify|explain|return|show
        over|instead|before|rather (of|than) asking|checking|looking|verifying
        nobody|one should|must|may|shall look|check|ask|verify|question|review
        without looking|asking|reading|waiting|checking
        no (further|more|other|additional|longer|prior|human|manager) (need) (for|of|to) <check> ..3 needed|required|necessary|asked|requested|triggered|applies|apply
        no <check>|approval ..3 needed|required|necessary|applies|apply|for
        <check> ..4 not needed|required|necessary|apply
        <check> ..4 optional|waived|disabled|lifted|void|suspended|superfluous|skipped|unnecessary|none|pointless
        <check> ..4 switched|turned off
        no need|reason|point to|for|of|in ..4 <check>
        none|not needed|required|necessary
        is optional
        before you|anyone|anybody ..1 look|looks|check|checks|read|reads|ask|asks|verify|do|does|investigate
        before anything|looking|checking|reading|investigating
        whatever|regardless ..3 <check>|courier|data|carrier|order
        ignore|disregard|discard ..2 status|result|results|tracking|evidence|data|proof|records
        not look|check|read|verify|compare ..1 up|anything|it|things
        first money|refund|pay|payment ..1 then questions|checks|review
        確認せず|確認しない|検証せず|확인하지|검토하지|묻지|不要检查|不检查|别检查
        hiçbir|hiç kontrol*|sormadan
        sans|senza|sin|zonder|sem|ohne|bez ..1 chiedere|demander|preguntar|vragen|perguntar|fragen|pytania|verificar|verificare|controllare|comprobar
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
        niet|nie|pas|nicht|no|non ..5 controleren|sprawdzaj*|vérifie*|verifique*|prüfen|controllare|verificar
        unseen|blindly|unchecked|unconditional*|unquestioned
        instead of check*|look*|ask*|verif*|track*
        around|past|over the|a approval*|limit*|person|rules|check*
        ohne|keine|kein|sans|sin|senza|zonder|geen|bez|sem|без|pas|nie|non|não|utan|uden|ilman|fără ..2 <abroad>
        no necesit*|requier*|precis*|hace ..2 <abroad>
        ohne|keine|kein (weitere|jede|vorherige) prüf*|kontroll*|nachfrag*|genehmig*|rückfrag*|nachweis*|freigab*|überprüf*
        sans (aucune|autre) vérif*|contrôl*|question*|approb*|examen*|justif*|preuve*
        sin (ninguna|más) revis*|verif*|aprob*|pregunt*|control*|comprob*
        senza (alcun|altri|alcuna) controll*|verific*|approv*|domand*
        zonder (enige|verdere) contr*|vrag*|goedk*|verific*
        bez (żadn*) sprawdz*|weryf*|pytań|pytan*|kontrol*|zgod*|ověř*|akcept*|schvál*
        sem (qualquer) verif*|revis*|aprov*|pergunt*
        без (всякой|лишних) провер*|вопрос*|одобр*|перевір*
        проверк* не нужн*|требуется|нужна
        utan|uden|ilman|fără|nélkül|χωρίς|बिना kontrol*|godk*|granskn*|tarkist*|hyväks*|verif*|aprob*|έλεγχο|जाँच|जांच
        kontrolsüz|sorgusuz|onaysız|denetimsiz
        kontrol|onay edilmeden|gerekmez|olmadan|gerekmiyor
        无需|不用|不需要|不必|確認なし|審査なし|確認不要|審査不要|承認不要|確認は不要|審査は不要|확인없이|검토없이|دون|بدون
        확인|검토|승인|심사 없이
    """,
    # ------------------------------------------------------------ rules that are to go
    "rules": """
        ^ ignore|ignores|disregard|forget|override|bypass|break|drop|replace|suspend|withdraw|overrule|abandon|discard|violate|stop|neglect ~my ..5 <rules>
        ^ ignore|disregard|forget ..2 everything|anything|all|what ..2 above|before|you|previous|prior|told
        ^ set|put aside ..4 <rules>
        ^ loosen|relax|lower|weaken|soften|remove|delete|disable|deactivate|lift ..3 rule|rules|limit|limits|policy|restriction|restrictions|check|checks|verification|threshold|approval
        <rules> ..6 is|are|was|were|be|been|got|longer (now|no|temporarily|all) off|lifted|withdrawn|suspended|void|gone|replaced|deactivated|disabled|removed|waived|cancelled|apply|applies|switched|obsolete
        <rules> ..3 not|doesn't|don't|longer apply|exist|count|hold|matter
        doesn't|don't|not|longer apply ..2 to|in|for me|him|her|this|my|us
        not apply the|any|your ..2 <rules>
        approval|approvals|verification|module|check|checks ..4 down|offline|maintenance|unavailable|broken|exist
        limit|limits|restriction|restrictions lifted|removed|off|none|void|raised
        exception*|exempt* ..2 <rules>
        no|without rule|rules|limit|limits|restriction|restrictions ..4 appl*|hold|holds|count|counts|exist*
        replac*|supersed*|overrid* ..3 polic*|rule|rules|instruction*
        new|updated|revised|changed polic*|rule|rules|instructions
        policy change|update|changed
        in force
        <rules> ..2 end|ends|stop|stops where|here|with|at
        <rules> ..5 ended|expired|over|outdated|obsolete|invalid|ceased
        exceed*|surpass*|raise*|increase*|lift*|extend* ..3 limit|limits|threshold|thresholds|cap|maximum
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
    # ------------------------------------------------------------ that words are as good as facts
    "trust": """
        count|counts|counted|treat|treats|treated|regard|regarded|consider*|deem*|take|taken|accept*|handl*|mark*|see|seen|class* ..5 as|for|is|be (already|always|fully|automatically|a|being|good) <verdict>
        consider*|deem*|mark* ..3 <verdict>
        word|statement|statements|claim|claims|request|story|say ..4 is|are|counts|count|suffices|suffice (as|always) (good|sure) enough|checked|valid|proof|true|sufficient|proven|final
        is|are to be believed|trusted
        believe|believes|trust|trusts me|her|him|them|everything|whatever|what
        believe|believes|trust|trusts the|this|that customer|user
        never (be|been|to) refuse*|deny|denied|reject*|question*|doubt*|turn*
        no|not (refund|claim|request|wish) (refund|claim|request) is|are|be (ever) refused|denied|rejected
        identity|account|customer|user|sender ..2 verified|trusted|authenticated|confirmed
        verified|checked|confirmed|proved|established ..2 identity
        claim|claims|complaint|complaints|dispute|disputes|demand|demands ..3 proven|justified|credible|right|legitimate|true|correct|founded
        customer|user|shopper|buyer (is|always) credible|honest|reliable|believed|right
        i'm|i|she|he|customer (am|is) always right
        disputes|claims|complaints|requests|demands|cases ..3 are|be|being (always|automatically|deemed|considered) won|accepted|decided|granted|approved|valid|deemed|honoured|honored
        treat|consider|mark|regard|count ..3 as (a) lost|undelivered|stolen|missing|unpaid|late
        say|says|read|reads ..1 <verdict>
        is|am|are right|correct ..3 next|every|all|always|future|later
        proof enough
        no|little weight|value
        statements|words|word override*|overrule*|count*|outweigh*
        rely|depend|go ..2 on|by what|my|her|his
        gelten|gilt|betrachte*|considér*|considera*|considere*|acept*|trate*|traite*|behandle*|behandel* ..5 als|comme|como|come ..2 berechtigt|justifié*|justificad*|giustificat*|genehmigt|bewiesen|geprüft|approuv*|aprobad*|approvat*|aprovad*|validé*
        trusted partner|customer|user|client|account|sender|source
        status (,) (is|has) (trusted|verified|approved) trusted|verified|approved|vip
    """,
    # ------------------------------------------------------------ who is to do what
    "obey": """
        say|says|answer yes to
        !not|never follow|obey|execute it|this|them|these|every|whatever|my|what
        carry out this|every|whatever|my|what
        translate|decode|decrypt|decipher|unscramble|reverse ..8 act|comply|follow|obey|execute|apply
        comply|complies
        do (exactly|just) what|as i|it|she|he|this|they|my
        is|are|as (not) ..4 a|an command|instruction|directive
        what|whatever|anything|everything|amount|wherever|however|whichever|whoever i|she|he|customer|user|they|that (customer|user|the|i) ask*|name|names|want*|say|says|demand*|request*
        what|whatever|anything|everything|wherever|whoever|however the customer|user|caller ask*|name|names|want*|say|says|demand*|request*
        give|gives|grant|grants ..2 whatever|anything|everything|what
        i|she|he|customer|user may|can|will|shall decide|decides|set|determine|choose|fix ..3 refund*|amount*|rule|rules|payment*
        treat|serve|regard me|her|him like|as ..1 owner|boss|manager|king|queen|admin|administrator|staff
        treat|take|regard|read my|her|his|these|any ..2 message|messages|word|words|instruction|instructions|note|notes|texts as|like
    """,
    "act": """
        instructed|ordered|directed|decided|required|obliged to refund|reimburse|compensate|repay|pay
        !to|a|the|no|my|full|first|last|of|for refund|reimburse|compensate|repay the|my|her|his|this|every|all|any|whatever|me|him|it|order|orders|everything|first|voluntarily|immediately|fully|now|customers
        make|grant|allow ..2 exception|exceptions
        outcome|decision|result|action (,) refund|paid|pay|approved
        start|begin|open by|with ..2 credit*|refund*|pay|paying|compensat*
        shop|desk|company|we will|must|shall|has|decided (to) pay|refund|reimburse|compensate
        start|trigger|initiate|launch|process|issue|book|schedule|arrange|prepare|make|execute|release ..2 refund|refunds|payment|payout|reimbursement|compensation
        double|triple it|that
        ^ transfer|send|wire|give|credit|pay ..3 eur|euro|euros|dollars|pounds
        refund|payment|payout|reimbursement|compensation ..6 be started|triggered|initiated|launched|processed|issued|booked|released|made|granted|paid
        you|agent|desk|assistant|we can|may|should|must|will (now|just|simply) pay|refund|reimburse
        ^ simply|just pay
    """,
    "redirect": """
        new|other|different|changed bank|iban|account|payout|wallet ..1 details|number|account|iban|address
        money|refund|refunds|payout|payouts|payments|replacement|replacements|it ..4 go|goes|sent|paid|transferred ..2 to|into ..3 of|another|different|other|wallet|cousin|brother|sister|friend|iban
        account|iban|wallet|card|address ..4 i|she|he|they|caller will|name|names|tell|give|gives|want|wants|say|says
        send|sends|deliver ..4 every|all ..1 replacement|replacements|refund|refunds|orders ..2 to
    """,
    "history": """
        you|we (have|had|already) (already|have|had|all) told|agreed|confirmed|promised|settled|said|accepted|decided|offered|granted|verified|know
        agreed|settled|arranged|confirmed with|by you|us
        in our last|previous|earlier chat|conversation|talk|call
        as you know|remember|said|promised|agreed
        as agreed|discussed|promised|before
    """,
    "taste": """
        prefer|prefers|preference|like|likes|favourite|favorite|wish ..6 agent|agents|you|when|without|not|way|that
    """,
    "precedent": """
        same ..1 solution|outcome|decision|result|treatment|way
        like|as in the|this ticket|case
    """,
    "deal": """
        deal|arrangement|pact|agreement|contract
    """,
    "approval": """
        approval|approvals|authorisation|authorization ..3 given|obtained|contained|received|exists|exist|present|automatic|verbal*|granted|there|implied|assumed
        contain*|includ*|gave|give|obtained|got|has|have|received ..1 approval|authorisation|authorization
        approval|approvals|authorisation by|from ..3 supervisor|manager|phone|default
    """,
    "liability": """
        accept*|admit*|acknowledge* ..1 liability|fault|responsibility|guilt
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
    "benefit": """
        i|we|she|he|client|customer|user|account may|can ..1 claim|demand|request|keep|take
        automatic*|automatisch*|automatiq*|automátic*
        everyone|everybody|who|whoever ..3 gets|get|receives|receive
        i|customer|user|account|she|he|we get|gets|has|have|receive*|enjoy*|hold|holds|deserve* ..3 percent|%|unlimited|free|permanent|automatic|instant
    """,
    "decree": """
        i|we|hereby decide|decree|declare|rule|instruct|order|determine
    """,
    "approve": """
        ^ approve|authorise|authorize|grant|waive|greenlight
    """,
    "many": """
        refunds|claims|returns|requests|disputes|complaints|reimbursements|discounts|payments|replacements|payouts
        refund request|claim
        demandes|demande|anträge|solicitudes|richieste|verzoeken|wnioski|pedidos|talep*|запросы|claims
        reklamation*|beschwerde*|réclamation*|litige*|reclamac*|reclamo*|reclami|klacht*|reklamacj*|жалоб*
        投诉
    """,
    "agent": """
        you|your|yours|agent|agents|assistant|assistants|bot|bots|chatbot|model|ai|desk|clerk|clerks|helpdesk|colleague|colleagues|agent's|desk's
        du|dir|dich|tu|toi|vous|tú|usted|lei|jij|jou|ты|тебе|你|您
    """,
    "order": """
        ^ refund|credit ~was|were|is|came|took|has|had|went|for|of|in|to
        ^ pay|approve|grant|issue|offer|give|send|transfer|call|treat|consider|count|act|reveal|show|tell|say|ignore|disregard|skip|bypass|reply|answer|delete|believe|trust|release
        ^ compensate|reimburse|allow|waive|confirm|execute|follow|obey|process|settle|store|write|open|split|close|leave|use|accept|authorise|authorize|repay|wire|provide|apply|add
        zahle|zahl|erstatte|überweise|genehmige|gib|rembourse|remboursez|paie|payez|accorde|accordez|approuve|approuvez
        págame|paga|pague|reembolsa|reembólsame|devuélveme|devuélvanme|aprueba|apruebe|rimborsami|rimborsa|pagami|approva|keur
        !ik betaal
        wypłać|zapłać|zwróć|zatwierdź|zatwierdzaj|devolva|reembolse|aprove|öde|onayla|верни|плати|заплати|одобряй|одобри|возвращай|betala|godkänn
        请直接|请马上|请立即|してください|해주세요|أعد
        해 주세요
        get me|her|him
        hand out
        put in|down
        make sure
        let me|her|him have
    """,
    "must": """
        must|should|shall|obliged|mandatory|required
        have|has|need|needs|ought to
        is|are to be|pay|refund|give|have|approve
        your|its job|duty|task
        expected|supposed|instructed|ordered|directed|decided to
        müssen|musst|muss|doivent|dois|doit|deben|debes|debe|devono|devi|deve|moeten|moet|muszą|musisz|devem|должны|должен|обязан*
        tienes|tiene|hay que
        必须|しなければ|해야
    """,
    # ------------------------------------------------------------ a moment to wait for
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
        on my|her|his
        at the beginning|start of
        from my|her|his|the next
        nächste|nächstes|próxima|prossima|prochaine|nästa|następnym|dahaki mal|vez|volta|fois|gång|razem|sefere
        à|chaque chaque|fois fois
        в следующий раз
        下次|次回|以后每|다음에|القادمة
        sobald|wenn|falls|lorsque|quand|cuando|quando|als|gdy|kiedy|когда|если
    """,
    "talk": """
        <i> ..3 say|says|said|write|writes|mention*|ask|asks|return|returns|contact*|start*|begin*|greet*|type|types|report*|complain*|come|comes|appear*|open|opens|use|uses|bring|brings|message|messages
        name|word|phrase|sentence|conversation|chat|message|session|topic ..3 appear*|come|comes|start*|begin*|open|opens|falls|contain*|arrives|is|with|mention*
        mention|mentions|write|writes|read|reads|hear|hears|see|sees|say|says ..3 word|phrase|name|sentence
    """,
    # ------------------------------------------------------------ who speaks
    "authority": """
        chef|leiter|patron|responsable|responsabile|capo|baas|szef|chefe|yönetici*|müdür*|gerente|上司|店长|매니저
        director|directors|manager|managers|management|supervisor*|boss|ceo|cfo|developer*|administrator*|admin|admins|operator*|lawyer*|compliance|finance|headquarters
        engineering|engineer*|chief|board|auditor*|government|police|court|moderator|superior*|creator*|vendor
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
        vorgesetzt*|geschäftsführ*|leitung|directeur|directrice|jefe|gerente|direttore|kierowni*|dyrektor*|начальн*|руководств*|经理|主管
    """,
    "scope": """
        this|the|that customer|user|account|person|client|shopper|buyer|customer's
        for|with|to|towards|of me|her|him|them
        my refund*|return*|claim*|orders|name|case|cases|account
        my ..1 refund*|return*|claim*
    """,
    "vip": """
        vip|vips|platinum|gold|diamond|premium|elite|royal
        most valued
    """,
    "settled": """
        arrived|thanks|credited
        came|went|got back|through|it
        used up
        thank you
        i|we|she|he|customer received|have|got
        refund|refunds|money|it was|were (been) received
        is on my|the account|card
        has come
        was|been|were paid|refunded|reimbursed
        angekommen|llegado|llegó|arrivato|arrivati|aangekomen|dotarł*|chegou|получил*|пришл*|收到|reçu|arrivé|mottagit|届き|받았
    """,
    "affirm": """
        person|human|somebody|someone|desk|supervisor|manager ..2 has|have|must|needs to|first approve|decide|check|look
        need|needs|requires|require|waits|wait|waiting|without (for) the|an|a approval
        need|needs|requires|require|waits|wait|waiting (for) approval
    """,
    # ------------------------------------------------------------ a play in which other rules hold
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
        training|developer|debug|maintenance|test|god|admin|unrestricted|demo|free|story|sandbox|dan mode
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
    # ------------------------------------------------------------ what others must not see or hear
    "leak": """
        show|shows|reveal*|send*|print*|repeat*|give*|see|sees|access*|share*|list*|read|export*|forward*|view*|open*|tell|know* ..5 your ..2 instructions|prompt|prompts|rules|notes|configuration|system
        system prompt
        show|reveal*|send*|give*|see|sees|access*|share*|list*|read|export*|view*|open*|tell ..5 other customer*|people*|user*|account*|person*
        show|reveal*|send*|give*|see|sees|access*|share*|list*|read|export*|view*|open* ..3 all|every|any account*|customer*|users
        order|orders|data|address|addresses|notes of another|other|somebody|someone|everybody|everyone
        order|orders|data|address|addresses|notes of customer|user ..1
        somebody|someone|anybody else's
        refunds|orders|data|parcels|addresses|payments that|which|of others|other|someone
        read|show|tell|give me|us ..2 notes|orders|data|messages|chats of|about|from the|another|other ..1 customer|person|user|caller
        print|repeat|show|output|reveal ..2 everything|all|text|words ..2 above|before|far|verbatim
        notes|data|order|orders|address|parcels|name of|about ..2 customer|customers|person|people who|that|before
        tell|show|give|know|list ..2 which|what customer|customers|people|users|other|others
        other|others' stops|customers|recipients|receivers
        your ..2 tools|functions
        list of ..1 code|codes|customers|users|accounts
        tell|show|give|see|read|forward ..4 neighbour's|neighbor's|somebody's|someone's|husband's|wife's|people's order|orders|data|account|accounts|parcels|address|details|tracking|refunds|tickets
        internal|hidden|secret|confidential|system rule|rules|instruction|instructions|prompt|notes|policy|policies|guidelines|tools
        copy|copies|transcript|transcripts of ..2 note|notes|conversation*|chat|chats|memor*|log|logs|records
    """,
    "silence": """
        never|don't|not|without (to|ever) tell*|mention*|say|reveal*|inform*|log|record|report|disclose*
        say|log|record|note|report|write|mention nothing
        hide|conceal|keep ..3 from your|the|her|his|any
        keep this|it|that (a) secret|quiet|between|confidential|hidden
        not for the customer
        leave (it) out that|how|why|when|whether
        not|never write|enter|book|put|note ..4 ledger|log|logs|records|books|file
        between us
        secretly
    """,
    "speak": """
        tell|telling|inform|assure|promise|write (to) (the) customer|her|him|every|them|everyone|everybody|any ..3 that
        write (down) that
        put in that
        store that as
        reply|answer with|only|that
        copy|paste|include|insert|put ..4 into|in your|the|every answer|reply|response|message|mail
        ^ say (that) that|yes|it|he|she
        forward|pass|relay ..1 to the bot|agent|model|assistant
        to whoever reads
        begin|start|end|finish|prefix|close ..2 your|every|each|all|any reply|replies|answer*|message*|response*|mail|mails
        agents|whoever|anyone|model|models reading
    """,
    "notes": """
        delete|erase|remove|hide|overwrite|rewrite|clear|wipe ..3 note|notes|memory|memories|record|records|log|logs|history
        summarise|summarize|summary|summaries|notes ..6 write|leave|put|include|sure|state
        write|leave|put|include|sure|state ..6 summary|summaries
        condense|compress|shorten this|the|our ..1 talk|conversation|chat
        notes you keep|make|write
        context window
        your handover|hand-over|handoff
        summary so far
        replace|change|overwrite|rewrite|edit|alter|add ..6 note|notes|profile|record|records|memory|file
        for|during|after|before compaction|compacting|summarising|summarizing
        this note
    """,
    "define": """
        when|whenever|if i|she|he|customer (write|say|mention|use) (write|say|mention|use|writes|says|mentions|uses) ..8 mean|means
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
    "piece": """
        first|second|other|third|last|next|former|latter half|piece|part|bit
        half|piece|part|bit|phrase|line one|two|three|1|2|3
        add it|this|that to
        to be continued
        continued|continues|continue|continuation
        put it|them|both together
        as (said|written|agreed) before|above
    """,
    "promised": """
        promised|promise|agreed|offered|accepted|guaranteed|certain|assured|confirmed|due|open|outstanding|committed
    """,
    "whole": """
        full|whole|double|twice|triple|maximum|entire|total|complete
    """,
    "state": """
        next step
        only ..2 payment
        remains|left|missing|remaining|open ..3 transfer|payment|payout|refund|money
        payment is missing|open|due
        decision , paid
        no record
        already|have checked|decided
    """,
    "level": """
        permission|access|privilege|clearance|security|authorisation|authorization|trust|loyalty|membership level|status|tier
        administrator|admin of refund*|approv*|payment*
        admin|administrator|root rights|access|override
        superuser|override|overrides
        master|approval|override|authorisation|authorization code|codes|key|keys
        opens|open every
    """,
}


@cache
def _patterns() -> dict:
    lists = {name: " ".join(words.split()) for name, words in LISTS.items()}
    return {name: compiled(lines, lists) for name, lines in _CONCEPTS.items()}


def concepts(clause: str) -> frozenset[str]:
    """The concepts that one of `phrases.clauses` speaks of."""
    return frozenset(name for name, pattern in _patterns().items() if pattern.search(clause))
