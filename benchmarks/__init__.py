"""Speed and memory, measured; nothing here is asserted in a test."""
