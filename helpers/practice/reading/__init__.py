"""How the practice model reads: words, clauses, questions, and what a request states.

Plain grammar of English and a few word lists, all general: nothing here knows a lesson, a data file
or a person. A sentence that the grammar cannot read is left alone; not knowing beats guessing.
"""
