"""Words by which an English text grants, orders and insists, and by which it is a mere remark.

Phrases stand one beside the other, parted by " | "; they are searched in small letters.
"""

import re


def _or(phrases: str) -> str:
    """A pattern for any of the phrases, which stand on lines or are parted by " | "."""
    parts = (part.strip() for part in re.split(r" \| |\n", phrases))
    return "(?:" + "|".join(part for part in parts if part) + ")"


def _whole(phrases: str) -> re.Pattern:
    return re.compile(rf"\b{_or(phrases)}\b")


# --- what can be given away, and the words that give it ---------------------------------------------

_SOME = r"(?:\w+ )?"
_THE_WHOLE = r"(?:the )?(?:full |whole |entire )?(?:amount|sum|price|value|total)"
GIFT = _or(rf"""
    refunds? | reimbursements? | money | compensations? | payments? | pay-?outs? | payback
    credits?(?! cards?) | cash-?back | discounts? | vouchers? | waivers? | rebates? | returns
    replacements? | upgrades? | (?:any|every|whatever) (?:amount|sum) | fees? | gift cards?
    bonus(?:es)? | funds | goodwill | cash
    price reductions? | the {_THE_WHOLE} | (?:full|whole|entire) {_THE_WHOLE}
    free (?:returns?|shipping|delivery|items?|goods|products|orders)
    (?:its|the|their|my|his|her|your) {_SOME}(?:price|value|money|costs?) back | (?:paid|money) back
    (?:order|purchase) (?:total|price|value)
    (?:double|triple|twice) the {_SOME}(?:value|price|amount|sum) | purchase price | order value
    (?:[€$£] ?|(?:eur|usd|gbp|chf) )\d+(?:[.,]\d+)?
    \d+(?:[.,]\d+)? ?(?:euros?|eur|€|dollars?|usd|pounds?|gbp|£|chf|francs?)(?!\w)
""")
CASE = _or(r"""
    claims? | requests? | demands? | wishes | cases? | complaints? | disputes? | (?<!by the )applications?
    what (?:is|was) asked | what (?:i|he|she|they|the \w+) asks? | transactions? | whatever
    anything | everything
""")
GRANTED = _or(r"""
    (?:pre|auto)?-? ?(?:approved|approval|authori[sz]ed|cleared|granted|accepted|confirmed)
    (?:pre-?)?authori[sz]ation | approves? | guaranteed? | allowed | allowance | entitled
    entitlement | permitted | permission | signed[- ]off | sign-off | automatic(?:ally)?
    unlimited | unconditional(?:ly)? | eligible | exempt(?:ed)? | green light | go-ahead | waived
    rubber-?stamp(?:ed)? | consent | privileges? | free pass | carte blanche | blank che(?:ck|que)
    without limit | no limits? | rights? to | (?:it is|is|be|are) (?:fine|okay|ok|alright) to | owed
    okayed | always yes | yes to | (?:said|gave|given) (?:the )?(?:ok|okay|yes|nod|word) | trusted
    white-?list(?:ed)? | white list | blanket | at (?:my|his|her|their) word | on file
    honou?red | settled | released? | (?:has|have|with) (?:\w+ ){0,2}rights | decided for
    (?:in|to) (?:my|his|her|their|the customer's) favou?r | (?:=|equals?) (?:approved|granted)
    unlock(?:s|ed)?
""")
MONEY_VERB = r"(?:refund|reimburse|compensate|repay|pay|credit|discount|rebate)"
VERB = _or(r"""
    refund | reimburse | compensate | repay | pay | credit | issue | give | send | transfer | process
    trust | hand out
    approve | grant | offer | release | wire | hand | apply | accept | waive | return | book | award
    disburse | authori[sz]e | allow | confirm | execute | trigger | call | use | invoke | provide
    settle | deduct | upgrade | make | initiate | perform
""")
_PAYS = rf"{MONEY_VERB}(?:s|ed|d|ing)?"
NAMED = re.compile(rf"\b(?:{GIFT}|{CASE})\b|\b{_PAYS}\b|\bpaid\b")
GIFTS = re.compile(rf"\b{GIFT}\b|\b{_PAYS}\b|\bpaid\b")
# That somebody gets it, in any form of the verb.
GIVING = _whole(rf"""
    pays | paid | paying | pay (?:me|him|her|them|this|the|out|back|any|every|all|each|double)
    refunds (?:me|him|her|them|this|the|any|every|all)
    refunded | reimburses? | reimbursed | compensates? | compensated | releases? | released | settles?
    settled | grants? | granted | approves? | approved | hand(?:s|ed)? (?:out|over) | gives? | given
    (?:get|gets|getting|receive|receives) (?:\w+ ){{0,3}}(?:back|refunded|{GIFT}) | honou?rs? | honou?red
    owes? | owed | waives? | waived
    (?:means|is|be|=) (?:an? |the |my |his |her )?(?:full |whole )?{GIFT}
    unlocks? | refund(?:s|ing)? (?:everything|everybody|first|me|us|him|her|them|in full|without) | = yes
    refund (?:this|the|my|any|every|all|each) | {MONEY_VERB} (?:me|him|her|them)
""")
GRANTS = re.compile(rf"\b{GRANTED}\b|(?<=\bpre)-?approv")

