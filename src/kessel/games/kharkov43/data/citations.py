"""By which statement of `rules.csv` a decision of the Soviet system is cited.

In these modules a preference carries the letter it has in the book's list (`12.7c` is the third preference of a Soviet
retreat) and a method its number (`9.26.3`). The statements have letters of their own: a list of preferences is one of
them. Whoever looks a citation up must find that one, so answers and the log give it and no other; what the preference
is they say in words.
"""

from __future__ import annotations

LISTS = {
    "8.3": "8.3a",
    "8.13": "8.13d",
    "9.21.2": "9.21.2b",
    "9.21.3": "9.21.3b",
    "9.21.4": "9.21.4b",
    "9.21.5": "9.21.5c",
    "9.21.6": "9.21.6b",
    "9.21.7": "9.21.7b",
    "9.21.8": "9.21.8b",
    "9.21.9": "9.21.9c",
    "9.21.10": "9.21.10d",
    "9.21.11": "9.21.11b",
    "9.22.2": "9.22.2b",
    "9.22.3": "9.22.3a-p",
    "9.22.4": "9.22.4b",
    "9.22.5": "9.22.5c",
    "9.22.6": "9.22.6b",
    "9.22.7": "9.22.7b",
    "9.22.8": "9.22.8b",
    "9.22.9": "9.22.9b",
    "9.22.10": "9.22.10b",
    "9.22.11": "9.22.11b",
    "9.26.3": "9.26d",
    "9.26.4": "9.26g",
    "9.27": "9.27d",
    "9.41": "9.41a",
    "9.5": "9.5i",
    "9.7": "9.7c",
    "12.2": "12.2h",
    "12.7": "12.7k",
}
"""The statement that holds the preferences of a rule."""
APART = {
    "9.26.3a": "9.26e",
    "9.26.3b": "9.26e",
    "9.27a": "9.27c",
    "9.27b": "9.27c",
    "9.41a": "9.41b",
    "9.41b": "9.41b",
    "9.41c": "9.41b",
    "9.5g": "9.5j",
    "9.5h": "9.5j",
}
"""Preferences that another statement of the same rule holds."""
METHODS = {"9.26.1": "9.26b", "9.26.2": "9.26c", "9.26.3": "9.26d", "9.26.4": "9.26g"}


def letter_of(rule: str) -> str:
    """The letter a preference has in the book's list; empty for one without.

    >>> letter_of("12.7c"), letter_of("9.41")
    ('c', '')
    """
    return rule[-1] if rule[-1:].isalpha() else ""


def of_preference(rule: str) -> str:
    """The statement of a preference; 9.24 and 9.25 have one for each letter.

    >>> of_preference("12.7c"), of_preference("9.5h"), of_preference("9.25d")
    ('12.7k', '9.5j', '9.25d')
    """
    return APART.get(rule) or LISTS.get(rule.removesuffix(letter_of(rule)), rule)


def of_method(rule: str) -> str:
    """The statement of a movement method; those of 9.21 and 9.22 bear its number."""
    return METHODS.get(rule, rule)
