"""Reading documents for a question: which of them say something, and what one says of a thing."""
