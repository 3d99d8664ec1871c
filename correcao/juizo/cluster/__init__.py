"""A correção em muitas máquinas."""
