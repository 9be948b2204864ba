"""Instructions and grants that stand in material: where it is marked as data, and what is followed."""
