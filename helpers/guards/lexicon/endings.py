"""What is over: money that was paid, a case that is to be closed."""

PHRASES = {
    # told of something that is over
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
        angekommen|llegado|llegó|arrivato|arrivati|aangekomen|dotarł*|chegou|получил*|пришл*|收到|reçu
        arrivé|mottagit|届き|받았
    """,
    # told of a payment that somebody made
    "told": """
        i|we|she|he|customer (already|now) have|has ..2 money|refund back
        <payer> ..2 refunded|reimbursed|credited|compensated|reversed|repaid|returned|issued|settled|\
            transferred
        !be <payer> (already|once|even|has|have) paid me|us|her|him|them|back|for|the|it
        <payer> (already|once|even|has|have) gave|sent|given ..6 voucher|discount|refund|money|\
            eur|euro|euros|replacement|credit
        ^ refunded|reimbursed|credited|paid|repaid me|us|her|him|them|it|the|a|an|back
        ^ refunded|reimbursed|credited|paid|repaid ..1 eur|euro|euros|dollars|pounds
        money|refund|amount|payment|voucher|credit|sum|discount ..5 came|arrived
        was|were|been (already) credited|returned|reversed|settled|issued|transferred|cancelled|\
            taken|given|sent
        is on my|her|his|our bank account
        is|are on her|his|our card|account
    """,
    # that nothing is left to be done, or is not to be done twice
    "ending": """
        close|end|archive|delete|cancel|drop|stop|finish|remove|withdraw ..3 case|ticket|file|\
            complaint|claim|reminder|reminders|matter|dispute|request|here|it|this
        consider|regard it|this|case|matter (as) closed|ended|finished|over|done|settled
        case|ticket|complaint|claim|matter ..2 closed|ended|finished|over|done
        mark|set|tick|file|take ..4 done|closed|solved|finished|resolved|off
        not|don't|needn't (need|have) (to) do anything
        no reason|need to write|call|contact|reply|answer
        nothing (more|else|further|is|left) (is|left) to do|pay|refund|give|be|open
        no further|more|other action|step|steps|refund|payment|money is|are
        not|never|don't|needn't (need|have) (to) pay|refund|reimburse|credit|compensate|\
            send|transfer (the|my|any|more) (money|amount|refund) \
            me|us|her|him|it|this|that|anything|again|twice|more ~less|until|before|unless|only|late
        no need|reason to|for pay|refund|reimburse|credit|compensate|paying|refunding|a|another|\
            further
    """,
}
POINTS_BACK = """
    again|same|likewise|too|also|similarly|next|other|others|rest|remaining|more|one|ones|those
    pay|refund|give|send|approve|grant|issue|make|do it|this|that|them|these|both|such
    as well|before
    do|doing so
"""
