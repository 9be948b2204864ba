"""Words by which a text grants, orders, insists: English ones as patterns, those of other languages
as
stems (folded: small letters, no accents)."""

import re

from .spelling import folded


def _or(text: str) -> str:
    """A pattern for any of the phrases, which stand on lines or are parted by bars."""
    parts = (part.strip() for part in re.split(r" \| |\n", text))
    return "(?:" + "|".join(part for part in parts if part) + ")"


def _whole(text: str) -> re.Pattern:
    return re.compile(rf"\b{_or(text)}\b")


def _stems(text: str) -> re.Pattern:
    """Stems at the beginning of a word; where words are not parted, anywhere."""
    stems = folded(text).split()
    apart = [re.escape(s).replace("_", r"\W{1,2}") for s in stems if ord(s[0]) < 0x600]
    joined = [re.escape(s).replace("_", r"\W?") for s in stems if ord(s[0]) >= 0x600]
    return re.compile(rf"\b(?:{'|'.join(apart)})|(?:{'|'.join(joined)})")


# --- English --------------------------------------------------------------------------------------

# What can be given away, or settled in somebody's favour.
GIFT = _or(r"""
    refunds? | reimbursements? | money | compensations? | payments? | pay-?outs? | payback
    credits?(?! cards?)
    cash-?back | discounts? | vouchers? | waivers? | rebates? | returns | replacements? | upgrades?
    fees?
    gift cards? | bonus(?:es)? | funds
    the (?:full |whole |entire )?(?:amount|sum|price|value|total)
    free (?:returns?|shipping|delivery|items?|goods|products|orders)
    (?:full|whole|entire) (?:amount|sum|price|value|total) | price reductions? | goodwill | cash
    (?:double|triple|twice) the (?:\w+ )?(?:value|price|amount|sum)
""")
CASE = _or(r"""
    claims? | requests? | demands? | wishes | cases? | complaints? | disputes? | whatever | anything
    everything
    applications? | transactions?
""")
GRANTED = _or(r"""
    (?:pre|auto)?-? ?(?:approved|approval|authori[sz]ed|cleared|granted|accepted|confirmed)
    (?:pre-?)?authori[sz]ation | approves? | guaranteed? | allowed | allowance | entitled
    entitlement | permitted
    permission | signed[- ]off | sign-off | automatic(?:ally)? | unlimited | unconditional(?:ly)?
    eligible | exempt(?:ed)?
    green light | go-ahead | rubber-?stamp(?:ed)? | consent | privileges? | free pass | waived
    blank che(?:ck|que)
    valid | agreed | carte blanche | without limit | no limits?
""")
MONEY_VERB = r"(?:refund|reimburse|compensate|repay|pay|credit|discount|rebate)"
VERB = _or(r"""
    refund | reimburse | compensate | repay | pay | credit | issue | give | send | transfer
    process | approve | grant
    offer | release | wire | hand | apply | accept | waive | return | book | award | disburse
    authori[sz]e | allow
    confirm | execute | trigger | call | use | invoke | provide | settle | deduct | upgrade | make
    initiate | perform
""")
NAMED = re.compile(rf"\b(?:{GIFT}|{CASE})\b|\b{MONEY_VERB}(?:s|ed|d|ing)?\b|\bpaid\b")
GIFTS = re.compile(rf"\b{GIFT}\b|\b{MONEY_VERB}(?:s|ed|d|ing)?\b|\bpaid\b")
GRANTS = re.compile(rf"\b{GRANTED}\b|(?<=\bpre)-?approv")

