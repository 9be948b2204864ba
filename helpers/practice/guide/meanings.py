"""General words of English for what guides list: what people say, and the entry that it means."""

import re

from ..reading.words import one_of


def _pattern(phrases: str) -> re.Pattern:
    return re.compile(rf"(?<![\w-])(?:{one_of(phrases)})(?![\w-])")


# Features and company: what is said, and a pattern of the guide's entries that it may mean.
MEANINGS = [
    (_pattern(said), re.compile(entry))
    for said, entry in (
        (r"quiet(?:er|ly)? | calm(?:er)? | peaceful | silence", r"quiet|calm|peaceful"),
        (
            r"lively | loud(?:er)? | noisy | noisier | noise | crowded | crowds? | rowdy",
            r"lively|loud|nois|crowd",
        ),
        (r"(?:live )?(?:music|bands?|concerts?)", r"music|band"),
        (r"spic(?:y|ier|es?) | chill?i(?:es|s)? | hot food", r"spic"),
        (r"views? | panoramas?", r"view|panorama"),
        (r"terraces? | patios? | outdoors? | open air | sit outside", r"terrace|outdoor|patio"),
        (
            r"riversides? | waterfront | by the (?:river|water|sea) | on the (?:river|water)",
            r"river|water",
        ),
        (
            r"free entry | free admission | free of charge | for free | (?:any|some|every)thing free | free things? | costs? nothing",
            r"^free (?:entry|admission)",
        ),
        (r"late at night | after midnight | open late", r"\blate\b"),
        (r"wi-?fi | internet", r"wi-?fi|internet"),
        (r"fireplaces? | open fire", r"fire"),
        (r"breakfasts? | brunch", r"breakfast|brunch"),
    )
]
FAMILIES = re.compile(r"famil|child|kid")
STEP_FREE = re.compile(r"step|wheelchair|access|barrier")
DOGS = re.compile(r"\bdogs?\b|\bpets?\b")
COMPANY = [
    (
        _pattern("""
            child(?:ren)? | kids? | toddlers? | bab(?:y|ies) | famil(?:y|ies) | family-friendly
            (?:grand)?(?:daughter|son)s? | nieces? | nephews? | child-friendly | kid-friendly
            (?:[1-9]|1[0-5]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) years? old
            (?:[1-9]|1[0-5]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)-years?-old
        """),
        FAMILIES,
    ),
    (
        _pattern(r"""
            (?:cannot|can not|could not|does not|do not|unable to|struggles? to|hard to|not able to) (?:really |easily )?(?:walk|climb|manage (?:\w+ )?(?:stairs|steps))(?: \w+)?
            step-free(?: \w+)? | step free | steps? or stairs? | no (?:stairs|steps) | without (?:stairs|steps) | barrier-free
            wheelchairs?(?:-\w+)? | crutches | (?:bad|sore|broken|weak) (?:knees?|hips?|legs?|foot|ankle)
            walks? (?:badly|slowly|with a (?:stick|cane|frame)) | pushchair | pram | stroller
        """),
        STEP_FREE,
    ),
    (_pattern(r"dogs? | pupp(?:y|ies) | dog-friendly | pets?"), DOGS),
]
# Company that only a question for places asks for; who merely is a couple has not asked.
ASKED_COMPANY = [
    (_pattern(r"couples? | romantic | date night | anniversary"), re.compile("couple|romantic")),
    (_pattern(r"groups? | large party | big party"), re.compile("group")),
    (_pattern(r"alone | solo | by myself | on my own"), re.compile("solo|alone")),
]
OPPOSITES = (re.compile(r"quiet|calm|peaceful"), re.compile(r"lively|loud|nois|crowd"))

# What kinds of place a word other than their name means: said, and a pattern of kinds.
EATING = re.compile(r"restaurant|eatery|diner|bistro|tavern|canteen")
SITTING = re.compile(r"cafe|coffee|tea ?room|bakery")
DRINKING = re.compile(r"\bbar\b|\bpub\b|taproom")
BUYING = re.compile(r"shop|store|market|boutique")
OUTDOORS = re.compile(r"park|garden|wood|trail")
CULTURE = re.compile(r"museum|gallery|exhibition")
SOUNDING = re.compile(r"music|concert|club|theatre")
KIND_WORDS = [
    (_pattern(said), kinds)
    for said, kinds in (
        (r"eat | eating | dine | dining | dinners? | suppers? | meals? | eateries | bistros?", (EATING,)),
        (r"lunch(?:es)?", (EATING, SITTING)),
        (r"breakfast | brunch | coffee | tea | cakes? | coffeehouses?", (SITTING,)),
        (r"drinks? | drinking | beers? | wines? | cocktails? | pubs?", (DRINKING,)),
        (r"walks? | walking | stroll | picnic | jog(?:ging)?", (OUTDOORS,)),
        (r"galler(?:y|ies) | exhibitions?", (CULTURE,)),
        (r"concerts? | gigs? | dancing", (SOUNDING,)),
        (r"shopping | souvenirs? | presents?", (BUYING,)),
        (r"excursions? | outings?", (re.compile(r"trip|excursion"),)),
    )
]  # fmt: skip
TO_DO = _pattern(
    r"to do | (?:can|could|should|shall) (?:we|i|they) do | to see | to visit | sights? | sightseeing | attractions?"
)
NOT_SIGHTS = (EATING, SITTING, DRINKING, BUYING)
# Words of a theme that say too little to choose by.
PALE = frozenset(
    """and the of for with a in on city town home house food lunch dinner breakfast plates small late coffee
    tea counter goods second hand street place modern walk walks day cakes drinks old new""".split()
)

# Diets. What is said besides the guide's own word for it.
DIET_WORDS = [
    (_pattern(r"veggie | vegetarians? | vegetarian"), re.compile(r"^vegetarian$")),
    (_pattern(r"vegans? | plant-based"), re.compile(r"^vegan$")),
    (_pattern(r"coeliac | celiac"), re.compile(r"gluten")),
    (_pattern(r"lactose-free | lactose intolerant"), re.compile(r"dairy|lactose|milk")),
]
NO_MEAT = _pattern(r"meat | meats | meat or fish")
# What a kitchen can be free of, by the first part of the guide's "...-free".
FREE_OF = {
    "nut": _pattern(r"\w*(?<!co)(?<!dough)nuts? | almonds? | pistachios? | cashews? | pecans?"),
    "dairy": _pattern(r"dairy | milk | lactose | cheese | cream | butter"),
    "gluten": _pattern(r"gluten | wheat | barley | rye"),
    "egg": _pattern(r"eggs?"),
    "fish": _pattern(r"fish"),
    "shellfish": _pattern(r"shellfish | shrimps? | prawns? | crabs? | mussels?"),
}
