"""What may become a memory: facts that help the next conversation, and nothing else."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from .folding import fold
from .masking import mask
from .phrases import clauses, compiled
from .suspicion import suspicious

MOST_CHARACTERS = 500  # of one memory
SOURCES = ("customer", "agent", "tool")


@dataclass(frozen=True)
class Verdict:
    """ok: it may be stored. reason: one sentence, "" when ok. kind: what is wrong with it.

    kind: "" | "no text" | "blank" | "too long" | "secret" | "sensitive" | "instruction" | "guess" |
    "question". Only "instruction" is worth quarantine; the others are not kept anywhere.
    """

    ok: bool
    reason: str = ""
    kind: str = ""

    def __bool__(self) -> bool:
        return self.ok


def may_store(text, *, source: str = "customer", before: Iterable[str] = ()) -> Verdict:
    """Whether a text may be stored as a memory of the customer.

    source: who stated it: "customer", "agent" (its own words) or "tool" (a result, a ticket).
    before: earlier memories of this customer that `suspicious` reads together with it. Pure; never
    raises for an odd text: that is refused. The reason repeats nothing of the text. ValueError: no
    such source.
    """
    if source not in SOURCES:
        raise ValueError(f"source is one of {', '.join(SOURCES)}, and not {source!r}")
    if not isinstance(text, str):
        return Verdict(False, "A memory is a text.", "no text")
    if not any(map(str.isalnum, fold(text).text)):
        return Verdict(False, "There is nothing to read in it.", "blank")
    if len(text) > MOST_CHARACTERS:
        return Verdict(
            False, f"A memory has at most {MOST_CHARACTERS} characters: say it shorter.", "too long"
        )
    if secrets := mask(text).found:
        reason = f"It holds a secret ({', '.join(secrets)}), and secrets are never kept."
        return Verdict(False, reason, "secret")
    said = clauses(text)
    if _speaks_of("sensitive", said):
        reason = "It tells of health or of something as private: keep what it means for a delivery."
        return Verdict(False, reason, "sensitive")
    if found := suspicious(text, before=before):
        reason = (
            f"It reads like an instruction or a permission, not like a fact. {found.reasons[0]}"
        )
        return Verdict(False, reason, "instruction")
    if _speaks_of("guess", said) or (source == "agent" and _speaks_of("opinion", said)):
        return Verdict(False, "It is a guess or an opinion: keep what was stated.", "guess")
    if _asks(said, text):
        return Verdict(False, "It is a question, and a memory is a statement.", "question")
    return Verdict(True)


def _asks(said: list[str], text: str) -> bool:
    """Whether a text is a question: it begins like one, or ends like one. A polite wish is none."""
    begins = _patterns()["question"].match(said[0], 1)
    ends = fold(text).text.rstrip(" \n\t\"')").endswith("?")
    return bool(begins or ends) and not _patterns()["wish"].match(said[0], 1)


def _speaks_of(what: str, said: list[str]) -> bool:
    return any(_patterns()[what].search(clause) for clause in said)


_PERSON = "customer user client she he they caller writer woman man person"
_LISTS = {
    "person": _PERSON,
    "mood": """angry frustrated annoyed upset rude impatient stressed unhappy irritated furious sad
        lonely confused nervous anxious difficult dishonest lying suspicious aggressive lazy greedy
        unreliable untrustworthy disappointed desperate tired drunk unstable paranoid""",
}
_PHRASES = {
    "sensitive": """
        diabet*|cancer|tumour|tumor|leukaemia|leukemia|chemo*|dialysis|epilep*|asthma*|hiv|aids|dementia|alzheimer*|parkinson*|migraine*
        pregnan*|miscarriage|abortion|infertil*|menopause
        depression|depressed|depressive|anxiety|autis*|adhd|bipolar|schizo*|burnout|psychiatr*|psycholog*|psychotherap*|therapist|suicid*|trauma*
        disabilit*|handicap*|wheelchair*|crutches|deaf|paralys*|paralyz*|amput*
        illness|disease|disorder|diagnos*|medication*|medicine|medicines|insulin|antibiotic*|surgery|operated|inpatient|infection|injur*|symptom*|transplant*|stroke
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
        schwanger*|krebs|krank|krankheit|depressiv*|behindert*|rollstuhl|krankenhaus|diagnose|therapie|diabetiker*
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
        <person> ..2 is|was|are|were|gets|got|becomes|became|feels|felt|looks|looked (very|quite|rather|really|so|a|often|easily|probably) (bit|little|very) <mood>
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
    # a polite way to state something
    "wish": """
        can|could|would|will you (please|kindly|also) remember|note|keep|save|store|know|write
    """,
    "question": """
        where|why|how|who|what is|are|was|were|do|does|did|can|could|will|would|should|has|have|much|many|long
        when is|are|was|were|do|does|did|can|could|will|would|should
        can|could|would|will|do|does|did|is|are|have|has|may|shall you|i|we|it|there|the|my|your|this|that|they|he|she
        wo|warum|wieso|wann|wie ist|sind|bleibt|kann|wird|viel|lange
    """,
}


@cache
def _patterns() -> dict:
    return {name: compiled(lines, _LISTS) for name, lines in _PHRASES.items()}