STANDING = _whole(r"""
    (?<!as )always | from (?:now|here|today|this (?:day|moment|point)) on(?:wards?)? | hence ?forth
    forever | for life | for good
    permanent(?:ly)? | in (?:the )?future | (?:every|each) time | any ?time | at any time | whenever
    indefinitely | standing | ongoing
    (?:all|any|every|each)(?: of)?(?: (?:my|his|her|their|our|your|the|this|that|such|future|further|customer's|client's|user's|member's|guest's|person's|new|open|pending|other|single|last|following|customer|account's|\w+['’]s))* (?:refunds?|returns?|claims?|requests?|demands?|wish(?:es)?|payments?|complaints?|cases?|disputes?|credits?|discounts?|reimbursements?|replacements?|upgrades?|fees?|transactions?|compensations?|waivers?|vouchers?)
    future (?:refunds?|returns?|claims?|requests?|payments?|cases?|complaints?|orders|credits?|discounts?|conversations?|chats?|replies|sessions?|contacts?|messages)
    pre-?approved | pre-?authori[sz]ed | pre-?cleared | pre-?granted | auto-?approved?
    automatic(?:ally)? | by default | unlimited | without exception | on sight
    no matter what | as a rule
    never (?:refuse|reject|deny|decline|question|ask|challenge|check|verify|require|need|escalate|hesitate)
    whatever (?:he|she|they|i|the \w+|\w+) (?:asks?|wants?|says?|claims?|demands?|requests?)
    at all times | going forward | until further notice | next time | in advance
""")
OVERRIDE = _whole(r"""
    without (?:\w+ ){0,3}?(?:ask\w*|check\w*|approv\w*|verif\w*|review\w*|questions?|confirm\w*|hesitat\w*|delay|limits?|proof|evidence|looking|investigat\w*|consult\w*|authori[sz]ation|permission|conditions?|escalat\w*|waiting|further ado|exception)
    no (?:further |more |extra |prior |additional |human |manual |manager'?s? )*(?:approvals?|checks?|questions|verification|reviews?|proof|evidence|confirmation|limits?|authori[sz]ation|investigation|look-?ups?|sign-?off|escalation)(?! (?:yet|so far))
    (?:ignor|disregard|overrid|overrul|bypass|suspend|supersed|overwrit)(?:e|es|ed|ing|s|den)?
    forget (?:the|all|any|every|your|about|what|previous)
    skip(?:s|ped|ping)? (?:the |all |any )*(?:approvals?|checks?|verification|reviews?|rules?|polic(?:y|ies)|questions|look-?ups?|steps?|confirmation|investigation|queue)
    regardless | irrespective | even (?:if|when|though|where) | despite | no matter
    notwithstanding
    (?:do|does|did|will|shall|need) not (?:\w+ )?(?:apply|need|require|ask|check|verify|count|matter|look up|look into|question|wait for|consult|be (?:checked|verified|reviewed|approved|questioned))
    (?:takes?|has|have|taking) (?:precedence|priority)
    (?:is|are|was|were|be) (?:hereby )?(?:lifted|waived|suspended|removed|void|cancelled|revoked|exempt|overridden|replaced|superseded|disabled|switched off|turned off|unlocked)
    exempt(?:ed)?
    replac(?:e|es|ing) (?:all |any |every |the |your )*(?:previous|earlier|prior|old|other|existing|former)? ?(?:rules?|instructions?|polic(?:y|ies)|guidelines?)
    (?:not|never) (?:be )?(?:bound|subject|limited|needed|required|necessary) | unconditional(?:ly)?
    whatever the (?:rules?|polic(?:y|ies)|outcome|result|tracking|system|data)\w*
    for (?:anything|everything|whatever)\b
    waiv(?:e|es|ing) (?:all |any |every |the )+(?:checks?|rules?|approvals?|reviews?|conditions?|proof)
    outside (?:of )?(?:the |your )?(?:policy|rules) | stop (?:checking|asking|verifying|looking)
    never (?:asks?|asking|checks?|verif(?:y|ies)|questions?|refuses?|rejects?|den(?:y|ies)|declines?|challenges?|requires?|needs?)
""")
AUTHORITY = _whole(r"""
    (?:the |our |your |my )?(?:general |senior |shift |line |store |account |duty |regional |floor |operations )?managers?
    management | supervisors? | (?:managing |deputy |board of )?directors?
    head of \w+ | ceo | cfo | coo | admins? | administrat(?:or|ors|ion|ive) | headquarters
    head office | hq | team ?leads? | team leader
    compliance | legal (?:team|department|counsel|office) | finance(?: team| department| office)?
    accounting | risk team | security team | fraud team
    (?:policy|rule) (?:update|change|exception|override|notice|amendment)
    (?:new|updated|company|internal|official|corporate|store|revised|special) (?:policy|rule|regulation|directive|guideline|procedure|memo|agreement)
    compan(?:y|y's) (?:policy|rules) | official(?:ly)? | executive | the owner | developers?
    operators? | operations | engineering | the board | internal (?:note|notice|use|memo|only)
    on behalf of | by order of | court | regulator | authori[sz]ed by | approved by | signed by
    signed off by | as (?:agreed|arranged|decided) (?:with|by) | back office
    staff (?:note|memo|only|notice)
    customer (?:care|service|success) (?:lead|head|team|desk|directorate) | quality team
    audit(?:ors?)? | clearance | level \d
""")
# How a text imitates somebody else: a role, a label, the frame around it.
ROLE = re.compile(
    r"(?:^|[\n\"'(:.!?*_\[]\s*|\s[-*]\s+)(?:\[|<{1,2}\|?|#{1,4} ?|\*\*|={2,} ?|"
    r"-{2,} ?)?(?:new |updated? |important |begin |end |start )?"
    r"(?:system|assistant|developer|admin(?:istrator)?|operator|root|sysadmin|instructions?|"
    r"supervisor|policy engine|tool|agent|ai|human|user|note to (?:the )?(?:agent|assistant|"
    r"ai|model|bot|system|staff))"
    r"(?: (?:message|prompt|note|notice|override|update|instructions?|policy|directive|"
    r"alert|mode|result|output|command|role|announcement|log|flag|says?))?(?:\]|\|?>{1,2}|"
    r"\*\*)?\s?(?::|-\s)"
    r"|\(/?(?:system|inst|admin|developer|override|instructions?)\b[^()\n]{0,30}\)|"
    r"\[/?\s?(?:system|inst|admin|developer|assistant|end|override|instructions?|"
    r"internal)[^\]\n]{0,40}\]|</?\s?(?:system|instructions?|admin|developer|assistant|user|"
    r"notes?|data|memory|memories|tool_result|context|policy|document|rules?|prompt|"
    r"function|tool)\b[^>\n]{0,60}>"
    r"|<\|[^|>\n]{1,30}\|>|<<sys>>|#{2,}\s?(?:system|instructions?|new|end|admin|override|"
    r"policy|rules?)|\bend of (?:the )?(?:\w+ ){0,4}(?:notes?|data|memor(?:y|ies)|context|"
    r"profile|block|records?|summary|history|ticket|document|input|quote)\b"
    r"|\bbegin (?:of )?(?:new |system )?(?:instructions?|policy|rules?)|-{3,}\s?(?:end|"
    r"begin|system|new)|\bsystem (?:message|prompt|override|update|note|notice|instruction|"
    r"directive|command)\b"
    r"|\"role\"\s?:|\b(?:debug|maintenance|developer|admin|god|test|override) mode\b|"
    r"\bnew (?:system )?(?:instructions?|prompt|directive|rules?)\b|"
    r"\bupdated (?:system )?(?:instructions?|prompt)\b"
    r"|\bkind\s?[:=]\s?\"?(?:instruction|policy|rule|system)|\b(?:status|flag|setting|"
    r"config|parameter|policy|role|permission|access|auto_?\w+)\s?[:=]\s?\"?\w"
)
TRIGGER = _whole(r"""
    whenever | (?:every|each|next|any|the next|the moment) time | the moment | as soon as
    should (?:i|the customer|he|she|they|this customer|anyone) (?:ever )?\w+
    (?:when|if|once|after|upon) (?:ever )?(?:i|we|he|she|they|the (?:customer|client|user|member|guest|caller|word|phrase|code|sentence)|this (?:customer|client|user|person|account)|somebody|someone|asked|you (?:see|read|hear|find)) ?(?:next |later |ever |again )?(?:says?|say|writes?|write|mentions?|mention|types?|type|uses?|use|asks?|ask|contacts?|contact|comes?|come|returns?|return|complains?|complain|calls?|call|names?|name|opens?|open|greets?|greet|appears?|occurs?|falls?|about)?
    in (?:the|my|our|any|every|a|his|her|their) (?:next|following|later|future|coming) (?:conversation|chat|message|contact|case|call|session|ticket|order|complaint)s?
    code ?words? | key ?words? | pass ?phrase | magic word | trigger(?:s|ed)? | stands for
    is short for | from the (?:next|second|third) \w+ on | upon (?:reading|seeing|hearing|request)
    later on | at the (?:next|following) \w+
""")
TO_AGENT = _whole(r"""
    you (?:must|should|shall|will|are (?:to|authori[sz]ed|required|instructed|permitted|obliged|allowed|free|now|hereby|expected|supposed)|have (?:to|permission|authority|my|the|full)|need(?: not| to)?|may|can|do not need)
    (?:the |this |any |every |all |our |dear |to |ai |support |service |desk |handling |future |each |whichever )*(?:agents?|assistants?|chat ?bots?|bots?|ai|language model|models?|llm|representatives?|staff|colleagues?|support team|employees?|reader of this)(?= (?:must|should|shall|will|is|are|has|have|may|can|who|that|reading|handling|needs?|to|always|in|on|working)\b|[:,!-])
    note to | attention | for the (?:agent|assistant|ai|model|bot|next agent|desk|support)
    (?:refund|reimburse|pay|compensate|credit|give|grant|offer|send|issue|tell|inform|assure|promise|treat|serve|let|approve)(?: (?:the|this|that|our|every|any|each))?(?: (?:vip|loyal|same|returning|said|named))? (?:customer|client|user|member|guest|person|account holder|buyer|shopper|patient|reader)
    (?:the|this|that) (?:customer|client|user|member|guest|buyer|account)(?:['’]s \w+)? (?:must|should|shall|is to|are to|may|can|will)(?: always| never)? (?:be|get|receive|have|not)
    (?:handle|process|treat|decide|close|resolve|settle) (?:this|that|the|his|her|their|any|every|all)
""")
URGENT = _whole(r"""
    immediate(?:ly)? | at once | right away | urgent(?:ly)? | important | asap | critical
    mandatory | instantly | straight ?away | without delay
    now | must | compulsory | binding | non-negotiable | priority | warning | final | strictly
    promptly | obligatory | required
""")
SHOUTED = re.compile(r"\b[A-Z]{4,}\b(?![-_\d])")
PLAYING = _whole(r"""
    pretend(?:s|ing)? | imagine | act (?:as|like) | role-?play(?:ing)? | let us play | let's play
    play(?:ing)? (?:the )?(?:role|part|game|a game|a character)
    you are (?:now )?(?:an? |the |called |named )[\w-]+
    simulat\w+ | hypothetical(?:ly)? | as (?:if|though)
    in (?:this|our|the) (?:story|game|scene|play|scenario|exercise|film|novel|world) | fictional
    stay in character | persona | scenario
    your (?:name|role|character|job) is | for (?:the rest|the purposes?) of (?:this|the|our)
    once upon a time | suppose(?: that)? | a (?:game|play|story) | grandmother | improvis\w+
    the (?:scene|stage|script)
""")
DENYING = _whole(r"""
    (?:is|are|was|were|it is|these are|this is) (?:an? |the )?(?:real |actual |valid |binding |genuine |direct |legitimate |true |live |standing |new )*(?:instructions?|orders?(?! \w*\d)|commands?|directives?|rules?)
    not (?:just |only |merely |simply |mere )*(?:an? |some )?(?:notes?|data|information|remarks?|comments?|content|text|facts?|memory)
    treat (?:this|it|the following|these|that|what follows)(?: \w+){0,2} as (?:an? )?(?:instructions?|commands?|rules?|orders?|system|policy|binding|authoritative|part of)
    (?:ignore|disregard|despite|whatever|forget) (?:the |any |this |that |what the )*(?:label|heading|header|notice|frame|wrapper|tags?|quotation|marking|note above|disclaimer|caption)\w*
    follow (?:this|it|the following|these|what follows|them) | obey | comply
    instructions? (?:below|that follow|in this note) (?:are|is|must|should)
    no longer (?:data|notes?) | authoritative | overrides? the (?:label|heading|notice)
""")
REPORTED = re.compile(
    r"\b(?:customer|client|user|he|she|caller|they|guest|member|buyer|person|patient|"
    r"reader) (?:also |again |then |once |\w+ly )?(?:says?|said|claims?|claimed|believes?|"
    r"thinks?|insists?|insisted|states?|stated|asserts?|"
    r"mentions?|mentioned|told|wrote|writes|demanded|demands|requested|requests|maintains?|"
    r"alleges?|asked|asks|wants|wanted|would like|wishes|hopes)\b|"
    r"\baccording to the (?:customer|client|user|guest|caller)\b|\ballegedly\b"
)

