"""Models of many subjects with texts that state their fields: what a filled schema must hold.

A value is written in the text as it is; ("9,450", 9450) is written as the first and expected as the
second. The keys of `parts` are the fields that a sentence alone states.
"""

from datetime import date, datetime
from typing import Literal, NamedTuple

from pydantic import BaseModel, create_model


class Case(NamedTuple):
    model: type[BaseModel]
    instruction: str
    parts: dict[str, str]
    values: tuple[dict, ...]

    def text(self, values: dict, without: str | None = None) -> str:
        """The text with one set of values, by choice without one of its parts."""
        slots = {k: v[0] if isinstance(v, tuple) else v for k, v in values.items()}
        told = [text.format(**slots) for name, text in self.parts.items() if name != without]
        gap = "" if any(text.endswith("\n") for text in self.parts.values()) else " "
        return self.instruction + gap.join(told)

    def expected(self, values: dict) -> BaseModel:
        right = {k: v[1] if isinstance(v, tuple) else v for k, v in values.items()}
        return self.model.model_validate(right)


CASES: list[Case] = []


def case(name, instruction, fields, parts, *values):
    types = {n: kind if isinstance(kind, tuple) else (kind, ...) for n, kind in fields.items()}
    CASES.append(Case(create_model(name, **types), instruction, parts, values))


def one_of(*options):
    return Literal[(*options, "unknown")]


def many(**fields):
    return list[create_model("Entry", **{n: (kind, ...) for n, kind in fields.items()})]


case("Person", "Extract the person from this text.\n\n",
     dict(name=str, age=int, city=str, email=str, occupation=str),
     {"name": "Hi, I'm {name}.", "age": "I am {age} years old.", "city": "I live in {city}.",
      "occupation": "I work as a {occupation}.", "email": "Write to me at {email}, please."},
     dict(name="Tara Quill", age=41, city="Porto", email="tara@quill.example", occupation="baker"),
     dict(name="Jon Petersen", age=29, city="Bergen", email="jp@north.example", occupation="bus driver"))  # fmt: skip

case("Booking", "Fill the booking form from the message below.\n\n",
     dict(restaurant=str, date=date, time=str, guests=int, seating=one_of("inside", "outside")),
     {"restaurant": "Please book a table at {restaurant}.", "guests": "We will be {guests} people.",
      "date": "It is for {date}.", "time": "We arrive at {time}.", "seating": "We would like to sit {seating}."},
     dict(restaurant="Casa Lume", date=("4 December 2026", "2026-12-04"), time="19:30", guests=6, seating="outside"),
     dict(restaurant="Green Fork", date=("21 January 2027", "2027-01-21"), time="12:15", guests=3, seating="inside"))  # fmt: skip

case("Recipe", "Turn this recipe into structured data.\n\n",
     dict(title=str, servings=int, minutes=int, ingredients=list[str], vegetarian=bool),
     {"title": "Title: {title}\n", "servings": "Serves {servings}.\n", "minutes": "It takes {minutes} minutes.\n",
      "ingredients": "Ingredients: {ingredients[0]}, {ingredients[1]} and {ingredients[2]}.\n",
      "vegetarian": "This dish is vegetarian.\n"},
     dict(title="Lentil soup", servings=4, minutes=35, ingredients=["red lentils", "onions", "cumin"], vegetarian=True),
     dict(title="Mushroom pie", servings=6, minutes=80, ingredients=["mushrooms", "puff pastry", "thyme"], vegetarian=True))  # fmt: skip

case("Invoice", "Extract the invoice.\n\n",
     dict(invoice_number=str, vendor=str, due_date=date, total=float,
          items=many(description=str, quantity=int, unit_price=float)),
     {"vendor": "Vendor: {vendor}\n", "invoice_number": "Invoice number: {invoice_number}\n",
      "items": "- {items[0][quantity]} x {items[0][description]}, {items[0][unit_price]} EUR\n"
               "- {items[1][quantity]} x {items[1][description]}, {items[1][unit_price]} EUR\n",
      "total": "Total: {total} EUR\n", "due_date": "Due date: {due_date}\n"},
     dict(vendor="Nordlicht Paper", invoice_number="INV-2201", total="16.00", due_date="2026-12-15",
          items=[dict(quantity=3, description="printer paper", unit_price="4.50"),
                 dict(quantity=2, description="blue folder", unit_price="1.25")]),
     dict(vendor="Oak Supplies", invoice_number="R-889", total="33.90", due_date="2027-02-01",
          items=[dict(quantity=1, description="desk lamp", unit_price="29.90"),
                 dict(quantity=10, description="pencil", unit_price="0.40")]))  # fmt: skip

