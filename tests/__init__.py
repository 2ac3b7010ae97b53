"""What pytest runs; ``python -m tests.regen`` writes the golden files again."""
