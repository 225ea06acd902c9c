"""The twenty primary letters of the JEL classification, by their titles."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

JEL_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "A": "General Economics and Teaching",
        "B": "History of Economic Thought, Methodology, and Heterodox Approaches",
        "C": "Mathematical and Quantitative Methods",
        "D": "Microeconomics",
        "E": "Macroeconomics and Monetary Economics",
        "F": "International Economics",
        "G": "Financial Economics",
        "H": "Public Economics",
        "I": "Health, Education, and Welfare",
        "J": "Labor and Demographic Economics",
        "K": "Law and Economics",
        "L": "Industrial Organization",
        "M": "Business Administration and Business Economics; Marketing; Accounting; Personnel Economics",
        "N": "Economic History",
        "O": "Economic Development, Innovation, Technological Change, and Growth",
        "P": "Political Economy and Comparative Economic Systems",
        "Q": "Agricultural and Natural Resource Economics; Environmental and Ecological Economics",
        "R": "Urban, Rural, Regional, Real Estate, and Transportation Economics",
        "Y": "Miscellaneous Categories",
        "Z": "Other Special Topics",
    }
)
