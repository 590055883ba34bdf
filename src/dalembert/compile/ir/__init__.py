"""Intermediate representation: functions recorded as scalar operations, folded and simplified."""