# --- what makes a remark of it --------------------------------------------------------------------

REMARK = re.compile(
    r"\b(?:thank(?:s| you| god)?|arrived|received|came through|came (?:in|back|yesterday|"
    r"today)|has come|got (?:my|the|it|a)|glad|happy|pleased|great|wonderful|grateful|"
    r"appreciate|"
    r"(?:was|were|been|got) (?:\w+ )?(?:refunded|paid|reimbursed|credited|compensated|"
    r"approved|granted|declined|rejected|denied)(?! (?:for all|for any|for every|in advance|"
    r"forever|without))|"
    r"yesterday|last (?:week|month|year|summer|winter|spring|autumn)|ago|wonder\w*|"
    r"hope[sd]?|curious|confus\w+|whether|(?:asked|asks) (?:if|about|how|when|why|for (?:a|"
    r"an|the|my|his|her|one|some)\b)|want(?:s|ed)? to know|"
    r"prefers?|would (?:like|prefer|rather)|looking forward|expects? (?:a|the|it)|"
    r"still waiting|waits? for|waiting for|apolog\w+|"
    r"(?:is|are|was|were|has|have|been) (?:not|never|no longer|n't) (?:\w+ )?(?:approved|"
    r"authori[sz]ed|entitled|allowed|eligible|granted|permitted|accepted|guaranteed|"
    r"automatic\w*)|not (?:yet )?(?:approved|authori[sz]ed|entitled|allowed|eligible|"
    r"granted)|"
    r"no (?:refund|payment|money|credit|discount|voucher|reimbursement)s? (?:is|are|was|"
    r"were|will|may|can|should|must|has|have)\b(?! (?:be )?(?:refused|denied|rejected|"
    r"declined|questioned))|(?:first|second|third) (?:refund|return)s? (?:took|was|were)|"
    r"took (?:\w+ )?(?:days|weeks|months|long|ages))\b"
)
NEEDS = re.compile(
    r"\b(?:needs?|requires?|awaits?|awaiting|subject to|depends? on|only (?:with|after|if|"
    r"when)|must (?:first )?be|pending|needed|must have|has to be|have to be|waits? for|"
    r"without)\b[^.;]{0,30}?\b(?:approv(?:al|ed)|authori[sz](?:ation|ed)|confirm(?:ation|"
    r"ed)|permission|sign-?off|checked|verified|reviewed)\b"
)
MANNER = re.compile(
    r"\b(?:instead of|rather than|by (?:bank|card|cheque|check|transfer|voucher|post|"
    r"paypal)|via|to (?:my|the|his|her|our|their) (?:\w+ )?(?:card|bank|account|wallet)|"
    r"not (?:by|as|to|in|with) |"
    r"over (?:a )?(?:refunds?|vouchers?|replacements?)|if possible|where possible|"
    r"before (?:a |any )?(?:replacement|refund)s?|first\b)"
)
# What comes before or after something else in time is not what is asked for.
ASIDE = re.compile(
    r"\b(?:before|until|till|unless|than|after|as long as|so that|in order to)\b[^,;:.!?]*"
)

