"""The one error of this package: a sentence that says what is wrong and where."""


class EditError(ValueError):
    """Something in `board-edits.toml` cannot be done."""
