"""Which doctypes put a page in quirks mode (HTML standard, 13.2.6.4.1): there, a table may stand inside a paragraph."""

from __future__ import annotations

import re

_SPACE = "[\\t\\n\\f\\r ]"
_DOCTYPE = re.compile(
    rf"""{_SPACE}*(?P<name>[^\t\n\f\r >]+){_SPACE}*
    (?:
        (?: public{_SPACE}*(?:"(?P<public1>[^">]*)"|'(?P<public2>[^'>]*)')
            (?:{_SPACE}*(?:"(?P<system1>[^">]*)"|'(?P<system2>[^'>]*)'))?
        | system{_SPACE}*(?:"(?P<system3>[^">]*)"|'(?P<system4>[^'>]*)')
        )
        (?P<rest>.*)
    )?\Z""",
    re.VERBOSE | re.DOTALL,
)
_PUBLIC = ("-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html")
_SYSTEM = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
_PUBLIC_PREFIXES = (
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
)
_WITHOUT_SYSTEM = ("-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//")


def is_quirky(declaration: bytes, complete: bool) -> bool:
    """Whether `<!doctype` + declaration + `>` means quirks mode; an incomplete one always does."""
    if complete and declaration.strip(b"\t\n\f\r ").lower() == b"html":
        return False  # as in most pages
    found = _DOCTYPE.match(declaration.decode("utf-8", "replace").lower())
    if not complete or found is None or found["name"] != "html":
        return True
    public = found["public1"] if found["public1"] is not None else found["public2"]
    systems = (found["system1"], found["system2"], found["system3"], found["system4"])
    system = next((identifier for identifier in systems if identifier is not None), None)
    if found["rest"] and found["rest"].strip("\t\n\f\r ") and system is None:
        return True  # something else than a system identifier after the public one
    if public is not None and (public in _PUBLIC or public.startswith(_PUBLIC_PREFIXES)):
        return True
    if system is None:
        return public is not None and public.startswith(_WITHOUT_SYSTEM)
    return system == _SYSTEM
