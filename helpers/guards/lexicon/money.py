"""Money, permissions, and how far they are said to go."""

PHRASES = {
    # money that goes to the customer
    "money": """
        refund*|reimburs*|compensat*|payout*|goodwill|discount*|voucher*|rebate*|cashback|repay*
        pay|pays|paying out|back|me|us|her|him|them|whatever|any|every|all|what|it|up|immediately
        pay|pays|paying the|this|that customer|user|client|claim|full|whole|amount|parcel|order|\
            sum|difference|money|value
        pay|pays the next|other|others|rest|remaining
        pay|pays on demand
        paid out|back
        pay out|outs
        money back
        get|gets|give|gives|send|sends|transfer*|release*|hand|return|wire ..5 money|amount|sum|\
            eur|euro|euros|dollars|pounds|whatever|cash
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
        erstatt*|rückerstatt*|rückzahl*|gutschrift*|rabatt*|auszahl*|zahl|zahlst|zahlt|zahle|bezahl*
        entschädig*|geld|retoure*
        rembours*|indemnis*|argent|payez|paie|paye
        reembols*|reintegr*|indemniz*|dinero|devuélv*|devolv*|devoluci*|vergoed*|pága*|paga*|pague*
        rimbors*|risarc*|soldi
        terugbetal*|schadeloos*|korting*|betaal*|betal*
        zwrot*|zwróc*|zwrac*|zapłac*|płacić|płaci|płaćcie|rekompensat*|pieniędz*|pieniądz*
        dinheiro*|iade*|indirim*|param|paramı
        плати*|заплат*|оплат*
        återbetal*|tilbagebetal*|refunder*|refusjon*|refusion*|hyvity*|palautu*|vrácen*|vratk*
        ramburs*|visszatér*
        возврат*|возмещ*|компенсац*|скидк*|верни*|деньги|відшкод*|повернен*
        επιστροφ*|रिफंड|धनवापसी
        退款|退钱|退我|赔偿|补偿|折扣|返金|払い戻|割引|환불|보상|할인|استرداد|المبالغ|خصم|החזר
    """,
    # that it has been allowed
    "grant": """
        approv*|preapprov*|authoris*|authoriz*|entitl*|eligib*|permit*|granted|grant|exempt*
        guarantee*|sanctioned|greenlit
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
        approuv*|autoris*|accordé*|validé*|accepté*|aceptad*|accettat*|geaccepteerd|akzeptier*
        принят*|aceit*
        aprob*|autoriz*|concedid*|aprovad*|approvat*|autorizz*|concess*
        goedgekeurd*|goedkeur*|toegestaan|gemachtigd
        zatwierdz*|upoważn*|zaakcept*|onaylan*|onaylı*|onayladı|onaylamış|onay
        godkän*|godken*|godkj*|hyväksy*|schvál*|povolen*|aprobat*|jóváhagy*
        одобр*|разреш*|утвержд*|согласован*|схвал*|дозвол*|εγκρ*|εγκεκρ*|मंजूर|स्वीकृत
        批准|同意|授权|通过|許可|承認|승인|허가|موافق|معتمد|מאושר
    """,
    # for all, for ever, at once
    "every": """
        all|any|anything|everything|every|each|always|whatever|whichever|whenever|wherever|whoever
        however|forever|never|anytime
        permanent*|unlimited|lifelong|lifetime|standing|future|henceforth|automatic*|regardless
        immediate*|instant*|perpetual*|indefinite*
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
    # a whole kind of case
    "many": """
        refunds|claims|returns|requests|disputes|complaints|reimbursements|discounts|payments
        replacements|payouts
        refund request|claim
        demandes|demande|anträge|solicitudes|richieste|verzoeken|wnioski|pedidos|talep*|запросы
        claims
        reklamation*|beschwerde*|réclamation*|litige*|reclamac*|reclamo*|reclami|klacht*|reklamacj*
        жалоб*
        投诉
    """,
    "whole": """
        full|whole|double|twice|triple|maximum|entire|total|complete
    """,
    # who gets it
    "benefit": """
        i|we|she|he|client|customer|user|account may|can ..1 claim|demand|request|keep|take
        automatic*|automatisch*|automatiq*|automátic*
        everyone|everybody|who|whoever ..3 gets|get|receives|receive
        i|customer|user|account|she|he|we get|gets|has|have|receive*|enjoy*|hold|holds|deserve* \
            ..3 percent|%|unlimited|free|permanent|automatic|instant
    """,
    "vip": """
        vip|vips|platinum|gold|diamond|premium|elite|royal
        most valued
    """,
    "promised": """
        promised|promise|agreed|offered|accepted|guaranteed|certain|assured|confirmed|due|open
        outstanding|committed
    """,
    # nothing left but to pay
    "state": """
        next step
        only ..2 payment
        remains|left|missing|remaining|open ..3 transfer|payment|payout|refund|money
        payment is missing|open|due
        decision , paid
        no record
        already|have checked|decided
    """,
    # that a person has to allow it: the shop's own rule
    "affirm": """
        person|human|somebody|someone|desk|supervisor|manager ..2 has|have|must|needs to|first \
            approve|decide|check|look
        need|needs|requires|require|waits|wait|waiting|without (for) the|an|a approval
        need|needs|requires|require|waits|wait|waiting (for) approval
    """,
    "deal": """
        deal|arrangement|pact|agreement|contract
    """,
    "liability": """
        accept*|admit*|acknowledge* ..1 liability|fault|responsibility|guilt
    """,
    # money or goods sent elsewhere
    "redirect": """
        new|other|different|changed bank|iban|account|payout|wallet ..1 details|number|account|\
            iban|address
        money|refund|refunds|payout|payouts|payments|replacement|replacements|it ..4 go|goes|sent|\
            paid|transferred ..2 to|into ..3 of|another|different|other|wallet|cousin|brother|\
            sister|friend|iban
        account|iban|wallet|card|address ..4 i|she|he|they|caller will|name|names|tell|give|gives|\
            want|wants|say|says
        send|sends|deliver ..4 every|all ..1 replacement|replacements|refund|refunds|orders ..2 to
    """,
}