case("Job", "Read the job posting and fill the fields.\n\n",
     dict(title=str, company=str, salary_min=int, salary_max=int, remote=bool, skills=list[str]),
     {"title": "Job title: {title}\n", "company": "Company: {company}\n",
      "salary_min salary_max": "The salary is between {salary_min} and {salary_max} euros.\n",
      "remote": "The work is fully remote.\n", "skills": "Skills needed: {skills[0]}, {skills[1]} and {skills[2]}\n"},
     dict(title="Data engineer", company="Blue Heron", salary_min=("52,000", 52000), salary_max=("64,000", 64000),
          remote=True, skills=["Python", "SQL", "Airflow"]),
     dict(title="Gardener", company="Fern & Sons", salary_min=("28,000", 28000), salary_max=("31,500", 31500),
          remote=True, skills=["pruning", "planting", "driving"]))  # fmt: skip

case("Flight", "Extract the flight details from the mail.\n\n",
     dict(flight_number=str, origin=str, destination=str, departure=datetime, seat=str),
     {"flight_number": "Your flight number is {flight_number}.", "origin destination": "You fly from {origin} to {destination}.",
      "departure": "Departure is on {departure}.", "seat": "Your seat is {seat}."},
     dict(flight_number="KX 204", origin="Lyon", destination="Tallinn", departure=("2026-12-09 at 07:40", "2026-12-09T07:40:00"), seat="14C"),
     dict(flight_number="ZQ77", origin="Cork", destination="Malaga", departure=("3 March 2027 at 21:05", "2027-03-03T21:05:00"), seat="2A"))  # fmt: skip

case("Review", "Classify the review below and extract its data.\n\n",
     dict(film=str, rating=int, sentiment=one_of("positive", "negative", "neutral"), reviewer=(str | None, None)),
     {"film": 'I watched "{film}" last night.', "sentiment": "{sentiment}", "rating": "I give it {rating} out of 10.",
      "reviewer": "Reviewer: {reviewer}"},
     dict(film="The Salt Road", sentiment=("It was wonderful, I loved every minute.", "positive"), rating=9, reviewer="Mika"),
     dict(film="Nine Doors", sentiment=("It was boring and far too long.", "negative"), rating=2, reviewer="Ola"))  # fmt: skip

case("Pet", "Fill the form for the vet.\n\n",
     dict(name=str, species=str, breed=str, age_years=int, vaccinated=bool),
     {"name": "My dog is called {name}.", "species": "Species: {species}.", "breed": "The breed is {breed}.",
      "age_years": "She is {age_years} years old.", "vaccinated": "She is vaccinated."},
     dict(name="Miso", species="dog", breed="beagle", age_years=4, vaccinated=True),
     dict(name="Nala", species="hound", breed="Irish setter", age_years=11, vaccinated=True))  # fmt: skip

case("Weather", "Convert the weather report to the fields.\n\n",
     dict(place=str, temperature=int, wind_speed_kmh=int, condition=one_of("sunny", "rainy", "snowy", "cloudy")),
     {"place": "Report for the station in {place}.", "temperature": "The temperature is {temperature} degrees.",
      "wind_speed_kmh": "The wind blows at {wind_speed_kmh} km/h.", "condition": "It is {condition} this morning."},
     dict(place="Innsbruck", temperature=-3, wind_speed_kmh=22, condition="snowy"),
     dict(place="Faro", temperature=24, wind_speed_kmh=9, condition="sunny"))  # fmt: skip

case("Bug", "Extract the bug report.\n\n",
     dict(severity=one_of("low", "medium", "high"), version=str, operating_system=str, reproducible=bool),
     {"severity": "Severity: {severity}.", "version": "The version is {version}.",
      "operating_system": "My operating system is {operating_system}.", "reproducible": "The error is reproducible."},
     dict(severity="high", version="4.2.1", operating_system="Windows 11", reproducible=True),
     dict(severity="low", version="0.9.8", operating_system="Debian 12", reproducible=True))  # fmt: skip

case("Book", "Structure this catalogue entry.\n\n",
     dict(title=str, author=str, year=int, pages=int, isbn=str),
     {"title": 'The title is "{title}".', "author": "It was written by {author}.", "year": "It was published in {year}.",
      "pages": "It has {pages} pages.", "isbn": "Its ISBN is {isbn}."},
     dict(title="The Quiet Harbour", author="Ines Calder", year=1998, pages=312, isbn="978-3-16-148410-0"),
     dict(title="Salt and Iron", author="Bo Lindqvist", year=2014, pages=96, isbn="978-0-11-222333-4"))  # fmt: skip

case("Flat", "Extract the flat from the listing.\n\n",
     dict(rooms=int, rent=float, deposit=float, district=str, furnished=bool, pets_allowed=bool),
     {"rooms": "The flat has {rooms} rooms.", "district": "It is in the district of {district}.",
      "rent": "The rent is {rent} euros a month.", "deposit": "The deposit is {deposit} euros.",
      "furnished": "It is furnished.", "pets_allowed": "Pets are welcome."},
     dict(rooms=3, district="Altona", rent=950, deposit=1900, furnished=True, pets_allowed=True),
     dict(rooms=2, district="Gracia", rent=720, deposit=1440, furnished=True, pets_allowed=True))  # fmt: skip

