"""What the name of a field says: the kind of value it wants, and the words near which that stands."""

import re

from ..material.words import root
from ..reading.words import STOP
from .schemas import Field

# The last telling word of a name decides; one line a kind.
_KINDS = """
    email: email mail
    phone: phone telephone mobile cell fax
    url: url link website homepage site
    date: date day deadline birthday due expiry expires when since until birth
    time: time hour
    code: id number no code reference ref sku isbn plate serial iban barcode pin uuid vin key
    postcode: postcode zip postal
    person: author teacher doctor host manager owner sender recipient passenger speaker instructor director artist
        chef driver person writer composer singer tenant landlord coach captain winner buyer seller assignee reporter
        reviewer patient student client applicant candidate presenter organiser organizer lecturer physician vet
        surname firstname lastname donor caller member
    place: city town country location place venue destination origin region district neighbourhood village area
        airport station island state county departure arrival birthplace stadium arena
    street: address street
    org: company employer vendor supplier shop store restaurant hotel airline publisher brand organisation
        organization carrier bank team club school university manufacturer merchant agency label hospital museum
        cafe bar market network provider insurer retailer opponent make
    title: title film book movie song course product headline subject album series game paper heading
    colour: colour color
    language: language
    currency: currency
    job: occupation job profession role position
    money: price cost total amount fee rent salary budget deposit sum charge payment refund fare revenue income
        balance tax tip discount wage subtotal
    duration: duration length period
    prose: summary description text content note notes comment message reason detail details abstract overview
        feedback cause explanation body excerpt quote rationale why statement resolution conclusion instruction
        instructions advice answer cause
    age: age
    year: year
    name: name
"""
KINDS: dict[str, str] = {}
_line = ""
for _row in _KINDS.strip().splitlines():
    _head, _colon, _rest = _row.strip().partition(": ")
    _line = _head if _colon else _line
    for _word in (_rest if _colon else _head).split():
        KINDS.setdefault(_word, _line)

# Words near which the value of a field stands as well; the first of a line is the field's own.
_NEAR = """
    guest people person persons seat table party group us diner adult
    size people person guest table party group
    serving serve portion people yield
    author by write wrote written book
    teacher teach taught by with
    director direct directed by
    doctor dr see
    price cost pay euro for at sell
    amount refund pay cost euro total charge
    total pay sum amount altogether cost bill come
    rent cost pay
    fee cost pay charge
    salary pay earn year wage offer
    budget spend afford
    rating star stars rate score give gave point points out
    score rating star point points give gave
    star rating rate
    duration last take long minute hour
    minute take last duration ready cook bake
    hour take last duration long
    city live base in town from to near
    town live city
    country live from in
    place in at
    location in at locate based near
    venue at in take held
    stadium at play
    arena at play
    incident accident happen occur
    event happen take held
    moving move moved
    applicant apply applies applied
    borrower borrow borrowed
    seller sell sold
    buyer buy bought
    sender send sent
    tenant rent rented
    owner own belong
    volume m3 cubic
    callback call ring
    purchase buy bought
    visit come came
    origin from depart leave start
    departure depart leave from
    destination to arrive going trip fly
    arrival arrive land reach
    company at for join hire employ employer with
    employer at for employ
    vendor from by sell buy invoice
    supplier from by supply
    shop at from
    restaurant at eat table dinner lunch
    hotel at stay
    airline fly with
    manufacturer by make from
    start begin from open
    end until till finish to close
    due pay by until deadline before
    deadline by until due before
    expiry expire valid until
    birth born birthday
    birthday born birth
    purchase buy bought
    bought buy purchase
    order place placed
    occupation work as job
    profession work as job
    language speak
    room bedroom rooms
    temperature degree degrees celsius warm cold
    wind blow
    weight weigh kilo kg
    height tall high
    length long
    distance far km kilometre mile
    mileage km kilometre mile driven
    page pages
    quantity of times
    discount off percent
    phone call ring reach
    product order buy bought
    item order buy bought
    reason because since due
    seat seats
    floor storey
    pet animal
    child kid son daughter
    population people inhabitants live
    speed fast
    winner win won
    goal score
    attendee guest people attend participant
    participant guest people attend
    check-in arrive arrival
    check-out leave departure
    area square metres
    stock left available
    vegetarian vegan
"""
NEAR: dict[str, frozenset[str]] = {}
for _row in _NEAR.strip().splitlines():
    _own, *_others = _row.split()
    NEAR[root(_own)] = frozenset(map(root, _others)) | NEAR.get(root(_own), frozenset())

# Words of a name that only say which kind of value it is.
GENERIC = frozenset(map(root, """date day time number amount value name id code no count at on in of is has was full current main
    type kind email address phone text list total_ number_ str customer user person client given first last
    contact url link num exact stated""".split()))  # fmt: skip
_SUFFIX = {"at", "on", "in", "of", "by", "for", "to", "from"}


def kind_of_name(field: Field) -> str:
    """The kind of value that the name, else the description, asks for; "any" if neither says."""
    words = list(field.words)
    form = field.spec.get("format")
    if form in ("date", "date-time", "email", "uri", "url", "time"):
        return {"date-time": "datetime", "uri": "url"}.get(form, form)
    if words and words[-1] in ("at", "on") and len(words) > 1:
        return "date"
    if words and words[-1] == "title" and set(words) & {"job", "work", "position"}:
        return "job"
    for word in reversed(words):
        if word in _SUFFIX:
            continue
        if kind := _kind(word):
            return kind
        break
    for word in re.findall(r"[a-z]+", field.description.lower())[:8]:
        if word not in STOP and (kind := _kind(word)) and kind != "prose":
            return kind
    return "any"


def _kind(word: str) -> str:
    """The kind of a word, or of its singular; "" if it says none."""
    return (
        KINDS.get(word)
        or KINDS.get(word.removesuffix("s"))
        or KINDS.get(word.removesuffix("es"), "")
    )


def head_of(field: Field) -> str:
    """The stem of the word that names the thing itself: "rent" of "monthly_rent"; "" if none does."""
    for word in reversed(field.words):
        if word not in STOP and root(word) not in GENERIC and not word.isdigit():
            return root(word)
    return ""


def own_stems(field: Field) -> frozenset[str]:
    """The telling words of its name."""
    words = field.words
    both = {f"{a}-{b}" for a, b in zip(words, words[1:], strict=False) if b in ("in", "out", "up")}
    return both | frozenset(
        root(w) for w in words if w not in STOP and root(w) not in GENERIC and len(w) > 1
    )


def near(word: str) -> frozenset[str]:
    """The words beside which a value may stand for this one, without itself."""
    return NEAR.get(word, frozenset())
