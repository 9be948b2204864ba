"""What is known of a returning customer: notes in the first message, and facts worth keeping."""
