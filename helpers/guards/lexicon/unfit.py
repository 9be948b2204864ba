"""What is no fact to keep: private asides, guesses, opinions."""

LISTS = {
    "person": """
        customer user client she he they caller writer woman man person
    """,
    "mood": """
        angry frustrated annoyed upset rude impatient stressed unhappy irritated furious sad
        lonely confused nervous anxious difficult dishonest lying suspicious aggressive lazy
        greedy unreliable untrustworthy disappointed desperate tired drunk unstable paranoid
    """,
}
PHRASES = {
    "sensitive": """
        diabet*|cancer|tumour|tumor|leukaemia|leukemia|chemo*|dialysis|epilep*|asthma*|hiv|aids
        dementia|alzheimer*|parkinson*|migraine*
        pregnan*|miscarriage|abortion|infertil*|menopause
        depression|depressed|depressive|anxiety|autis*|adhd|bipolar|schizo*|burnout|psychiatr*
        psycholog*|psychotherap*|therapist|suicid*|trauma*
        disabilit*|handicap*|wheelchair*|crutches|deaf|paralys*|paralyz*|amput*
        illness|disease|disorder|diagnos*|medication*|medicine|medicines|insulin|antibiotic*|surgery
        operated|inpatient|infection|injur*|symptom*|transplant*|stroke
        allergic|allergy|allergies
        i'm|am|is|are|was|half|nearly (a) blind|disabled
        heart attack|condition|failure|disease
        broke|broken my|her|his leg|arm|hip|foot|wrist|ankle|rib|ribs
        chronic*|terminally
        alcoholi*|addict*|rehab|methadone
        in|to|from hospital
        am|is|are|was|been|were|feeling|seriously|gravely|very sick|ill ~of
        sick leave
        i'm|am|is|are|was (a) christian|muslim|jewish|jew
        muslim*|jews|christianity|catholic*|protestant*|hindu*|buddhist*|atheist*
        religio*|my faith
        gay|lesbian|bisexual*|homosexual*|transgender*|queer
        sexual*|sex life
        votes|voted|vote for
        member of the|a ..3 party|union
        trade union
        convicted|prison|jail|parole|criminal|arrested
        asylum|refugee|deport*
        divorc*|custody
        bankrupt*|insolven*
        ethnic*|skin colour|color
        schwanger*|krebs|krank|krankheit|depressiv*|behindert*|rollstuhl|krankenhaus|diagnose
        therapie|diabetiker*
        enceinte|malade|maladie|cancer|dépress*|handicapé*|hôpital|diabétique
        embarazada|enferm*|cáncer|depresión|discapac*|hospitaliz*
        incinta|malat*|tumore|depress*|disabil*|ospedale
        zwanger|ziek|ziekte|kanker|depressie*|ziekenhuis
        беременн*|болезн*|болен|больна|диабет*|инвалид*
        癌症|怀孕|糖尿病|抑郁|残疾|妊娠|うつ病|임신|당뇨
    """,
    "guess": """
        seem|seems|seemed
        appears|appeared to
        probably|presumably|apparently|supposedly|perhaps|maybe|allegedly|possibly|conceivably
        likely|unlikely to|that|a|an
        most|very likely
        may|might|could|must have ..2 been|forgotten|lied|lost|taken|meant|moved|gone
        might
        i|we think|believe ..2 <person>
        i|we guess|suppose|suspect|assume|imagine|presume|reckon
        i|we (do|can) (only) guess|suppose|suspect|assume
        i'm|i|we (am|are) not sure|certain
        looks|look like ..1 <person>
        sounds|sounded <mood>|like
        <person> ..2 is|was|are|were|gets|got|becomes|became|feels|felt|looks|looked (very|quite|\
            rather|really|so|a|often|easily|probably) (bit|little|very) <mood>
        <mood> customer|user|client|person
        vermutlich|wahrscheinlich|vielleicht|anscheinend|scheinbar|scheint
        peut-être|probablement|semble|apparemment
        quizás|quizá|probablemente|parece|aparentemente
        forse|probabilmente|sembra
        misschien|waarschijnlijk|lijkt
        возможно|наверное|вероятно|кажется
        可能|也许|似乎|大概|たぶん|おそらく
    """,
    "opinion": """
        i|we (would|also) think|believe|feel|conclude|expect|infer
        in my opinion|view|impression
        clearly|obviously|surely
        typical|typically
        <person> ..1 want|wants|tries|try|hopes|hope to ..3 cheat|exploit|trick|abuse|provoke
    """,
}