# --- what makes an order of it ----------------------------------------------------------------------

_WHOSE = (
    r"(?: (?:my|his|her|their|our|your|the|this|that|such|future|further|customer's|client's|user's"
    r"|member's|guest's|person's|new|open|pending|other|single|last|following|customer|account's"
    r"|\w+['’]s))*"
)
_MANY = (
    r"(?:refunds?|returns?|claims?|requests?|demands?|wish(?:es)?|payments?|complaints?|cases?"
    r"|disputes?|credits?|discounts?|reimbursements?|replacements?|upgrades?|fees?|transactions?"
    r"|compensations?|waivers?|vouchers?)"
)
_REFUSE = r"(?:refus|reject|deny|den|declin|challeng|question)"
_CHECK = r"(?:ask|check|verif|requir|need|hesitat|escalat)"
_ASKS = r"(?:asks?|wants?|says?|claims?|demands?|requests?)"
_THINGS = r"(?:orders?|parcels?|purchases?|problems?|tickets?|deliver(?:y|ies))"
_CUSTOMERS = r"(?:the|this|that) (?:customer|client|user|member|guest|account|buyer)"
_PLURAL = (
    r"(?:refunds|returns|claims|requests|payments|complaints|disputes|credits|discounts|reimbursements"
    r"|replacements|upgrades|fees|vouchers|waivers|payouts)"
)
_OWN = r"(?:my|his|her|their|our|the \w+['’]s|this \w+['’]s|\w+['’]s)"
STANDING = _whole(rf"""
    {_OWN} {_PLURAL} (?:are|count|get|go|need|have|will|shall|must|should|may|can)
    {GRANTED} (?:\w+ ){{0,3}}?{_PLURAL}
    {_PLURAL} (?:to|for|by|from) (?:me|{_CUSTOMERS}) (?:are|is|need|get|go|must)
    (?<!as )always | from (?:now|here|today|this (?:day|moment|point)) on(?:wards?)? | hence ?forth
    habit | routine(?:ly)? | when(?:ever)? in doubt | for (?:this|the whole) year | the whole year
    forever | for life | for good | permanent(?:ly)? | in (?:the )?future | (?:every|each) time
    (?:at )?any ?time | whenever | indefinitely | standing | ongoing | by default | unlimited
    without exception | on sight | no matter what | as a rule | at all times | going forward
    until further notice | lifetime | each time | the next \w+ times | from (?:now|today)
    (?:every|each|any|all)(?: of)?(?: (?:my|the|his|her|this|their))? {_THINGS}
    (?:everything|anything) (?:i|he|she|they|this|the|that) | next time | in advance
    (?:all|any|every|each)(?: of)?{_WHOSE} {_MANY}
    future (?:{_MANY}|orders|conversations?|chats?|replies|sessions?|contacts?|messages)
    pre-?(?:approved|authori[sz]ed|cleared|granted) | auto-?approved? | automatic(?:ally)?
    never (?:{_REFUSE}|{_CHECK})\w* | whatever (?:\w+ ){{1,3}}?{_ASKS}
""")
_NOBODY = r"(?:nobody|no one|no-one|no person|none of you)"
_NO_CHECK = (
    r"(?:ask\w*|check\w*|look\w*|wait\w*|eyes|approv\w*|verif\w*|review\w*|questions?"
    r"|discuss\w*|debate|talk\w*|fuss|ado|confirm\w*|hesitat\w*|delay|limits?"
    r"|proof|evidence|looking|investigat\w*|consult\w*|authori[sz]ation|permission|conditions?"
    r"|escalat\w*|waiting|further ado|exception)"
)
_CHECKS = (
    r"(?:approvals?|checks?|questions|verification|reviews?|proof|evidence|confirmation|limits?"
    r"|authori[sz]ation|investigation|look-?ups?|sign-?off|escalation|rules?|polic(?:y|ies)|steps?"
    r"|conditions?|queue)"
)
_KINDS_OF_CHECK = r"(?:further |more |extra |prior |additional |human |manual |manager'?s? |the |all |any |every )*"
_LIFTED = (
    r"(?:lifted|waived|suspended|removed|void|cancelled|revoked|exempt|overridden|replaced|superseded"
    r"|disabled|switched off|turned off|unlocked)"
)
_NEED_NOT = (
    r"(?:apply|need|require|ask|check|verify|count|matter|look up|look into|question|wait for|consult"
    r"|bother|involve|trouble|contact"
    r"|be (?:checked|verified|reviewed|approved|questioned))"
)
_OLD_RULES = (
    r"(?:all |any |every |the |your )*(?:previous|earlier|prior|old|other|existing|former)? ?"
    r"(?:rules?|instructions?|polic(?:y|ies)|guidelines?)"
)
# That nobody looks, which may be all that a grant says; and other ways of putting rules aside.
_UNCHECKED = rf"""
    without (?:[\w'-]+ ){{0,5}}?{_NO_CHECK} | {_NOBODY} (?:\w+ ){{0,3}}?{_NO_CHECK} | zero {_CHECKS}
    (?:on|by) (?:its|their|his|her) own | (?:second|another|extra) (?:pair of eyes|look|opinion)
    (?:questions|checks?|checking) (?:later|afterwards) | on (?:demand|the spot) | unconditional(?:ly)?
    (?:did|do|does|will|shall|must|need|should) not (?:be )?{_NO_CHECK} | never (?:have|has|needs?) to
    no longer (?:needs?|requires?|asks?|checks?|ha(?:s|ve) to) | (?:mere )?formality | matter of course
    no {_KINDS_OF_CHECK}{_CHECKS}(?! (?:yet|so far)) | exempt(?:ed)? | stop (?:checking|asking|verifying)
    (?:skip|skips|skipped|skipping|waive|waives|waiving) {_KINDS_OF_CHECK}{_CHECKS}
    (?:do|does|did|will|shall|need) not {_SOME}{_NEED_NOT} | never (?:{_REFUSE}|{_CHECK})\w*
    face value | on (?:my|his|her|their|your) word | (?:ask|check|verify|question) nothing
    (?:release[sd]?|free[sd]?|relieved?) (?:you|the \w+) (?:from|of) | duty to (?:check|ask)
    (?:not|never) (?:be )?(?:bound|subject|limited|needed|required|necessary)
"""
UNCHECKED = _whole(_UNCHECKED)
OVERRIDE = _whole(rf"""{_UNCHECKED}
    (?:ignor|disregard|overrid|overrul|bypass|suspend|supersed|overwrit)(?:e|es|ed|ing|s|den)?
    forget (?:the|all|any|every|your|about|what|previous) | regardless | irrespective | despite
    even (?:if|when|though|where) | notwithstanding | (?:takes?|has|have|taking) (?:precedence|priority)
    (?:is|are|was|were|be) (?:hereby )?{_LIFTED} | replac(?:e|es|ing) {_OLD_RULES} | no matter
    whatever the (?:rules?|polic(?:y|ies)|outcome|result|tracking|system|data)\w* | more than once
    for (?:anything|whatever) | outside (?:of )?(?:the |your )?(?:policy|rules)
    (?:switched|turned|set|put) (?:off|aside|to auto\w*)
""")
_NEW_RULES = r"(?:policy|rule|regulation|directive|guideline|procedure|memo|agreement)"
_SAID = r"(?:said|says|agreed|promised|decided|confirmed|approved|wants|knows|has|gave|told)"
AUTHORITY = _whole(rf"""
    (?:the |our |your |my )?(?:general |senior |shift |store |account |duty |regional )?managers?
    management | supervisors? | (?:managing |deputy |board of )?directors? | head of \w+ | c[efo]o
    admins? | administrat(?:or|ors|ion|ive) | headquarters | head office | hq | team leader
    team ?leads? | compliance | legal (?:team|department|counsel|office) | accounting | audit(?:ors?)?
    finance(?: team| department| office)? | (?:risk|security|fraud|quality) team | executive
    (?:policy|rule) (?:update|change|exception|override|notice|amendment) | clearance | level \d
    (?:new|updated|company|internal|official|corporate|store|revised|special) {_NEW_RULES}
    compan(?:y|y's) (?:policy|rules) | official(?:ly)? | the owner | developers? | operators?
    operations | engineering | the board | internal (?:note|notice|use|memo|only) | on behalf of
    by order of | court | regulator | (?:authori[sz]ed|approved|signed|signed off) by | back office
    as (?:agreed|arranged|decided) (?:with|by) | staff (?:note|memo|only|notice)
    customer (?:care|service|success) (?:lead|head|team|desk|directorate) | hr | book-?keep\w* | staff
    lawyers? | contracts? | agreements? | (?:case|account) handler | employees? | colleagues?
    (?:from |at |in )?your (?:office|company|boss|bosses|colleagues?|team|shop|chief|chat|hotline|desk)
    (?:the |with |my |your )boss(?:es)? | chief | arrangement
    (?:my|your|the) (?:last|previous|other) agent
    (?:a|your|my|the) colleague | it (?:has|had) always been | custom(?:ary)? to | internal:
    (?:he|she|they|somebody|someone|your \w+) (?:said|told me|promised|confirmed|assured|wrote)
    (?:on|by|over) (?:the )?phone | (?:i|we) hereby | the (?:shop|company|desk|office|chief|boss) {_SAID}
""")
_AGENTS = (
    r"(?:agents?|assistants?|chat ?bots?|bots?|ai|language model|models?|llm|representatives?|staff"
    r"|colleagues?|support team|employees?|reader of this)"
)
_MUST = (
    r"(?:must|should|shall|will|is|are|has|have|may|can|who|that|reading|handling|needs?|to|always|in"
    r"|on|working)"
)
_CUSTOMER = r"(?:customer|client|user|member|guest|person|account holder|buyer|shopper|patient|reader|account)"
_YOU_MAY = (
    r"(?:must|should|shall|will|are (?:to|authori[sz]ed|required|instructed|permitted|obliged|allowed"
    r"|free|now|hereby|expected|supposed)|have (?:to|permission|authority|my|the|full)|need(?: not| to)?"
    r"|may|can|do not need)"
)
_SERVES = (
    r"(?:refund|reimburse|pay|compensate|credit|give|grant|offer|send|issue|tell|inform|assure|promise"
    r"|treat|serve|let|approve)"
)
_SHALL = r"(?:must|should|shall|is to|may|can|will)"
_THIS = r"(?:this|that|the|his|her|their|any|every|all)"
TO_AGENT = _whole(rf"""
    your (?:\w+ )?(?:prompt|instructions|guidelines) | (?:consider|feel|think) yourself
    you {_YOU_MAY} | the right (?:answer|reaction|step) is
    (?:recommended |next )?(?:action|step)(?: on \w+)?:
    (?:the )?(?:desk|shop|team|staff|support) (?:refunds?|pays?|grants?|approves?|gives?|must|should|will|is to)
    note to | attention | {_AGENTS}(?= {_MUST}\b|[:,!-])
    for the (?:agent|assistant|ai|model|bot|next agent|desk|support)
    {_SERVES}(?: (?:the|this|that|our|every|any|each))?{_WHOSE} {_CUSTOMER}
    (?:the|this|that) {_CUSTOMER}(?:['’]s \w+)? {_SHALL} {_SOME}(?:be|get|receive|have|not)
    (?:handle|process|treat|decide|close|resolve|settle) {_THIS}
""")
_SAYING = (
    r"(?:says?|writes?|mentions?|types?|uses?|asks?|contacts?|comes?|returns?|complains?|calls?|names?"
    r"|opens?|greets?|appears?|occurs?|falls?|about)"
)
_SPEAKER = (
    r"(?:i|we|he|she|they|the (?:customer|client|user|member|guest|caller|word|phrase|code|sentence)"
    r"|this (?:customer|client|user|person|account)|somebody|someone|asked|you (?:see|read|hear|find))"
)
TRIGGER = _whole(rf"""
    whenever | (?:every|each|next|any|the next|the moment) time | the moment | as soon as
    trigger(?:s|ed)?
    (?:when|if|once|after|upon) (?:ever )?{_SPEAKER} ?(?:next |later |ever |again )?{_SAYING}?
    should (?:i|the customer|he|she|they|this customer|anyone) (?:ever )?\w+ | later on
    in (?:the|my|our|any|every|a|his|her|their) (?:next|following|later|future|coming) \w+
    (?:code|key|magic|secret) ?words? | pass ?phrase | stands for | is short for
    at the (?:next|following) \w+
    (?:is|are) (?:mentioned|named) | comes up | unlocks? | password
    from the (?:next|second|third) \w+ on | upon (?:reading|seeing|hearing|request)
""")
URGENT = _whole(r"""
    immediate(?:ly)? | at once | right away | urgent(?:ly)? | important | asap | critical | mandatory
    instantly | straight ?away | without delay | now | must | compulsory | binding | non-negotiable
    priority | warning | final | strictly | promptly | obligatory | required
""")
SHOUTED = re.compile(r"\b[A-Z]{4,}\b(?![-_\d])")
PLAYING = _whole(r"""
    in the role of | pretend(?:s|ing)? | imagine | act (?:as|like) | role-?play(?:ing)?
    let us play | let's play
    play(?:ing)? (?:the )?(?:role|part|game|a game|a character) | simulat\w+ | hypothetical(?:ly)?
    you are (?:now )?(?:an? |the |called |named )[\w-]+ | as (?:if|though) | fictional | persona
    in (?:this|our|the) (?:story|game|scene|play|scenario|exercise|film|novel|world) | scenario
    stay in character | your (?:name|role|character|job) is | once upon a time | suppose(?: that)?
    for (?:the rest|the purposes?) of (?:this|the|our) | a (?:game|play|story) | grandmother
    improvis\w+ | the (?:scene|stage|script)
""")
_TRULY = (
    r"(?:real |actual |valid |binding |genuine |direct |legitimate |true |live |standing |new )*"
)
_A_COMMAND = r"(?:instructions?|orders?(?! \w*\d)|commands?|directives?|rules?)"
_A_NOTE = r"(?:notes?|data|information|remarks?|comments?|content|text|facts?|memory)"
_WHAT_FOLLOWS = r"(?:this|it|the following|these|that|what follows|them)"
_LABEL = (
    r"(?:label|heading|header|notice|frame|wrapper|tags?|quotation|marking|note above|disclaimer"
    r"|caption)\w*"
)
DENYING = _whole(rf"""
    (?:is|are|was|were) (?:an? |the )?{_TRULY}{_A_COMMAND} | but (?:an? )?{_TRULY}{_A_COMMAND}
    not (?:just |only |merely |simply |mere )*(?:an? |some )?{_A_NOTE} | no longer (?:data|notes?)
    treat {_WHAT_FOLLOWS}(?: \w+){{0,2}} as (?:an? )?(?:{_A_COMMAND}|system|policy|binding|part of)
    (?:ignore|disregard|despite|whatever|forget) (?:the |any |this |that |what the )*{_LABEL}
    follow {_WHAT_FOLLOWS} | obey | comply | overrides? the {_LABEL} | authoritative
    instructions? (?:below|that follow|in this note) (?:are|is|must|should)
""")

