"""Scalar code in the middle: functions recorded number by number, folded and simplified."""