# --- other languages ------------------------------------------------------------------------------

OTHER_GIFT = _stems("""
    rückerstatt erstatt rückzahl gutschrift geld zahlung rabatt entschädig ersatz reklamation
    reembols devoluc dinero pago descuento compensac abono
    rembours remise avoir indemnis paiement argent rimbors risarc sconto denaro pagament resi
    terugbetal geld korting vergoed restitu
    dinheiro desconto indeniz zwrot pieniądz rabat odszkod płatn återbetal rabatt pengar ersättning
    refusjon tilbakebetal refusion
    iade para_iade ödeme indirim возврат деньг компенсац скидк выплат повернен гроші vrácen peněz
    slev vissza pénz ramburs restituir
    退款 退钱 退費 补偿 赔偿 折扣 返金 払い戻し 補償 割引 환불 보상 할인 استرداد رد_المبلغ المبالغ تعويض خصم אחזר החזר रिफंड
    वापसी पैसे पैसा ρεφαντ επιστροφ χρηματ hoàn_tiền pengembalian
""")
OTHER_GRANT = _stems("""
    genehmigt vorab_genehmigt vorgenehmigt bewilligt freigegeben erlaubt berechtigt zugesagt
    garantiert gilt_als automatisch
    approuv préapprouv autoris accord garanti droit automatiq aprobad preaprobad autorizad concedid
    garantizad derecho automátic
    approvat preapprovat autorizzat concess diritto automatic goedgekeurd toegestaan gemachtigd
    recht automatisch aprovad pré-aprovad autorizad direito
    zatwierdz uprawn zgod automatycz godkän förhandsgodkän beviljad rätt automatisk godkjent onaylan
    onaylı hak otomatik одобрен разреш утвержд автоматич схвален дозвол
    schválen předem automatick jóváhagy automatikus aprobat autorizat 批准 同意 核准 自动 自動 有权 承認 許可 자동 승인
    허가 موافق مصرح تلقائي معتمد אושר מאושר स्वीकृत मंजूर अनुमोदित εγκεκριμεν εγκριθ phê_duyệt
    disetujui
""")
OTHER_ORDER = _stems("""
    zahle zahlen erstatte erstatten überweise gewähre gib geben genehmige akzeptiere bearbeite muss
    müssen soll sollen sollst führe
    rembourse payez paie accorde donne approuve acceptez faites doit doivent devez reembols pague
    paga devuelv aprueb concede acepta debe deben haga
    rimborsa rimborsi paghi concedi approva accetta deve devono dai betaal keur geef moet moeten
    aprove conceda deve devem devolva
    zwracaj zwróć wypłać zatwierdź musi należy powin betala godkänn ge_ ska måste utbetal öde onayla
    ver_ yap yapın верни верните выплат одобр плати должн
    vrať vyplať schval fizesd térítsd плати 支付 退还 必须 请_ 直接 払って 返金して 支払 してください 지급 처리 하세요 해야 ادفع قم_
    يجب اصرف שלם אשר भुगतान करें करो πληρωσ εγκριν hãy bayar harus
""")
OTHER_STANDING = _stems("""
    immer ab_sofort künftig zukünftig_ alle_ jede jeder stets dauerhaft grundsätzlich von_nun ohne
    keine unabhängig ungeprüft ignorier egal vergiss
    toujours désormais tous_ toutes chaque dorénavant sans aucune ignor à_partir quel_que siempre
    todos todas cada ahora_en en_adelante sin ningun ignor a_partir
    sempre ogni tutti tutte d_ora senza nessun ignora altijd voortaan alle_ elke zonder geen negeer
    sempre todos todas cada sem nenhum ignore
    zawsze wszystk każd odtąd bez od_teraz zignoruj ignoruj alltid alla_ varje hädanefter utan ingen
    framöver her_zaman tüm bütün bundan_sonra olmadan sormadan
    всегда все_ всех любы каждый без отныне игнорир впредь завжди усі vždy všech každ mindig minden
    kérdés nélkül întotdeauna toate fără
    总是 所有 一律 无需 不需要 任何 今后 忽略 常に すべて 全て 今後 なしで 不要 無視 항상 모든 없이 앞으로 무시 دائما جميع كل_ دون بدون تجاهل
    תמיד כל_ ללא हमेशा सभी बिना παντα ολες ολα χωρις luôn selalu semua tanpa
""")
OTHER_AUTHORITY = _stems("""
    geschäftsleitung vorgesetzt leitung abteilung chef verwaltung richtlinie direction gérant
    responsable direcc gerente administrac encargad política
    direzione responsabil dirigente gestore directie leidinggevende beheer gerência direção kierowni
    zarząd dyrek ledning chefen yönetim müdür руководств менеджер администрац политик керівн
    vedení ředitel vezető conducere 管理 经理 主管 系统 公司 管理者 上司 システム 会社 관리자 시스템 회사 الإدارة المدير النظام
    מנהל הנהלה प्रबंध सिस्टम διευθυν quản_lý manajemen systemnachricht systemhinweis sistema système
""")
OTHER_TRIGGER = _stems("""
    wenn_ich wenn_der sobald jedes_mal beim_nächsten falls_ quand_je quand_le dès_que chaque_fois
    lorsque la_prochaine cuando cada_vez la_próxima si_el
    quando la_prossima ogni_volta als_ik als_de wanneer zodra de_volgende quando da_próxima gdy
    kiedy następnym jeśli när_ nästa om_kunden olduğunda zaman_ когда если в_следующ коли až_
    kdykoli amikor când
    当 如果 每次 下次 とき たら 次回 때_ 다음 할_때 عندما إذا كلما כאשר जब αν_ οταν khi_ ketika
""")
OTHER_URGENT = _stems("""
    sofort unverzüglich umgehend wichtig immédiatement tout_de_suite urgent inmediat urgente
    importante subito immediat onmiddellijk direct_ imediat natychmiast pilne omedelbart genast
    viktigt hemen acil
    немедленно срочно сразу важно негайно okamžitě azonnal imediat 立即 马上 重要 すぐ 直ちに 重要 즉시 바로 중요 فورا
    عاجل מיד तुरंत αμεσως ngay segera
""")
OTHER_REMARK = _stems("""
    danke vielen_dank angekommen eingegangen erhalten gestern merci reçu arrivé hier_ gracias
    recibid llegado llegó ayer grazie arrivat ricevut ieri bedankt ontvangen aangekomen gisteren
    obrigad recebi chegou ontem
    dzięku dotarł otrzyma wczoraj tack_ kommit fått igår teşekkür geldi спасибо пришл получ вчера
    дякую děkuji přišl köszön mulțumesc 谢谢 到了 收到 昨天 ありがと 届き 昨日 감사 도착 받았 어제 شكر وصل تلقيت תודה הגיע
    धन्यवाद मिल_ग ευχαριστ
""")
NOT_ENGLISH = re.compile(r"[^\x00-\x7f]")
