"""The two vocabularies of an effect: a direction of Lee et al. 2025 and the sign with which a triplet is stored. They
are separate: a direction is no spelling of a sign, so no reader of signs accepts one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from core.sign import Sign

# Direction → sign. A mixed sign has no direction.
SIGN_OF: Mapping[str, Sign] = MappingProxyType({"increase": Sign.PLUS, "decrease": Sign.MINUS, "none": Sign.NONE})
DIRECTION_OF: Mapping[Sign, str] = MappingProxyType({sign: direction for direction, sign in SIGN_OF.items()})