# How a text imitates somebody else: a role, a label, the frame around it, a setting.
_ROLE = (
    r"(?:system|assistant|developer|admin(?:istrator)?|operator|root|sysadmin|instructions?"
    r"|supervisor|policy engine|tool|agent|ai|human|user"
    r"|note to (?:the )?(?:agent|assistant|ai|model|bot|system|staff))"
)
_OF_ROLE = (
    r"(?: (?:message|prompt|note|notice|override|update|instructions?|policy|directive|alert|mode"
    r"|result|output|command|role|announcement|log|flag|says?))?"
)
_FRAME = (
    r"(?:notes?|data|memor(?:y|ies)|context|profile|block|records?|summary|history|ticket|document"
    r"|input|quote)"
)
_BRACKETED = r"(?:system|inst|admin|developer|assistant|end|override|instructions?|internal)"
_TAGGED = (
    r"(?:system|instructions?|admin|developer|assistant|user|notes?|data|memory|memories|context"
    r"|tool_result|policy|document|rules?|prompt|function|tool)"
)
_RULES = r"(?:instructions?|policy|rules?|prompt|directive)"
_SETTING = r"(?:status|flag|setting|config|parameter|policy|role|permission|access|auto ?\w+)"
ROLE = re.compile(
    r"(?:^|[\n\"'(:.!?*_\[]\s*|\s[-*]\s+)(?:\[|<{1,2}\|?|#{1,4} ?|\*\*|={2,} ?|-{2,} ?)?"
    rf"(?:new |updated? |important |begin |end |start )?{_ROLE}{_OF_ROLE}"
    r"(?:\]|\|?>{1,2}|\*\*)?\s?(?::|-\s)"
    rf"|\({_BRACKETED}\b[^()\n]{{0,30}}\)|\[/?\s?{_BRACKETED}[^\]\n]{{0,40}}\]"
    rf"|</?\s?{_TAGGED}\b[^>\n]{{0,60}}>|<\|[^|>\n]{{1,30}}\|>|<<sys>>"
    rf"|#{{2,}}\s?(?:system|new|end|admin|override|{_RULES})|-{{3,}}\s?(?:end|begin|system|new)"
    rf"|\bend of (?:the )?(?:\w+ ){{0,4}}{_FRAME}\b|\bbegin (?:of )?(?:new |system )?{_RULES}"
    r"|\bsystem (?:message|prompt|override|update|note|notice|instruction|directive|command)\b"
    r"|\b(?:debug|maintenance|developer|admin|god|test|override) mode\b|\"role\"\s?:"
    rf"|\b(?:new|updated) (?:system )?{_RULES}\b"
    rf"|\bkind\s?[:=]\s?\"?(?:system|{_RULES})|\b{_SETTING}\s?[:=]\s?\"?\w"
)

