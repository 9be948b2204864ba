"""Words that name a secret, in several languages, and words that are said of one (patterns)."""

import re

PASSWORD = (
    r"[ ._*-]?".join(["p", "[a4@]", "[s5$]", "[s5$]", "w", "[o0]", "r", "d?s?"])
    + r"|pass ?-?phrases?|(?:recovery|seed|backup|wallet) phrases?|pass ?-?codes?|passwort|passwd|pwd|kennwort|losung(?:swort)?"
    r"|mots? de passe|contraseñas?|contrasenas?|wachtwoord(?:en)?|hasł[oa]|senha"
    r"|parola(?: d'ordine)?|lösenord|adgangskode|salasana|şifrem?|пароль|密码|密碼|パスワード|비밀번호"
)
PIN = r"pin(?:[ -]?(?:code|number|nummer|codes?))?|geheimzahl|code pin"
KEY = (
    r"(?:api|access|secret|private|account|license|encryption|signing|master)[ _-]?keys?"
    r"|api[ _-]?schlüssel|clés? api"
)
TOKEN = (
    r"(?:(?:access|auth|bearer|refresh|session|security|api|login|personal)[ _-]?"
    r"(?:access[ _-]?)?)?tokens?|bearer|client[ _-]?secret|secret"
)
ONCE = (
    r"(?:one[ -]?time|verification|verify|confirmation|login|log-?in|sign-?in|access|sms"
    r"|text|auth(?:entication|enticator)?|2fa|mfa|two[ -]?factor|recovery|backup|reset|unlock"
    r"|activation|bank(?:ing)?)[ -]?(?:(?:pass)?codes?|pass ?words?|numbers?)|card[ -]?codes?"
    r"|otp|m?tan|einmal(?:code|passwort|kennwort)|bestätigungscode"
    r"|verifizierungscode|codes? de (?:vérification|sécurité|confirmation)"
    r"|códigos? de (?:verificación|seguridad)|codice di (?:verifica|sicurezza)|verificatiecode"
    r"|kod weryfikacyjny|код подтверждения|验证码"
)
CARD_CODE = (
    r"cvv2?|cvc2?|csc|(?:card )?security (?:code|number)s?|prüfziffer|sicherheitscode"
    r"|kartenprüfnummer"
)
# "code" alone, unless it is one of those that everybody may know
CODE = (
    r"(?<!door )(?<!gate )(?<!post )(?<!postal )(?<!zip )(?<!area )(?<!discount )(?<!voucher )"
    r"(?<!promo )(?<!coupon )(?<!error )(?<!product )(?<!article )(?<!item )(?<!colour )"
    r"(?<!color )(?<!status )(?<!order )(?<!parcel )(?<!tracking )(?<!qr )(?<!bar )(?<!country )"
    r"(?<!customer )(?<!building )(?<!entrance )(?<!dialling )(?<!reason )(?<!rule )(?<!house )"
    r"codes?"
)
# what is said about a password, instead of it
ABOUT = re.compile(
    r"""(?:not|wrong|incorrect|invalid|expired|too|no|still|the|a|an|my|your|his|her|their|our
    |never|always|unknown|lost|gone|blocked|locked|reset|correct|right|safe|secure|strong|weak|old
    |new|known|only|being|been|required|missing|working|accepted|rejected|refused|declined|changed
    |ok|okay|fine|long|short|saved|stored|in|on|at|under|for|by|from|with|hard|easy|difficult
    |forgotten|good|bad|needed|necessary|sent|mine|private|secret|what|that|this|it|very|really
    |quite|same|different|like|somewhere|written|falsch|nicht|richtig|abgelaufen|vergessen
    |gesperrt|neu|incorrecto?|mauvais|oublié|expiré|please|be|have|get|log|open|use|enter|access
    |i|you|he|she|we|they|when|if|because|until|again|here|there|set|asked|none|nothing|out|up
    |of|and|or|but|about|error|masked|hidden|\[.*)$""",
    re.VERBOSE | re.IGNORECASE,
)
