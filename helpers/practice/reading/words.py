"""Words: cutting, stems, synonyms, and the kinds of value a word can be."""

import re
from functools import lru_cache

WORD = re.compile(r"[$€£¥#+]?[^\W_]+(?:[-'.:/@&_+][^\W_]+|,\d{3}\b)*[%€£$]?")


def one_of(phrases: str) -> str:
    """A pattern for any of the phrases, which are separated by " | " or by line breaks."""
    parts = re.split(r" \| |\n", phrases)
    return "(?:" + "|".join(part.strip() for part in parts if part.strip(" |")) + ")"


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that carry no content of their own: two sentences do not become alike by sharing them.
STOP = _set("""
    a an the this that these those i me my mine myself we us our ours you your yours he him his she her
    hers it its they them their theirs one ones who whom whose which what where when why how am is are
    was were be been being do does did done have has had having will would shall should can could may
    might must ought to of in on at by for with about as into onto from up out over off under near and
    or but if so than then there here not no nor never n't cannot yes very really quite just also too
    only still already again now currently current new today's lately these please well oh ok okay
    actually exactly right again ever even some any all both each every much many more most lot lots
    go going goes get got gets own let let's us own s t am'm like-so way please thing things something
    anything everything really always anymore longer people everyone everybody someone somebody
    anything always usually often mostly normally generally mainly each i'm it's
""")