# --- what makes less of it --------------------------------------------------------------------------

_SAYS = (
    r"(?:says?|said|claims?|claimed|believes?|thinks?|insists?|insisted|states?|stated|asserts?|told"
    r"|mentions?|mentioned|wrote|writes|demanded|demands|requested|requests|maintains?|alleges?|asked"
    r"|asks|wants|wanted|would like|wishes|hopes)"
)
REPORTED = re.compile(
    r"\b(?:customer|client|user|he|she|caller|they|guest|member|buyer|person|patient|reader) "
    rf"(?:also |again |then |once |\w+ly )?{_SAYS}\b|\ballegedly\b"
    r"|\baccording to the (?:customer|client|user|guest|caller)\b"
)
_SETTLED = (
    r"(?:refunded|paid|reimbursed|credited|compensated|approved|granted|declined|rejected|denied)"
)
_ALLOWED = (
    r"(?:approved|authori[sz]ed|entitled|allowed|eligible|granted|permitted|accepted|guaranteed"
    r"|automatic\w*)"
)
_TURNED_DOWN = r"(?:be )?(?:refused|denied|rejected|declined|questioned)"
_FOR_GOOD = r"(?:up to|until|for all|for any|for every|in advance|forever|without)"
# "The refund was approved by the manager" is a claim, and no thanks.
_BY_NOBODY = (
    r"(?! by (?:(?:the|a|our|your) (?:manager|supervisor|team|desk|boss|director|head|agent|system)"
    r"|phone)\b)"
)
_MAY = r"(?:is|are|was|were|will|may|can|should|must|has|have)"
REMARK = _whole(rf"""
    thank(?:s| you| god)? | arrived | received | came through | came (?:in|back|yesterday|today)
    has come | got (?:my|the|it|a) | glad | happy | pleased | great | wonderful | grateful | ago
    appreciate | (?:was|were|been|got) {_SOME}{_SETTLED}(?! {_FOR_GOOD}){_BY_NOBODY} | yesterday
    wonder\w*
    last (?:week|month|year|summer|winter|spring|autumn) | hope[sd]? | curious | confus\w+ | whether
    apolog\w+ | went (?:well|fine|wrong|badly|smoothly)
    want(?:s|ed)? to know | prefers? | would (?:like|prefer|rather) | looking forward
    expects? (?:a|the|it) | still waiting | wait(?:s|ing) for | not (?:yet )?{_ALLOWED}
    (?:is|are|was|were|has|have|been) (?:not|never|no longer) {_SOME}{_ALLOWED}
    no (?:refund|payment|money|credit|discount|voucher|reimbursement)s? {_MAY}\b(?! {_TURNED_DOWN})
    no (?:rules?|polic(?:y|ies)) (?:gives?|allows?|says?)
    (?:first|second|third) (?:refund|return)s? (?:took|was|were)
    took {_SOME}(?:days|weeks|months|long|ages)
""")
ASKED = _whole(r"(?:asked|asks) (?:if|about|how|when|why|for (?:a|an|the|my|his|her|one|some))")
NEEDS = re.compile(
    r"\b(?:needs?|requires?|awaits?|awaiting|subject to|depends? on|only (?:with|after|if|when)"
    r"|must (?:first )?be|pending|needed|must have|has to be|have to be|waits? for|without)\b"
    r"[^.;]{0,30}?\b(?:approv(?:al|ed)|authori[sz](?:ation|ed)|confirm(?:ation|ed)|permission|sign-?off"
    r"|checked|verified|reviewed)\b"
)
MANNER = re.compile(
    r"\b(?:instead of|rather than|by (?:bank|card|cheque|check|transfer|voucher|post|paypal)|via"
    rf"|to (?:my|the|his|her|our|their) {_SOME}(?:card|bank|account(?! holder)|wallet)|not (?:by|as|to|in|with) "
    r"|over (?:a )?(?:refunds?|vouchers?|replacements?)|if possible|where possible"
    r"|before (?:a |any )?(?:replacement|refund)s?|first(?=[.,;!]|$| and\b))"
)
# What comes before or after something else in time is not what is asked for.
ASIDE = re.compile(
    r"\b(?:before|until|till|unless|than|after|as long as|so that|in order to)\b[^,;:.!?]*"
)
