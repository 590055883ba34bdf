"""Hybrid systems: jumps of the velocity, impulses, constraints that come and go."""

from __future__ import annotations

from .jumps import Jump, jump, jump_velocity

__all__ = ["Jump", "jump", "jump_velocity"]
