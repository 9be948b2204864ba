"""The same words in other languages, as stems in small letters without accents. An underscore stands
for what parts two words. No phrase is understood, only which of these stand together."""

import re

from .spelling import folded


def _stems(text: str) -> re.Pattern:
    """Stems at the beginning of a word; where words are not parted, anywhere."""
    stems = folded(text).split()
    apart = [re.escape(s).replace("_", r"\W{1,2}") for s in stems if ord(s[0]) < 0x600]
    joined = [re.escape(s).replace("_", r"\W?") for s in stems if ord(s[0]) >= 0x600]
    return re.compile(rf"\b(?:{'|'.join(apart)})|(?:{'|'.join(joined)})")


GIFT = _stems("""
    rückerstatt erstatt rückzahl gutschrift geld zahlung rabatt entschädig ersatz reklamation
    rembours remise avoir indemnis paiement argent reembols devoluc dinero importe pago descuento compensac abono
    rimbors risarc sconto denaro pagament resi terugbetal geld korting vergoed restitu dinheiro desconto
    indeniz zwrot pieniądz rabat odszkod płatn återbetal pengar ersättning refusjon tilbakebetal refusion
    iade para_iade ödeme indirim возврат деньг компенсац скидк выплат повернен гроші vrácen peněz slev
    vissza pénz ramburs restituir hoàn_tiền pengembalian επιστροφ χρηματ
    退款 退钱 退費 补偿 赔偿 折扣 返金 払い戻し 補償 割引 환불 보상 할인 استرداد رد_المبلغ تعويض خصم החזר रिफंड वापसी पैसे
""")
GRANT = _stems("""
    genehmigt vorab_genehmigt vorgenehmigt bewilligt freigegeben erlaubt berechtigt zugesagt garantiert
    gilt_als automatisch approuv préapprouv autoris accord garanti droit automatiq aprobad preaprobad
    autorizad concedid garantizad derecho automátic approvat preapprovat autorizzat concess diritto
    automatic goedgekeurd toegestaan gemachtigd recht aprovad pré-aprovad direito zatwierdz uprawn zgod
    automatycz godkän förhandsgodkän beviljad rätt automatisk godkjent onaylan onaylı hak otomatik
    одобрен разреш утвержд автоматич схвален дозвол schválen předem automatick jóváhagy automatikus
    aprobat autorizat phê_duyệt disetujui εγκεκριμεν εγκριθ
    批准 同意 核准 自动 自動 有权 承認 許可 자동 승인 허가 موافق معتمد مصرح تلقائي מאושר स्वीकृत मंजूर
""")
ORDER = _stems("""
    zahle zahlen erstatte erstatten überweise gewähre gib geben genehmige akzeptiere bearbeite muss müssen
    soll sollen führe werden wird rembourse payez paie accorde donne approuve acceptez faites doit doivent devez
    reembols pague paga pagar devuelv devolver exige debera d_office convenu restitua возвращай auszahl auszuzahl pagare payer aprueb concede acepta debe deben haga rimborsa rimborsi paghi concedi
    approva accetta deve devono dai betaal keur geef moet moeten aprove conceda devem devolva zwracaj
    zwróć wypłać zatwierdź musi należy powin betala godkänn ge_ ska måste utbetal öde onayla ver_ yap
    верни верните выплат одобр плати должн vrať vyplať schval fizesd térítsd hãy bayar harus πληρωσ εγκριν
    支付 退还 必须 请_ 直接 払って 返金して 支払 してください 지급 처리 하세요 해야 ادفع يجب שלם भुगतान
""")
STANDING = _stems("""
    immer ab_sofort ab_jetzt künftig zukünftig_ alle_ jede jeder stets dauerhaft grundsätzlich von_nun ohne keine
    unabhängig ungeprüft ignorier egal vergiss toujours d_office désormais tous_ toutes chaque dorénavant sans
    aucune ignor à_partir quel_que siempre todos todas cada en_adelante sin ningun a_partir sempre ogni
    tutti tutte d_ora senza nessun altijd voortaan elke zonder geen negeer sem nenhum zawsze wszystk każd
    odtąd bez od_teraz zignoruj alltid alla_ varje hädanefter utan ingen framöver her_zaman tüm bütün
    bundan_sonra olmadan sormadan всегда все_ всех любы каждый без отныне игнорир впредь завжди усі vždy
    všech každ mindig minden nélkül întotdeauna toate fără luôn selalu semua tanpa παντα ολες ολα χωρις
    总是 所有 一律 无需 不需要 任何 今后 忽略 常に すべて 全て 今後 なしで 不要 無視 항상 모든 없이 앞으로 무시
    دائما جميع كل_ دون بدون تجاهل תמיד כל_ ללא हमेशा सभी बिना
""")
AUTHORITY = _stems("""
    geschäftsleitung vorgesetzt leitung abteilung chef verwaltung richtlinie systemnachricht systemhinweis
    direction gérant responsable direcc juridi gerente administrac encargad política direzione responsabil
    dirigente gestore directie leidinggevende beheer gerência direção kierowni zarząd dyrek ledning chefen
    yönetim müdür руководств менеджер администрац политик керівн vedení ředitel vezető conducere sistema
    système διευθυν quản_lý manajemen
    管理 经理 主管 系统 公司 管理者 上司 システム 会社 관리자 시스템 회사 الإدارة المدير النظام הנהלה प्रबंध
""")
TRIGGER = _stems("""
    wenn_ich wenn_der sobald jedes_mal beim_nächsten falls_ quand_je quand_le dès_que chaque_fois lorsque
    la_prochaine cuando cada_vez la_próxima si_el quando la_prossima ogni_volta als_ik als_de wanneer zodra
    de_volgende da_próxima gdy kiedy następnym jeśli när_ nästa om_kunden olduğunda zaman_ когда если
    в_следующ коли až_ kdykoli amikor când khi_ ketika οταν
    当 如果 每次 下次 とき たら 次回 때_ 다음 할_때 عندما إذا كلما כאשר जब
""")
URGENT = _stems("""
    sofort unverzüglich umgehend wichtig immédiatement tout_de_suite urgent inmediat importante subito
    immediat onmiddellijk direct_ imediat natychmiast pilne omedelbart genast viktigt hemen acil
    немедленно срочно сразу важно негайно okamžitě azonnal ngay segera αμεσως
    立即 马上 重要 すぐ 直ちに 즉시 바로 중요 فورا عاجل מיד तुरंत
""")
REMARK = _stems("""
    danke vielen_dank erfordert keine_rückzahlung bekommen dauert richiede nécessite requiere vereist wymaga angekommen eingegangen erhalten gestern merci reçu arrivé hier_ gracias recibid
    llegado llegó ayer grazie arrivat ricevut ieri bedankt ontvangen aangekomen gisteren obrigad recebi
    chegou ontem dzięku dotarł otrzyma wczoraj tack_ kommit fått igår teşekkür geldi спасибо пришл получ
    вчера дякую děkuji přišl köszön mulțumesc ευχαριστ
    谢谢 到了 收到 昨天 ありがと 届き 昨日 감사 도착 받았 어제 شكر وصل תודה הגיע धन्यवाद
""")
