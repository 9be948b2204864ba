"""What a request carries to be read: passages with who said them, documents, JSON values in text."""
