"""How questions, wishes, courtesies and statements begin."""

PHRASES = {
    "question": """
        where|why|how|who|what is|are|was|were|do|does|did|can|could|will|would|should|has|have|\
            much|many|long
        when is|are|was|were|do|does|did|can|could|will|would|should
        can|could|would|will|do|does|did|is|are|has|may|shall you|i|we|it|there|the|my|your|\
            this|that|they|he|she
        have you|i|we|they|there
        wo|warum|wieso|wann|wie ist|sind|bleibt|kann|wird|viel|lange
    """,
    # a polite way to state something
    "wish": """
        can|could|would|will you (please|kindly|also|just|maybe|possibly) remember|note|save|store|\
            know|record|keep
        can|could|would|will you (please|kindly|also|just) write|jot|put|take (it|this) down
        can|could|would|will you (please|kindly|also|just) make|take|leave|keep|add|put ..2 note|\
            notes|record|mind|remark|reminder|entry
        can|could|would|will you (please|kindly|also|just) put|add|write|enter ..6 in|on|to|into \
            my|the|her|his|our file|account|record|records|notes|profile
        would you mind (just) noting|remembering|keeping|recording|saving|storing
        would you (please) be so kind ..3 note|remember|record|keep|save|store
        would|is it be possible|ok|okay to note|remember|record|keep|save|store
        could|can|may i|we (please|just) ask|have|get|leave ..4 note|noted|remember|recorded|\
            remembered
    """,
    # what states nothing although it asks nothing
    "courtesy": """
        hello|hi|hey|dear|greetings|thanks|thank|cheers|sorry|regards|hallo|danke|bonjour|merci|\
            hola|gracias|ciao|grazie
        good morning|afternoon|evening|day
        excuse|pardon me
        kind|best|warm (regards) wishes|regards
        many thanks
        yours sincerely|truly|faithfully
        guten tag|morgen|abend
    """,
    "plea": """
        please|kindly|just (do|just) help|tell|let|check|look|answer|reply|explain|advise|hurry|\
            respond|clarify|find
        help|tell|answer me|us
        let me|us know
        get|come back to me|us
        i|i'd|we|we'd (would|just|only|really|also) (like|want|need|love) (to) wonder|know|ask|hear
        i'm|i|we|we're (am|are) (just|only|still) wondering|asking
        i|we (have|just|only|still) (have|had|got) (one|a|another|some|two) (quick|short|small) \
            question|questions
        (one|a|another|just) (quick|short|small|more|last) question|questions
    """,
    # a part of a sentence in which somebody or something does or is something
    "statement": """
        (because|and|but|since|as|so) i|i'm|i've|i'd|i'll|we|we're|we've|he|he's|she|she's|it|it's|\
            they|they're ~ask|wonder ..1
        (because|and|but|since|as|so) there is|are|was|were|isn't|aren't|wasn't|weren't|has|have
        (because|and|but|since|as|so) there's
        (because|and|but|since|as|so) my|the|our|this|his|her|their|a|an|your|nobody|somebody|\
            someone|everybody|nothing ..5 is|are|was|were|isn't|aren't|wasn't|has|have|had|hasn't|\
            does|did|didn't|doesn't|do|don't|can't|cannot|will|won't|says|said|shows|went|came|\
            got|arrived|works|live|lives|left|moved|broke|rings|needs|wants
        because|since
        my|the name|address is
    """,
}