# One line a meaning: the first word stands for all of them.
_SYNONYMS = """
    job work works working worked profession occupation career employer employed employment living-for
    live lives living lived reside resides moved move relocated based residence
    child children kid kids
    birthday born birth birthdate birthdays
    partner wife husband spouse
    mother mom mum mummy mama
    father dad daddy papa
    grandmother grandma granny nan nana gran
    grandfather grandpa granddad grandad gramps
    like likes liked love loves loved enjoy enjoys enjoyed adore adores fond hate hates hated dislike
        dislikes disliked detest detests loathe
    favourite favorite favourites favorites fav fave prefer prefers preferred preference preferences
    name names named called call calls calling naming
    allergy allergic allergies allergen
    phone telephone mobile cell cellphone
    password passcode passphrase
    flight fly flies flying flew flights plane
    meeting meet meets met meetings
    trip travel travels travelling traveling journey holiday holidays vacation trips
    buy buys bought buying purchase purchased
    cost costs price pay pays paid
    start starts begin begins started began beginning
    end ends finish finishes finished
    depart leave leaves departs leaving left departure
    arrive arrives land lands arrival arriving
    old age aged years-old year-old
    eat eats ate eating eaten
    email e-mail emails
    study studies studying studied student
    speak speaks spoke language languages speaking
    marry married wedding
    say said says saying mention mentioned
    tell told tells
    car vehicle drive drives drove driving
    bicycle bike
    doctor physician
    give gave given gives
    take takes took taken
    make makes made
    keep keeps kept keeping store stored
    put puts placed
    grow grew grown
    write wrote written writes
    sell sold sells
    lend lent borrowed borrow
    hide hid hidden
    lose lost
    win won
    see saw seen
    teach teaches taught teacher
    size sizes
    colour color colours colors
    apartment flat
    grey gray
    bill invoice
    spend spent spends
    come comes came coming
    visit visits visited visiting
    train trains
    drink drinks drank drinking
    play plays played playing
    sleep slept sleeps
    wake wakes woke
    movie movies film films cinema
    shop shops store
    television tv telly
    break breaks broke broken
    fall falls fell fallen
    build builds built
    bring brings brought
    find finds found
    choose chooses chose chosen
    run runs ran running
    sing sings sang sung
    wear wears wore worn
    feel feels felt
    think thinks thought
    catch catches caught
    swim swims swam
    earn earns earned salary wage wages income
    weigh weighs weighed weight
    height tall
    deadline due
    surname surnames family-name
    boss bosses manager supervisor
    friend friends mate buddy pal
    ill sick unwell
    university uni college
    insurance insured
    arrive arrives arrived
    need needs needed
    want wants wanted
    book books booked booking reservation
    order orders ordered
    park parks parked parking
    medicine medicines medication medications drug drugs pills
    wifi wi-fi
"""


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A light stem; British and American spellings, numbers and tenses of a word share it."""
    word = word.lower().removesuffix("'s").strip("'")
    return _CANONICAL.get(word) or _bare(word)


def _bare(word: str) -> str:
    if not word.isalpha() or len(word) < 4:
        return word
    word = re.sub(r"(?<=[a-z]{2})our(?=s?$|i|ed|ful|ing)", "or", word)
    for ending in ("ing", "ed", "es", "s"):
        rest = word.removesuffix(ending)
        if (
            rest != word
            and len(rest) > 2
            and not (ending == "s" and word.endswith(("ss", "us", "is")))
        ):
            word = rest
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
                word = word[:-1]
            break
    if word.endswith("y") and len(word) > 3:
        return word[:-1] + "i"
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


_CANONICAL: dict[str, str] = {}
_SEARCH: dict[str, tuple[str, ...]] = {}
for _line in re.sub(r"\n {8}", " ", _SYNONYMS).strip().splitlines():
    _first, *_others = _line.split()
    for _word in (_first, *_others):
        _CANONICAL[_word] = _first
    _SEARCH[_first] = (_first, *_others)


def search_forms(stemmed: str) -> tuple[str, ...]:
    """Strings of which at least one stands in any lower-case text that has a word of this stem."""
    if stemmed in _SEARCH:
        return _SEARCH[stemmed]
    short = stemmed[:-1] if len(stemmed) > 4 or stemmed.endswith("i") else stemmed
    if short.isascii() and "or" in short[2:]:
        short = short[: short.index("or", 2) + 1]  # neighbor, neighbour
    return (short,)


def content(words: list[str]) -> frozenset[str]:
    """The stems of the words that carry meaning."""
    return frozenset(stem(w) for w in words if w.lower() not in STOP)


PERSONS = frozenset(
    map(
        stem,
        """mother father parent sister brother sibling son daughter child baby wife husband partner
        spouse girlfriend boyfriend fiance fiancee aunt uncle cousin niece nephew grandmother grandfather
        grandson granddaughter friend colleague boss teacher doctor dentist neighbour landlord landlady
        roommate flatmate guest client customer assistant coach dog cat pet horse twin stepmother stepfather
        sister-in-law brother-in-law mother-in-law father-in-law girl boy man woman lady guy""".split(),
    )
)

# --- kinds of value -------------------------------------------------------------------------------

NUMBER_WORDS = _set("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred
    thousand million dozen half couple no several twice once single none
""")
_MONTH = (
    r"(?:jan|febr?|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)"
    r"(?:uary|ruary|ch|il|ust|t?ember|ober)?"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_PART = "(?: (?:morning|afternoon|evening|night))?"
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)"
_SEASON = "(?:spring|summer|autumn|fall|winter)"
DATE = re.compile(
    r"\b"
    + one_of(rf"""
        (?:(?:on )?{_DAY},? )?(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? \d{{4}})?
        {_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})? | {_MONTH} \d{{4}}
        \d{{4}}-\d\d-\d\d | \d{{1,2}}[/.]\d{{1,2}}[/.]\d{{2,4}}
        (?:next |this |every |last )?{_DAY}{_PART} | (?:the )?{_ORDINAL}
        (?:next|last|this|every) (?:week|month|year|weekend|{_SEASON})
        (?:the )?(?:end|beginning|start|middle) of (?:next )?(?:{_MONTH}|month|week|year|{_SEASON})
        today | tonight | tomorrow{_PART} | yesterday
        in (?:\w+ ){{1,2}}(?:minutes|hours|days|weeks|months|years)
        (?:in|since|by|until|during|every) (?:early |late |mid-?)?(?:{_SEASON}|(?:19|20)\d\d)
        (?:in|since|by|until|every|this|next|last) {_MONTH} | christmas | easter | new year
    """)
    + r"\b",
    re.I,
)
TIME = re.compile(
    r"\b"
    + one_of(r"""
        (?:at )?(?:[01]?\d|2[0-4])[:.][0-5]\d(?: ?[ap]\.?m)? | \d{1,2} ?(?:[ap]\.?m\b|o'clock)
        noon | midnight | midday | (?:half |quarter )(?:past |to )?\w+
        at (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b(?! \w+ (?:street|road))
        in the (?:morning|afternoon|evening) | at night
        (?:from|between|until|till|after|before) \d{1,2}\b(?! [a-z]+s\b)
        after (?:work|lunch|dinner|school|breakfast)
    """)
    + r"\b",
    re.I,
)
PLACE = re.compile(
    r"\b(?:in|at|on|near|to|from|by|inside|under|underneath|behind|beside|above|below|opposite|outside"
    r"|around|between|next to|close to|across from|into|onto|through|via|upstairs|downstairs"
    r"|(?:address|city|town|home|residence) is|here|abroad)\b",
    re.I,
)
REASON = re.compile(r"\b(?:because|since|so that|as|due to|thanks to|for|to|reason)\b", re.I)
COLOUR_WORDS = tuple(
    """red blue green yellow orange purple violet pink brown black white grey gray gold
    silver turquoise teal beige maroon navy crimson indigo magenta cyan lilac amber scarlet olive cream""".split()
)
COLOURS = frozenset(map(stem, COLOUR_WORDS))


def has_number(text: str) -> bool:
    """Whether the text holds a figure or a number word."""
    return any(c.isdigit() for c in text) or any(w in NUMBER_WORDS for w in text.lower().split())


def has_date(text: str) -> bool:
    """Whether the text says a day or a time."""
    return bool(DATE.search(text) or TIME.search(text))
