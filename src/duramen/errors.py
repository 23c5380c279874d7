"""The exception tree: everything duramen raises on purpose derives from `DuramenError`.

    DuramenError
    ├── InputError            the input cannot be used at all
    │   ├── InputTooLarge     more bytes than the limit
    │   └── FetchError        a URL could not be fetched (the message says why)
    ├── UnknownAlgorithm      no algorithm of that name
    ├── OptionError           an option that does not exist, or a value it does not take
    ├── ModelError            a model file is missing, damaged or of another version
    └── MissingExtra          an optional dependency is not installed

A page without content is not an error: it is an `Extraction` with an empty text and a `reason`.
"""

from __future__ import annotations


class DuramenError(Exception):
    """Base of every error that duramen raises on purpose."""


class InputError(DuramenError):
    """The input cannot be used at all."""


class InputTooLarge(InputError):
    """The input has more bytes than the limit."""


class FetchError(InputError):
    """A URL could not be fetched."""


class UnknownAlgorithm(DuramenError):
    """No algorithm has that name."""


class OptionError(DuramenError):
    """An option that does not exist, or a value that it does not take."""


class MissingExtra(DuramenError):
    """An optional dependency is not installed."""


class ModelError(DuramenError):
    """A model file is missing, damaged or of another version."""
