"""What stands around a question: "can you tell me", "do you remember", "again, please"."""

import re

from .clauses import strip_lead
from .person import expand
from .words import one_of

_BEFORE = re.compile(
    r"^(?:(?:please|and|so|ok|now|then|but|also|oh|hey|um+|hmm|right|anyway|for my notes|quick question|one question|just checking)[,:]?\s+)*"
    + one_of(r"""
        (?:name|list|give me|tell me)(?: me)? (?:one|two|three|four|five|all|some|any|\d)(?: of)?(?= my| the)
        (?:can|could|would|will) you(?: please| kindly| just)*(?= summari[sz]e| recap| list| sum up)
        (?:can|could|would|will) you (?:please |kindly |still |just )?(?:tell|remind|give|show|say|repeat|recall|remember|let me know)
        (?:do|did|are) you (?:still |even |happen to |by any chance |able to )*(?:remember|know|recall|tell)
        (?:please )?(?:tell|remind|give|show|repeat|recall|say|let me know)
        i (?:would |do |just )?(?:want|like|need|have)(?: you)? to (?:know|ask|hear|remember)
        i (?:have )?(?:forgot|forget|forgotten) | i (?:do not|cannot|can not|no longer) (?:remember|recall|know)
        any idea | i wonder | i am wondering | do i remember correctly
        (?:from|based on|according to) (?:what i (?:have )?(?:told|said)(?: to)?(?: you)?|our conversation|this conversation|memory)
        (?:did|have) i (?:ever |already )?(?:tell|told|mention|mentioned|say|said)(?: to)?(?: you)?
        (?:please )?(?:answer|reply|respond|in (?:one|a single|at most|upper|lower|capital|\d+))\b[^:?]{0,80}(?=[:,])
        (?:complete|finish) (?:the|this|my) sentence | fill in | test | question | let us see | let us test your memory
    """)
    + r"(?:\s+(?:me|us|to me|again|please|once more|about|of|that)\b)*[\s,:]+",
    re.I,
)
_RULE_AFTER = one_of(r"""
    (?:answer|reply|respond|say it)(?: me)?\b.* | in (?:one|a single|two|three|at most|\d+)\b.*(?:words?|sentences?)
    in (?:upper|lower|all caps|capital)\b.* | briefly | in short | and (?:nothing|no one) (?:else|more)
    only the \w+ | just the \w+ | nothing else
""")
_WORDS_AFTER = one_of(r"""
    again | please | one last time | one more time | if you (?:still )?(?:know|remember) | thanks? | thank you | lol | tho | mate | by the way | btw | now | still | exactly | then | once more | right now | at the moment
    do you (?:know|remember) | in this conversation | so far | what (?:was|is|were|are) (?:it|they|that)(?: again)?
    would you | can you | as i (?:said|told you) | earlier | before
    (?:that )?i (?:told|gave|mentioned|said)(?: to)?(?: you)?(?: (?:earlier|before|about))?
    (?:did|have) i (?:say|said|mention|mentioned|tell you|told you)
""")
_AFTER = re.compile(
    rf"(?:[,;.]? (?:please )?{_RULE_AFTER}"
    r"|,? (?:given|based on|considering|going by) (?:what|everything|all|our|my|the)\b.*"
    r"|(?:that )?(?:did |have )?i (?:ask|asked) you to (?:remember|keep|note|save)"
    rf"|[,\s]*\b{_WORDS_AFTER}\b[\s,]*|[\s?!.,\"']+)$",
    re.I,
)
_TOPIC = re.compile(
    r"^(?:anything|what|which things|everything|all)?\s*(?:(?:did|have|had|do) )?(?:i|we|you)"
    r"(?: have| had)?(?: ever| already| just)? "
    r"(?:say|said|tell you|told you|tell|told|mention|mentioned|know|remember|talk|talked|have)(?: to you)?"
    r"(?: (?:about|regarding|on|concerning|of))\s+(.+)$"
    r"|^what should (?:you|i|we) (?:remember|know|keep in mind|bear in mind|consider) (?:about|for|when) (.+)$"
    r"|^what (?:happened|is wrong|is the matter|is the problem) (?:to|with) (.+)$"
    r"|^(?:what (?:about|do you know about|can you tell me about|do you have on)|how about|about)\s+(.+)$",
    re.I,
)
_I_TOLD = one_of(r"""
    you know | do you know | you remember | do you remember | i (?:have )?(?:told|said|mentioned|shared)
    (?:did|have) i (?:tell|told|say|said|mention|mentioned|share|shared)
""")
_EVERYTHING = re.compile(
    r"^what (?:did|have) i (?:just )?(?:say|said|tell you|told you|mention|mentioned)$"
    r"|^what should (?:you|i) (?:remember|keep in mind|know|bear in mind)(?: about me)?$"
    rf"|^(?:everything|what|all|all the things|the things|which things)\b.{{0,40}}\b{_I_TOLD}"
    r"(?: to)?(?: you)?(?: about (?:me|myself))?(?: so far)?$"
    r"|^(?:summari[sz]e|recap|repeat|list|sum up)\b.{0,30}"
    r"\b(?:i (?:have )?(?:told|said|mentioned|shared)|you know|about me|facts|conversation)\b.*$"
    r"|^(?:(?:what )?(?:do you )?know )?about (?:me|myself)$",
    re.I,
)


def bare_question(sentence: str) -> tuple[str, bool, bool]:
    """The question itself, whether it was asked indirectly, and whether it asks for everything."""
    text = strip_lead(expand(sentence[:300]))
    indirect = False
    while match := _BEFORE.match(text):
        indirect = True
        text = text[match.end() :]
    if _EVERYTHING.match(text.rstrip("?!. ")):
        return text, indirect, True
    while (shorter := _AFTER.sub("", text)) != text:
        text = shorter
    about = topic_named(text)
    return text, indirect, bool(_EVERYTHING.match(text)) or about.lower() in ("me", "myself")


def topic_named(text: str) -> str:
    """What the user wants to hear everything about: "what did I say about the parking"; "" if none."""
    match = _TOPIC.match(text)
    return next(filter(None, match.groups())) if match else ""
