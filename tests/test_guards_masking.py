"""helpers/guards/masking.py: no secret is written, and no harmless number is lost."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum import iban, luhn

from helpers.guards import Masked, mask, may_store
from helpers.guards.folding import fold

QUIET = {"deadline": None, "database": None}
DIGITS = st.text("0123456789", min_size=19, max_size=19)

# ---------------------------------------------------------------- secrets of every kind

CARDS = {  # how numbers begin, how long they are, how they are grouped
    "Visa": ("4", 16, (4, 4, 4, 4)),
    "Mastercard": ("55", 16, (4, 4, 4, 4)),
    "Mastercard, new": ("2301", 16, (4, 4, 4, 4)),
    "Amex": ("37", 15, (4, 6, 5)),
    "Discover": ("6011", 16, (4, 4, 4, 4)),
    "Diners": ("36", 14, (4, 6, 4)),
    "JCB": ("3566", 16, (4, 4, 4, 4)),
    "UnionPay": ("621", 19, (4, 4, 4, 4, 3)),
}
GAPS = ["", " ", "-", ".", "  ", "\u00a0", "\u202f", "\u2011", "\u2009", "\u200b", "_", " - "]


def card(brand: str, digits: str) -> str:
    start, length, _ = CARDS[brand]
    body = (start + digits)[: length - 1]
    return body + luhn.calc_check_digit(body)


def grouped(number: str, sizes, gap: str) -> str:
    parts, at = [], 0
    for size in sizes:
        parts.append(number[at : at + size])
        at += size
    return gap.join(filter(None, parts))


def account(country: str, digits: str) -> str:
    bank = {
        "DE": digits[:18],
        "GB": "NWBK" + digits[:14],
        "AT": digits[:16],
        "IE": "AIBK" + digits[:14],
    }
    body = bank[country]
    return country + iban.calc_check_digits(country + "00" + body) + body


def hundred() -> list[tuple[str, str, str]]:
    """(text, secret, kind): made by a fixed seed, of every kind, in sentences of many sorts."""
    r = random.Random(2026)
    made = []

    def some(alphabet: str, length: int) -> str:
        return "".join(r.choice(alphabet) for _ in range(length))

    def wide(text: str) -> str:
        return "".join(chr(ord(c) + 0xFEE0) if c.isdigit() else c for c in text)

    letters, digits = "abcdefghjkmnpqrstuvwxyz", "0123456789"
    mixed = letters + letters.upper() + digits
    sentences = [
        "Please charge {} next time.",
        "card no. {}, valid until 12/29",
        "{}",
        "It is {} !",
        "my number:{}\nthanks",
        "Use {} or the other one",
        "({})",
    ]
    for n in range(30):
        brand = list(CARDS)[n % len(CARDS)]
        number = grouped(card(brand, some(digits, 19)), CARDS[brand][2], GAPS[n % len(GAPS)])
        number = wide(number) if n % 5 == 4 else number
        made.append((sentences[n % len(sentences)].format(number), number, "card number"))
    for n in range(12):
        number = account(["DE", "GB", "AT", "IE"][n % 4], some(digits, 20))
        number = grouped(number, [4] * 8, ["", " ", "-", "\u00a0"][n % 4])
        number = number.lower() if n % 5 == 0 else number
        text = ["Send it to {} please", "IBAN: {}", "{} is my account", "konto {}."][n % 4]
        made.append((text.format(number), number, "account number"))
    passwords = [
        "sunshine",
        "Tulip99!",
        "hunter2",
        "qwertz",
        "Blue-Monday7",
        "pa$$word",
        "12345678",
    ]
    sayings = [
        "my password is {}",
        "Password: {}",
        "the passwort lautet {}",
        "Passwort={}",
        "pwd {!r}",
        "I log in with {} as my password",
        "{} is my password",
        "mot de passe : {}",
        "p\u200bassword is {}",
        "contraseña: {}",
        "My p\u0430ssw\u043erd is now {}, remember it",
        "the password for the shop is {}",
    ]
    for n in range(24):
        word = passwords[n % len(passwords)]
        said = sayings[n % len(sayings)].replace("pwd {!r}", "pwd: '{}'")
        made.append((said.format(word), word, "password"))
    sayings = [
        "the code is {}",
        "Your verification code: {}",
        "OTP {}",
        "{} is your login code",
        "my PIN is {}",
        "the sms code was {}, it expires soon",
        "code from the text message: {}",
        "TAN {}",
        "the security code on the back is {}",
        "I got the one-time code {} today",
    ]
    for n in range(20):
        code = some(
            digits, 4 if "PIN" in sayings[n % 10] else 3 if "back" in sayings[n % 10] else 6
        )
        code = f"{code[:3]} {code[3:]}" if n % 7 == 3 and len(code) == 6 else code
        code = wide(code) if n % 6 == 5 else code
        made.append((sayings[n % len(sayings)].format(code), code, ""))
    keys = [
        lambda: "sk-ant-api03-" + some(mixed, 30),
        lambda: "ghp_" + some(mixed, 36),
        lambda: "AKIA" + some("ABCDEFGHJKLMNP234567", 16),
        lambda: "xoxb-" + some(digits, 12) + "-" + some(mixed, 20),
        lambda: "eyJ" + some(mixed, 20) + ".eyJ" + some(mixed, 30) + "." + some(mixed, 30),
        lambda: some(mixed, 20) + "aB3" + some(mixed, 17),
        lambda: "AIza" + some(mixed, 35),
    ]
    sayings = [
        "my key {}",
        "api key: {}",
        "Authorization: Bearer {}",
        "token={}",
        "here you are: {} .",
    ]
    for n in range(14):
        key = keys[n % len(keys)]()
        made.append((sayings[n % len(sayings)].format(key), key, ""))
    return made


HUNDRED = hundred()


def test_a_hundred_secrets_leave_no_trace():
    assert len(HUNDRED) == 100 and len({text for text, _, _ in HUNDRED}) == 100
    for text, secret, kind in HUNDRED:
        masked = mask(text)
        assert masked.found, text
        assert secret not in masked.text and fold(secret).text not in fold(masked.text).text, text
        assert not kind or kind in masked.found, (text, masked.found)
        for word in masked.found:
            assert f"[{word}]" in masked.text


def test_no_secret_is_stored():
    """The figure of the issue: stored secrets over a set of 100 are 0."""
    for source in ("customer", "agent", "tool"):
        verdicts = [may_store(text, source=source) for text, _, _ in HUNDRED]
        assert {verdict.kind for verdict in verdicts} == {"secret"}
        for verdict, (_, secret, _) in zip(verdicts, HUNDRED, strict=True):
            assert not verdict and secret not in verdict.reason


@settings(max_examples=150, **QUIET)
@given(
    st.sampled_from(list(CARDS)), DIGITS, st.sampled_from(GAPS), st.sampled_from(["", "by ", "x: "])
)
def test_any_card_number(brand, digits, gap, before):
    number = card(brand, digits)
    if len(set(number)) == 1:
        return
    written = grouped(number, CARDS[brand][2], gap)
    masked = mask(f"{before}{written} thank you")
    assert masked == Masked(f"{before}[card number] thank you", ("card number",))


ANNOUNCED = [
    f"{whose} {word}{joint}"
    for word in (
        "card number", "credit card no.", "code", "PIN", "one-time code", "security code", "CVV",
        "verification code", "SMS code", "bank code", "access number", "password", "card code",
        "TAN", "Kartennummer", "código de seguridad", "numéro de carte",
    )
    for whose in ("her", "The", "my new")
    for joint in (" is ", ": ", " ", " was: ", " is '")
]  # fmt: skip


@settings(max_examples=300, **QUIET)
@given(
    st.sampled_from(list(CARDS)),
    DIGITS,
    st.sampled_from(GAPS),
    st.sampled_from(ANNOUNCED),
    st.sampled_from([".", ", thank you", "", " and the CVV is 123", "!"]),
)
def test_a_card_number_is_one_after_any_word_that_announces_a_secret(brand, digits, gap, said, end):
    number = card(brand, digits)
    if len(set(number)) == 1:
        return
    quote = "'" * said.endswith("'")
    masked = mask(f"{said}{grouped(number, CARDS[brand][2], gap)}{quote}{end}")
    after = end.replace("123", "[security code]")
    assert masked.text == f"{said}[card number]{quote}{after}"
    assert masked.found == ("card number", "security code")[: 1 + ("CVV" in end)]


@settings(max_examples=60, **QUIET)
@given(
    st.text("0123456789", min_size=16, max_size=16),
    st.sampled_from(GAPS),
    st.sampled_from(["card number is ", "card no. ", "numero della carta: ", "code is ", "PIN: "]),
)
def test_nothing_is_left_of_a_long_number_that_is_called_a_secret(digits, gap, said):
    """A digit of it may be typed wrong: the checksum does not matter then."""
    if fold(gap).text or "car" in said:  # an unbroken one after "code" may be a parcel's
        masked = mask(f"my {said}{grouped(digits, [4] * 4, gap)}")
        assert not any(c.isdigit() for c in masked.text), masked


@settings(max_examples=60, **QUIET)
@given(st.sampled_from(["DE", "GB", "AT", "IE"]), DIGITS, st.sampled_from(["", " ", "-", "\u00a0"]))
def test_any_account_number(country, digits, gap):
    written = grouped(account(country, digits), [4] * 8, gap)
    masked = mask(f"Please use {written} for the money")
    assert masked == Masked("Please use [account number] for the money", ("account number",))


@pytest.mark.parametrize(
    "text, masked",
    [
        ("card 4242 4242 4242 4242, code 123 456", "card [card number], code [one-time code]"),
        ("a 4242424242424242 b 5555555555554444 c", "a [card number] b [card number] c"),
        ("password is 'two words' ok", "password is '[password]' ok"),
        ("mongodb://maya:s3cret@db.example.org/x", "mongodb://[password]@db.example.org/x"),
        (
            "four two four two four two four two four two four two four two four two",
            "[card number]",
        ),
        ("my passphrase is correct horse battery staple", "my passphrase is [password]"),
        ("４２４２４２４２４２４２４２４２", "[card number]"),
        ("4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2", "[card number]"),
        ("my maestro card 6759 6498 2643 8453", "my maestro card [card number]"),
        ("meine Kartennummer: 6759 6498 2643 8453", "meine Kartennummer: [card number]"),
        ("cvv 123 4242 4242 4242 4242", "cvv [security code] [card number]"),
        ("code 4242 4242 4242 4242 4711", "code [card number] [one-time code]"),
        (
            "The code for card 4242 4242 4242 4242 is 483920",
            "The code for card [card number] is [one-time code]",
        ),
        ("my code: DE89 3704 0044 0532 0130 00", "my code: [account number]"),
    ],  # fmt: skip
)
def test_what_stands_there_instead(text, masked):
    assert mask(text).text == masked


def test_masking_twice_changes_nothing():
    for text, _, _ in HUNDRED:
        once = mask(text).text
        assert mask(once).text == once


# ---------------------------------------------------------------- harmless numbers

number = st.integers(0, 9999).map(lambda n: f"{n:04}")
figures = st.text("0123456789", min_size=20, max_size=20)
ORDERS = st.one_of(
    number.map("CW-{}".format), number.map("order {}".format), number.map("#{}".format)
)
TRACKING = st.one_of(
    figures.map(lambda d: f"JJD0146{d[:14]}"),
    figures.map(lambda d: f"1Z{d[:3]}AA{d[3:13]}"),
    figures.map(lambda d: f"00340{d[:15]}"),
    figures.map(lambda d: f"{d[:12]}"),
    number.map("parcel WF-{}".format),
    figures.map(lambda d: f"RR{d[:9]}DE"),
)
PHONES = st.one_of(
    figures.map(lambda d: f"+49 30 {d[:7]}"),
    figures.map(lambda d: f"0{d[:3]} {d[3:10]}"),
    figures.map(lambda d: f"+44 20 {d[:4]} {d[4:8]}"),
    figures.map(lambda d: f"({d[:3]}) {d[3:6]}-{d[6:10]}"),
)
AMOUNTS = st.decimals(0, 99999, places=2).flatmap(
    lambda a: st.sampled_from([f"{a} EUR", f"€{a}", f"{a:,} euros", f"EUR {a}"])
)
DAYS = st.one_of(
    st.dates().map(str),
    st.dates().map(lambda d: d.strftime("%d.%m.%Y")),
    st.dates().map(lambda d: d.strftime("%d %B %Y")),
    st.datetimes().map(lambda d: d.isoformat(timespec="seconds")),
)
SAYINGS = [
    "My order is {}.",
    "{} and {} are missing",
    "see {}, {} and {}",
    "I paid by card, {}",
    "The refund of {} came on {}",
    "call me: {}",
    "tracking {} says {}",
    "{}",
]


@settings(max_examples=150, **QUIET)
@given(
    st.sampled_from(SAYINGS),
    st.lists(st.one_of(ORDERS, TRACKING, PHONES, AMOUNTS, DAYS), min_size=3, max_size=3),
)
def test_harmless_numbers_stay(said, numbers):
    text = said.format(*numbers)
    assert mask(text) == Masked(text)


@pytest.mark.parametrize(
    "text",
    [
        "my password is wrong",
        "I forgot my password, the password was not accepted",
        "the door code is 4711 and the post code 10115",
        "the discount code SPRING24 did not work",
        "the code I got on 14 October 2026 came too late",
        "the verification code has 6 digits",
        "the PIN was blocked",
        "pin the note to the door at number 12",
        "the code of conduct of 2024",
        "basket c50a56dd344df54f09248282",
        "toolu_01A09q90qw90lq917835lq9 and msg_01XFDUDYJgAACzvnptvVoYEL",
        "a token of thanks, and the secret is out",
        "EAN 4006381333931",
        "4242 4242 4242 4241",  # the checksum is wrong
        "0000 0000 0000 0000",
        "orders 4471, 4417, 4512 and 4689",
        "The parcel number on the card was 4471, the one in the mail was 4417.",
        "The card number on the notice is 4471.",
        "I paid by card, 123456789015",
        "https://example.org/track/ABCdef123456ABCdef123456ABCdef12345",
        "",
        "\x00 \ud83d half",
    ],
)
def test_texts_that_stay_as_they_are(text):
    assert mask(text) == Masked(text)


@settings(max_examples=100, **QUIET)
@given(st.text(max_size=80))
def test_any_text(text):
    masked = mask(text)
    assert masked == mask(text)
    assert bool(masked.found) == (masked.text != text)


@pytest.mark.parametrize("odd", [None, 3, b"x", ["x"], {"text": "x"}])
def test_a_text_is_a_string(odd):
    with pytest.raises(TypeError, match="a text is a string"):
        mask(odd)


@pytest.mark.parametrize(
    "part",
    ["1 ", "4242 ", "password is ", "the code is ", "DE12 ", "x", "://a:", "eyJaaaaaaaaa.", '"a '],
)
def test_long_texts_take_no_time(part):
    text = part * (8_000 // len(part))
    start = time.process_time()
    mask(text)
    assert time.process_time() - start < 2
