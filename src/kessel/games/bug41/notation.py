"""How actions are written, and how a player reads them on a button."""

from __future__ import annotations

from kessel.core.action import Notation

NOTATION = Notation(
    (
        # RX-11, RX-8.4 to 8.6 reinforcement
        "place {unit} {hex}",
        "rebuild {unit}",
        "fill {unit} from {units}",
        "attach {unit} {word}",
        # RX-6 activation
        "activate {word}",
        "react {word}",
        "go_on",
        "call_off",
        # RX-7.3, RX-7.4 movement
        "move {units}",
        "stay",
        "to {hex}",
        "step {hex}",
        "infiltrate {hex}",
        "halt",
        "relocate {hex}",
        "displace {unit} {hex}",
        # RX-7.6, RX-7.7
        "refit {hex}",
        "improve {hex}",
        # RX-7.5 combat
        "hasty {hex} with {units}",
        "regular {hex} with {units}",
        "prepared {hex} with {units}",
        "lose {unit}",
        "retreat {path}",
        "advance {units}",
    )
)

PHRASES = {
    "place": "Place {} in {}",
    "rebuild": "Rebuild a strength point of",
    "fill": "Fill",
    "attach": "Put {} under {}",
    "react": "Try to react with",
    "go_on": "Go on without them",
    "call_off": "Call the Action off",
    "stay": "Do not move after all",
    "to": "Go to",
    "step": "Go one hex, to",
    "infiltrate": "Infiltrate to",
    "halt": "Stop here",
    "relocate": "Relocate the HQ to",
    "displace": "Displace {} to {}",
    "refit": "Refit the units in",
    "improve": "Build an Improved Defense in",
    "hasty": "Make a Hasty Attack on",
    "regular": "Make a Regular Attack on",
    "prepared": "Make a Prepared Attack on",
    "lose": "Let {} lose a strength point",
    "advance": "Advance with",
}
ASIDE = frozenset({"step"})