case("Course", "Fill in the fields from the announcement.\n\n",
     dict(course=str, teacher=str, room=str, weeks=int, fee=float,
          weekday=one_of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")),
     {"course": "Course: {course}\n", "teacher": "The teacher is {teacher}.\n", "weekday": "We meet every {weekday}.\n",
      "room": "Room: {room}\n", "weeks": "It lasts {weeks} weeks.\n", "fee": "The fee is {fee} euros.\n"},
     dict(course="Pottery for beginners", teacher="Lena Frost", weekday="Tuesday", room="B12", weeks=8, fee=120),
     dict(course="Evening Italian", teacher="Marco Bassi", weekday="Friday", room="204", weeks=12, fee=95.5))  # fmt: skip

case("Address", "Extract the address.\n\n",
     dict(street=str, postcode=str, city=str, country=str),
     {"street": "Street: {street}\n", "postcode": "Postcode: {postcode}\n", "city": "City: {city}\n", "country": "Country: {country}\n"},
     dict(street="Hill Road 12", postcode="4021", city="Linz", country="Austria"),
     dict(street="7 Mill Lane", postcode="BT1 5GS", city="Belfast", country="Ireland"))  # fmt: skip

case("Contract", "Extract the contract data.\n\n",
     dict(parties=list[str], start_date=date, end_date=date | None, monthly_fee=float, notice_period=str),
     {"parties": "The parties are {parties[0]} and {parties[1]}.", "start_date": "The contract starts on {start_date}.",
      "end_date": "It ends on {end_date}.", "monthly_fee": "The monthly fee is {monthly_fee} euros.",
      "notice_period": "The notice period is {notice_period}."},
     dict(parties=["Alba Ltd", "Cedar Bank"], start_date=("1 January 2027", "2027-01-01"),
          end_date=("31 December 2028", "2028-12-31"), monthly_fee=450, notice_period="three months"),
     dict(parties=["Fjord AS", "Mill House"], start_date=("15 May 2026", "2026-05-15"),
          end_date=("14 May 2027", "2027-05-14"), monthly_fee=79.9, notice_period="six weeks"))  # fmt: skip

case("Car", "Turn the car listing into fields.\n\n",
     dict(make=str, model=str, year=int, mileage_km=int, price=float, colour=str),
     {"make": "Make: {make}\n", "model": "Model: {model}\n", "year": "Built in {year}.\n",
      "mileage_km": "It has driven {mileage_km} km.\n", "price": "The price is {price} euros.\n", "colour": "The colour is {colour}.\n"},
     dict(make="Varda", model="Lux 2", year=2017, mileage_km=("84,000", 84000), price=("9,450", 9450), colour="dark green"),
     dict(make="Ostra", model="Mini", year=2021, mileage_km=("12,300", 12300), price=("15,900", 15900), colour="silver"))  # fmt: skip

case("Triage", "Classify this message.\n\n",
     dict(category=one_of("billing", "delivery", "technical"), order_id=str, customer_name=str, refund_requested=bool),
     {"customer_name": "My name is {customer_name}.", "order_id": "It is about order {order_id}.",
      "category": "{category}", "refund_requested": "I want a refund."},
     dict(customer_name="Pia Holm", order_id="TQ-5512", category=("The parcel did not arrive.", "delivery"), refund_requested=True),
     dict(customer_name="Sam Okoro", order_id="88213", category=("My card was charged by mistake.", "billing"), refund_requested=True))  # fmt: skip

case("Meeting", "Extract the minutes.\n\n",
     dict(topic=str, attendees=list[str], date=str, decisions=list[str], room=str),
     {"topic": "Topic: {topic}\n", "attendees": "Attendees: {attendees[0]}, {attendees[1]}, {attendees[2]}\n",
      "date": "Date: {date}\n", "decisions": "Decisions:\n- {decisions[0]}\n- {decisions[1]}\n\n", "room": "Room: {room}\n"},
     dict(topic="Roof repair", attendees=["Ida", "Tomas", "Wren"], date="12 May 2026", decisions=["Buy new tiles", "Ask two builders"], room="Attic"),
     dict(topic="Summer fair", attendees=["Noor", "Eli", "Gus"], date="3 June 2026", decisions=["Rent a tent", "Invite the school"], room="Hall 2"))  # fmt: skip

case("Profile", "",
     dict(name=str, languages=list[str], allergies=list[str], favourite_food=str, hobbies=list[str]),
     {"name": "Hello! My name is {name}.", "languages": "I speak {languages[0]}, {languages[1]} and {languages[2]}.",
      "allergies": "I'm allergic to {allergies[0]}.", "favourite_food": "My favourite food is {favourite_food}.",
      "hobbies": "My hobbies are {hobbies[0]} and {hobbies[1]}."},
     dict(name="Ugo", languages=["Basque", "French", "English"], allergies=["peanuts"], favourite_food="ramen", hobbies=["rowing", "chess"]),
     dict(name="Dalia", languages=["Arabic", "Dutch", "Danish"], allergies=["shellfish"], favourite_food="pea soup", hobbies=["knitting", "sailing"]))  # fmt: skip

case("Parcel", "Fill the record from the note.\n\n",
     dict(parcel_id=str, weight_kg=float, carrier=str, delivered=bool, signed_by=str),
     {"parcel_id": "This is about parcel {parcel_id}.", "weight_kg": "It weighs {weight_kg} kg.", "carrier": "The carrier is {carrier}.",
      "delivered": "It was delivered yesterday.", "signed_by": "It was signed by {signed_by}."},
     dict(parcel_id="LK-3301", weight_kg=2.4, carrier="Swift Post", delivered=True, signed_by="Hugo Lang"),
     dict(parcel_id="LK-7", weight_kg=11, carrier="Nordpak", delivered=True, signed_by="Mrs Dale"))  # fmt: skip

case("Employee", "Please extract the employee's details from this memo.\n\n",
     dict(full_name=str, job_title=str, start_date=date, manager=str, salary=int, phone=str),
     {"full_name job_title": "{full_name} joins us as a {job_title}.", "start_date": "Her first day is the start date, {start_date}.",
      "manager": "Her manager will be {manager}.", "salary": "She will earn {salary} euros a year.", "phone": "You can reach her on {phone}."},
     dict(full_name="Olga Fenn", job_title="lab technician", start_date=("1 February 2027", "2027-02-01"), manager="Piet Haas",
          salary=("41,000", 41000), phone="+31 6 5550 1234"),
     dict(full_name="Rhea Sand", job_title="pastry chef", start_date=("15 April 2027", "2027-04-15"), manager="Gil Moreau",
          salary=("36,500", 36500), phone="+33 1 5550 9876"))  # fmt: skip

case("Hotel", "From the confirmation below, fill the booking fields.\n\n",
     dict(hotel_name=str, check_in=date, check_out=date, room_type=one_of("single", "double", "suite"),
          breakfast_included=bool, price_per_night=float, guests=int),
     {"hotel_name": "Hotel: {hotel_name}\n", "check_in": "Check-in: {check_in}\n", "check_out": "Check-out: {check_out}\n",
      "guests": "Guests: {guests}\n", "room_type": "You booked a {room_type} room.\n",
      "breakfast_included": "Breakfast is included.\n", "price_per_night": "The price per night is {price_per_night} EUR.\n"},
     dict(hotel_name="Pension Anker", check_in="2027-03-02", check_out="2027-03-06", guests=2, room_type="double",
          breakfast_included=True, price_per_night="88.50"),
     dict(hotel_name="Villa Sol", check_in="2026-12-28", check_out="2027-01-02", guests=1, room_type="single",
          breakfast_included=True, price_per_night="61"))  # fmt: skip

case("Match", "Read the match report and return the data.\n\n",
     dict(home_team=str, away_team=str, stadium=str, attendance=int, referee=str),
     {"home_team": "Home team: {home_team}\n", "away_team": "Away team: {away_team}\n", "stadium": "The match was played at {stadium}.\n",
      "attendance": "The attendance was {attendance}.\n", "referee": "The referee was {referee}.\n"},
     dict(home_team="FC Linden", away_team="SV Ufer", stadium="Elm Park", attendance=("12,400", 12400), referee="Jana Wolff"),
     dict(home_team="Real Costa", away_team="Atletico Mar", stadium="Port Arena", attendance=("7,950", 7950), referee="Ivo Brandt"))  # fmt: skip

case("Plant", "Extract plant data from the label.\n\n",
     dict(common_name=str, latin_name=(str | None, None), height_cm=int, flower_colour=str, needs_sun=bool, months=list[str]),
     {"common_name": "Common name: {common_name}\n", "latin_name": "Latin name: {latin_name}\n",
      "height_cm": "It grows to a height of {height_cm} cm.\n", "flower_colour": "The flowers have the colour {flower_colour}.\n",
      "needs_sun": "It needs full sun.\n", "months": "Months: {months[0]}, {months[1]}\n"},
     dict(common_name="Lavender", latin_name="Lavandula angustifolia", height_cm=60, flower_colour="purple", needs_sun=True, months=["June", "July"]),
     dict(common_name="Marigold", latin_name="Calendula officinalis", height_cm=45, flower_colour="orange", needs_sun=True, months=["May", "August"]))  # fmt: skip

case("Memories", "",
     dict(memories=many(text=str, kind=one_of("preference", "commitment", "event"))),
     {"memories": "{memories[0][text]}"},
     dict(memories=[dict(text="I prefer replacements to refunds.", kind="preference")]),
     dict(memories=[dict(text="I always take the stairs, because I like them.", kind="preference")]))  # fmt: skip

case("Customer", "Fill in the customer record from the conversation.\n\n",
     dict(name=str, email=str | None, delivery_building=str, preferred_contact=one_of("email", "phone", "post"), orders=int, vip=bool),
     {"name": "user: Hello, {name} here.\n", "delivery_building": "user: My delivery building is {delivery_building}.\n",
      "preferred_contact": "user: Please contact me by {preferred_contact}.\n", "email": "user: My address for mail is {email}.\n",
      "orders": "assistant: You have placed {orders} orders so far.\n", "vip": "assistant: You are a VIP customer.\n"},
     dict(name="Mira Voss", delivery_building="Annex 4", preferred_contact="phone", email="mira@voss.example", orders=4, vip=True),
     dict(name="Theo Lund", delivery_building="Gate House", preferred_contact="post", email="t.lund@mail.example", orders=11, vip=True))  # fmt: skip

case("Product", "Convert the product text to JSON.\n\n",
     dict(product=str, weight_grams=int, battery_hours=float, waterproof=bool, colours=list[str], warranty=str),
     {"product": "Product: {product}\n", "weight_grams": "It weighs {weight_grams} grams.\n", "battery_hours": "The battery lasts {battery_hours} hours.\n",
      "waterproof": "It is waterproof.\n", "colours": "Colours: {colours[0]}, {colours[1]} and {colours[2]}\n", "warranty": "The warranty is {warranty}.\n"},
     dict(product="Trail lamp 300", weight_grams=210, battery_hours=12.5, waterproof=True, colours=["black", "red", "olive"], warranty="two years"),
     dict(product="Pocket radio", weight_grams=95, battery_hours=30, waterproof=True, colours=["white", "blue", "pink"], warranty="36 months"))  # fmt: skip

case("Claim", "Extract the claim from this letter.\n\n",
     dict(policy_number=str, incident_date=date, location=str, damage_amount=float, injured=bool, witness=(str | None, None)),
     {"policy_number": "My policy number is {policy_number}.", "incident_date location": "The accident happened on {incident_date} in {location}.",
      "damage_amount": "The damage amounts to {damage_amount} euros.", "injured": "Nobody was injured.", "witness": "The witness is {witness}."},
     dict(policy_number="HX-90331", incident_date=("3 November 2026", "2026-11-03"), location="Graz",
          damage_amount=("1,250.40", 1250.4), injured=False, witness="Anton Weiss"),
     dict(policy_number="77-4410-B", incident_date=("19 May 2026", "2026-05-19"), location="Utrecht",
          damage_amount="480", injured=False, witness="Lies Bakker"))  # fmt: skip

case("Order", "Turn the order confirmation into an object.\n\n",
     dict(order_number=str, customer=str, shipping_cost=float, paid=bool, lines=many(product=str, quantity=int, price=float)),
     {"order_number": "Order number: {order_number}\n", "customer": "Customer: {customer}\n",
      "lines": "- {lines[0][product]} x{lines[0][quantity]}, {lines[0][price]} EUR\n- {lines[1][product]} x{lines[1][quantity]}, {lines[1][price]} EUR\n",
      "shipping_cost": "Shipping cost: {shipping_cost} EUR\n", "paid": "The order is paid.\n"},
     dict(order_number="44-1029", customer="Nina Roth", shipping_cost="4.90", paid=True,
          lines=[dict(product="Tea cup", quantity=4, price="6.20"), dict(product="Tea pot", quantity=1, price="24.00")]),
     dict(order_number="44-2200", customer="Emil Sand", shipping_cost="0.99", paid=True,
          lines=[dict(product="Ink", quantity=2, price="3.10"), dict(product="Brush set", quantity=3, price="11.75")]))  # fmt: skip

case("Trip", "Fill the trip request.\n\n",
     dict(destination=str, travellers=int, budget=float, month=str, interests=list[str], hotel_needed=bool),
     {"destination": "We want to go to {destination}.", "travellers": "There are {travellers} travellers.", "budget": "Our budget is {budget} euros.",
      "month": "The month is {month}.", "interests": "Our interests are {interests[0]}, {interests[1]} and {interests[2]}.", "hotel_needed": "We need a hotel."},
     dict(destination="Crete", travellers=4, budget=2400, month="May", interests=["hiking", "ruins", "swimming"], hotel_needed=True),
     dict(destination="Iceland", travellers=2, budget=3800, month="September", interests=["whales", "glaciers", "hot springs"], hotel_needed=True))  # fmt: skip

case("Lead", "Extract the sales lead.\n\n",
     dict(contact=create_model("Contact", name=(str, ...), company=(str, ...), role=(str, ...)),
          interest=str, budget_max=float | None, deadline=date | None),
     {"": "Contact: {contact[name]}\nCompany: {contact[company]}\nRole: {contact[role]}\n", "interest": "Interest: {interest}\n",
      "budget_max": "The maximum budget is {budget_max} euros.\n", "deadline": "The deadline is {deadline}.\n"},
     dict(contact=dict(name="Vera Lang", company="Tidal Works", role="head of sales"), interest="a pump for the harbour", budget_max=8000, deadline="2027-06-30"),
     dict(contact=dict(name="Oskar Pohl", company="Nordglas", role="buyer"), interest="window frames", budget_max=12500, deadline="2027-01-15"))  # fmt: skip

case("Verdict", "Return the verdict of this conclusion.\n\n",
     dict(outcome=one_of("refund", "replacement", "no refund", "wait"), amount=float | None, reason=str, subject_id=str),
     {"subject_id": "The decision is about parcel {subject_id}.", "outcome amount": "The outcome is a {outcome} of {amount} euros.",
      "reason": "It is due because {reason}."},
     dict(subject_id="PX-1", outcome="refund", amount=34.5, reason="the parcel went to another building"),
     dict(subject_id="PX-22", outcome="replacement", amount=12, reason="the lamp arrived broken"))  # fmt: skip

case("Story", "Extract the facts about the woman in this text.\n\n",
     dict(name=str, age=int, profession=str, hometown=str, children=int),
     {"name": "The story is about {name}.", "age profession": "She is a {age}-year-old {profession}.", "hometown": "Her hometown is {hometown}.",
      "children": "She has {children} children."},
     dict(name="Greta Olsen", age=52, profession="carpenter", hometown="Aalborg", children=3),
     dict(name="Amara Diallo", age=33, profession="night nurse", hometown="Thies", children=2))  # fmt: skip

case("Delivery", "Here is an e-mail from a customer. Fill in the fields.\n\n",
     dict(tracking_number=str, carrier=str, delivered_on=date, left_with=str, complaint=str),
     {"tracking_number": "My tracking number is {tracking_number}.", "carrier": "The carrier was {carrier}.", "delivered_on": "It was delivered on {delivered_on}.",
      "left_with": "The parcel was left with {left_with}.", "complaint": "{complaint}"},
     dict(tracking_number="JD014-22", carrier="Swiftline", delivered_on="2026-11-02", left_with=("the neighbour", "neighbour"),
          complaint="The vase is broken."),
     dict(tracking_number="1Z9980", carrier="Parcelo", delivered_on="2026-10-17", left_with=("the porter", "porter"),
          complaint="There are two cups missing."))  # fmt: skip

case("Appointment", "Fill the form from the call.\n\n",
     dict(patient_name=str, doctor=str, time=str, reason=str, first_visit=bool,
          day=one_of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")),
     {"patient_name": "The patient is called {patient_name}.", "doctor": "He wants to see Dr {doctor}.", "day time": "He can come on {day} at {time}.",
      "reason": "He comes because {reason}.", "first_visit": "It is his first visit."},
     dict(patient_name="Karl Busch", doctor="Meier", day="Wednesday", time="09:15", reason="his knee hurts", first_visit=True),
     dict(patient_name="Uwe Lang", doctor="Sorel", day="Monday", time="16:40", reason="he needs new glasses", first_visit=True))  # fmt: skip

case("Restaurant", "Extract the review.\n\n",
     dict(restaurant_name=str, cuisine=str, stars=int, liked=list[str], price_per_person=float, would_return=bool),
     {"restaurant_name": "We ate at the restaurant {restaurant_name}.", "cuisine": "The cuisine is {cuisine}.", "stars": "I give it {stars} stars.",
      "liked": "I liked the {liked[0]} and the {liked[1]}.", "price_per_person": "We paid {price_per_person} euros per person.",
      "would_return": "I would return at any time."},
     dict(restaurant_name="Olive Yard", cuisine="Lebanese", stars=4, liked=["hummus", "lamb"], price_per_person=32, would_return=True),
     dict(restaurant_name="Kombu", cuisine="Japanese", stars=5, liked=["ramen", "pickles"], price_per_person=27.5, would_return=True))  # fmt: skip

case("Loan", "Library note. Extract the loan.\n\n",
     dict(borrower=str, book_title=str, due_date=date, late_fee=float, renewals=int),
     {"borrower": "The borrower is {borrower}.", "book_title": 'The book is called "{book_title}".', "due_date": "It is due on {due_date}.",
      "late_fee": "The late fee is {late_fee} euros.", "renewals": "There were {renewals} renewals."},
     dict(borrower="Sven Arp", book_title="Winter Bees", due_date=("5 January 2027", "2027-01-05"), late_fee=1.5, renewals=2),
     dict(borrower="Lotte Kim", book_title="The Long Field", due_date=("28 February 2027", "2027-02-28"), late_fee=0.8, renewals=1))  # fmt: skip

case("Event", "Extract the event from the flyer.\n\n",
     dict(event_name=str, venue=str, start=datetime, ticket_price=float, speakers=list[str], sold_out=bool),
     {"event_name": "Event: {event_name}\n", "venue": "Venue: {venue}\n", "start": "It starts on {start}.\n", "ticket_price": "A ticket costs {ticket_price} euros.\n",
      "speakers": "Speakers: {speakers[0]}, {speakers[1]} and {speakers[2]}\n", "sold_out": "The event is sold out.\n"},
     dict(event_name="Night of Maps", venue="Old Mint", start=("2027-05-14 at 18:30", "2027-05-14T18:30:00"), ticket_price=12,
          speakers=["Ida Rahn", "Pavel Horak", "Mei Lin"], sold_out=True),
     dict(event_name="Bread Day", venue="Mill Barn", start=("2026-12-20 at 10:00", "2026-12-20T10:00:00"), ticket_price=4.5,
          speakers=["Jo Fink", "Ada Wren", "Tom Hale"], sold_out=True))  # fmt: skip

case("Meter", "Convert this meter report.\n\n",
     dict(meter_number=str, reading_kwh=int, reading_date=date, tariff=str, monthly_payment=float),
     {"meter_number": "Meter number: {meter_number}\n", "reading_kwh": "The reading is {reading_kwh} kWh.\n", "reading_date": "Reading date: {reading_date}\n",
      "tariff": "The tariff is {tariff}.\n", "monthly_payment": "The monthly payment is {monthly_payment} EUR.\n"},
     dict(meter_number="E-55021", reading_kwh=("18,204", 18204), reading_date="2026-11-30", tariff="Green Basic", monthly_payment="64.00"),
     dict(meter_number="M7731", reading_kwh=902, reading_date="2027-01-31", tariff="Night Plus", monthly_payment="41.25"))  # fmt: skip

case("Writing", "",
     dict(customer_problem=str, customer_wants=str, order_id=str, urgency=one_of("low", "normal", "high")),
     {"order_id": "I am writing about order {order_id}.", "customer_problem": "{customer_problem}", "customer_wants": "{customer_wants}",
      "urgency": "It is urgent."},
     dict(order_id="MN-4471", customer_problem="The mirror arrived broken.", customer_wants="I would like a replacement.", urgency="high"),
     dict(order_id="KL-22", customer_problem="A lid is missing.", customer_wants="Please send me another one.", urgency="high"))  # fmt: skip

case("Team", "Read the note and fill the fields.\n\n",
     dict(team=str, members=list[str], project=str, deadline=date, budget_eur=int, tools=list[str]),
     {"team": "The team is called {team}.", "members": "The members are {members[0]}, {members[1]} and {members[2]}.", "project": "The project is {project}.",
      "deadline": "The deadline is {deadline}.", "budget_eur": "The budget is {budget_eur} EUR.", "tools": "Tools: {tools[0]}, {tools[1]}"},
     dict(team="Red Kites", members=["Ann", "Bo", "Cy"], project=("a weather station", "weather station"), deadline="2027-03-01",
          budget_eur=("7,200", 7200), tools=["Python", "Docker"]),
     dict(team="Blue Foxes", members=["Dee", "Eli", "Flo"], project=("the new archive", "new archive"), deadline="2026-12-24",
          budget_eur=950, tools=["Excel", "paper"]))  # fmt: skip

case("Move", "",
     dict(from_city=str, to_city=str, moving_date=date, volume_m3=int, piano=bool, floor=int),
     {"from_city to_city": "We are moving from {from_city} to {to_city}.", "moving_date": "The move is on {moving_date}.",
      "volume_m3": "It will be about {volume_m3} m3.", "piano": "We have a piano.", "floor": "The new flat is on the {floor} floor."},
     dict(from_city="Leeds", to_city="York", moving_date=("3 April 2027", "2027-04-03"), volume_m3=35, piano=True, floor=("third", 3)),
     dict(from_city="Basel", to_city="Zug", moving_date=("12 May 2027", "2027-05-12"), volume_m3=20, piano=True, floor=("5th", 5)))  # fmt: skip

case("Grant", "Summarise the application into the fields.\n\n",
     dict(applicant=str, university=str, subject=str, grade=float, amount=float, languages=list[str]),
     {"applicant": "{applicant} applies for the grant.", "university": "She studies at the {university}.", "subject": "Her subject is {subject}.",
      "grade": "Her average grade is {grade}.", "amount": "She asks for {amount} euros.", "languages": "She speaks {languages[0]} and {languages[1]}."},
     dict(applicant="Lea Brandt", university="University of Turku", subject="marine biology", grade=1.4, amount=1200, languages=["Finnish", "German"]),
     dict(applicant="Mona Reyes", university="University of Leiden", subject="law", grade=2.1, amount=850, languages=["Dutch", "Spanish"]))  # fmt: skip

case("House", "Extract.\n\n",
     dict(bedrooms=int, bathrooms=int, area_sqm=int, year_built=int, garden=bool, asking_price=int, heating=str),
     {"bedrooms bathrooms": "The house has {bedrooms} bedrooms and {bathrooms} bathrooms.", "area_sqm": "Its area is {area_sqm} square metres.",
      "year_built": "It was built in {year_built}.", "garden": "There is a garden.", "asking_price": "The asking price is {asking_price} euros.",
      "heating": "The heating is {heating}."},
     dict(bedrooms=4, bathrooms=2, area_sqm=148, year_built=1987, garden=True, asking_price=("420,000", 420000), heating="gas"),
     dict(bedrooms=2, bathrooms=1, area_sqm=76, year_built=2009, garden=True, asking_price=("255,500", 255500), heating="district heating"))  # fmt: skip

case("Podcast", "Fill the episode data.\n\n",
     dict(show=str, episode=int, host=str, guests=list[str], minutes=int, topics=list[str], published=date),
     {"show": "Show: {show}\n", "episode": "Episode {episode}\n", "host": "The host is {host}.\n", "guests": "Guests: {guests[0]} and {guests[1]}\n",
      "minutes": "Length: {minutes} minutes\n", "topics": "Topics: {topics[0]}, {topics[1]}\n", "published": "Published on {published}\n"},
     dict(show="Deep Tides", episode=42, host="Ines Roth", guests=["Pal Berg", "Ida Sand"], minutes=55, topics=["whales", "sonar"], published="2026-09-01"),
     dict(show="Bread Talk", episode=7, host="Tom Ash", guests=["Una Vik", "Jo Lind"], minutes=31, topics=["rye", "yeast"], published="2027-01-12"))  # fmt: skip

case("Household", "",
     dict(delivery_instructions=str | None, preferred_resolution=str | None, language=str, household_size=int | None),
     {"delivery_instructions": "My delivery instructions are: {delivery_instructions}.", "preferred_resolution": "My preferred resolution is a {preferred_resolution}.",
      "language": "My language is {language}.", "household_size": "We are {household_size} people at home."},
     dict(delivery_instructions="leave it with the porter", preferred_resolution="replacement", language="Czech", household_size=5),
     dict(delivery_instructions="ring twice at the side door", preferred_resolution="refund", language="Danish", household_size=2))  # fmt: skip

case("Gym", "Extract the membership from the text.\n\n",
     dict(member=str, plan=one_of("basic", "plus", "premium"), monthly_price=float, joined_on=date, sessions=int, trainer=str),
     {"member": "The member is {member}.", "plan": "She is on the {plan} plan.", "monthly_price": "She pays {monthly_price} euros a month.",
      "joined_on": "She joined on {joined_on}.", "sessions": "She has done {sessions} sessions.", "trainer": "Her trainer is called {trainer}."},
     dict(member="Ada Flint", plan="plus", monthly_price=39.5, joined_on=("2 June 2026", "2026-06-02"), sessions=14, trainer="Rolf"),
     dict(member="Bea Korn", plan="premium", monthly_price=59, joined_on=("17 July 2026", "2026-07-17"), sessions=3, trainer="Yana"))  # fmt: skip

case("Train", "Fill the fields.\n\n",
     dict(train_number=str, from_station=str, to_station=str, departure_time=str, platform=int, delayed=bool, delay_minutes=int),
     {"train_number": "Train {train_number} is leaving soon.", "from_station to_station": "It goes from {from_station} to {to_station}.",
      "departure_time": "The departure time is {departure_time}.", "platform": "It leaves from platform {platform}.",
      "delayed delay_minutes": "It is delayed by {delay_minutes} minutes."},
     dict(train_number="IC 2044", from_station="Ulm", to_station="Bern", departure_time="08:12", platform=7, delayed=True, delay_minutes=25),
     dict(train_number="RE77", from_station="Gent", to_station="Lille", departure_time="17:45", platform=2, delayed=True, delay_minutes=5))  # fmt: skip

case("Donation", "",
     dict(donor=str, charity=str, amount=float, currency=str, monthly=bool, receipt_needed=bool),
     {"donor": "I'm {donor}.", "charity": "I would like to give to the charity {charity}.", "amount currency": "The amount is {amount} {currency}.",
      "monthly": "It is a monthly gift.", "receipt_needed": "I need a receipt."},
     dict(donor="Nils Holt", charity="Clear Water", amount=25, currency="EUR", monthly=True, receipt_needed=True),
     dict(donor="Rita Vale", charity="Safe Harbour", amount=60, currency="GBP", monthly=True, receipt_needed=True))  # fmt: skip

case("Survey", "Read the survey answer and fill it in.\n\n",
     dict(satisfaction=int, would_recommend=bool, best_thing=str, worst_thing=str, age_group=one_of("under 30", "30 to 50", "over 50")),
     {"satisfaction": "My satisfaction is {satisfaction} out of 10.", "would_recommend": "I would recommend you.", "best_thing": "The best thing is {best_thing}.",
      "worst_thing": "The worst thing is {worst_thing}.", "age_group": "I am in the age group {age_group}."},
     dict(satisfaction=8, would_recommend=True, best_thing="quick delivery", worst_thing=("the packaging", "packaging"), age_group="30 to 50"),
     dict(satisfaction=4, would_recommend=True, best_thing=("the price", "price"), worst_thing=("the website", "website"), age_group="over 50"))  # fmt: skip

case("Wine", "Extract the wine.\n\n",
     dict(name=str, grape=str, vintage=int, region=str, alcohol_percent=float, price=float, awards=list[str]),
     {"name": "Name: {name}\n", "grape": "The grape is {grape}.\n", "vintage": "Vintage: {vintage}\n", "region": "It comes from the region of {region}.\n",
      "alcohol_percent": "It has {alcohol_percent} % alcohol.\n", "price": "A bottle costs {price} euros.\n", "awards": "Awards: {awards[0]}, {awards[1]}\n"},
     dict(name="Stone Bridge", grape="Riesling", vintage=2021, region="Mosel", alcohol_percent=11.5, price=13.9, awards=["Gold Cup", "Best White"]),
     dict(name="Low Tide", grape="Malbec", vintage=2019, region="Cahors", alcohol_percent=13, price=9.8, awards=["Silver Cup", "Best Red"]))  # fmt: skip
