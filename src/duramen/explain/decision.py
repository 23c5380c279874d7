"""The section that tells how an algorithm decided."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from duramen.explain.nodes import plain
from duramen.explain.story import Fact, Listing, Place, Rung, Story, place_of

if TYPE_CHECKING:
    from duramen.explain.explanation import Explanation


def decision(explanation: Explanation, story: Story) -> str:
    """How the algorithm came to its choice: facts, steps and settings."""
    cards = []
    winner = _winner(explanation, story)
    facts = "".join(_fact(fact) for fact in story.facts)
    if winner or facts:
        cards.append(f'<div class="card"><h3>Facts</h3><dl class="facts">{winner}{facts}</dl></div>')
    if story.ladder:
        cards.append(_ladder(story.ladder))
    settings = "".join(
        f"<div><dt><code>{escape(name.rstrip('_'))}</code></dt><dd>{escape(_value(value))}</dd></div>"
        for name, value in explanation.settings.items()
    )
    if settings:
        kind = 'class="card wide"' if story.ladder else 'class="card" open'
        cards.append(
            f"<details {kind}><summary>Settings <small>{len(explanation.settings)}</small></summary>"
            f'<dl class="facts">{settings}</dl></details>'
        )
    cards += [_listing(listing) for listing in story.listings]
    inside = "".join(cards) or '<p class="none">This algorithm has no steps to tell.</p>'
    return (
        '<section id="decision"><h2>How it decided</h2><p class="lead">'
        f"The steps of <b>{escape(explanation.algorithm)}</b>, with this page's figures.</p>"
        f'<div class="cards">{inside}</div></section>'
    )


def _winner(explanation: Explanation, story: Story) -> str:
    if story.winner is None or any(place.row == story.winner for fact in story.facts for place in fact.places):
        return ""
    return _fact(Fact(story.winner_word, "", (place_of(explanation.judged, story.winner),)))


def _fact(fact: Fact) -> str:
    places = "".join(f"<li>{link(place)}</li>" for place in fact.places)
    listed = f'<ul class="places">{places}</ul>' if places else ""
    return f"<div><dt>{escape(fact.label)}</dt><dd>{escape(fact.value)}{listed}</dd></div>"


def link(place: Place) -> str:
    """A link to a node: its name, with the two around it before it."""
    *above, last = place.path.split(" > ")
    near = escape(" > ".join(above[-2:]))
    more = "… > " if len(above) > 2 else ""
    lead = f'<i>{more}{near}</i><span class="sep"> &gt; </span>' if near else ""
    inside = f"{lead}<b>{escape(last)}</b>"
    if place.unit < 0:
        return f"<span>{inside}</span>"
    return f'<a href="#n{place.unit}" data-go="{place.unit}" title="{escape(place.path)}">{inside}</a>'


def _ladder(ladder: tuple[Rung, ...]) -> str:
    rungs = "".join(
        f'<li><span class="count">{escape(rung.value)}</span><span class="gain">{escape(rung.gain)}</span>'
        f"{link(rung.place)}</li>"
        for rung in ladder
    )
    return (
        '<div class="card"><h3>The climb</h3><p class="lead">Punctuation marks below each node on the way up; '
        f'the climb stops where a step adds none.</p><ol class="ladder">{rungs}</ol></div>'
    )


def _listing(listing: Listing) -> str:
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in listing.names)
    lines = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in listing.lines)
    more = f"<p>… and {listing.more:,} more.</p>" if listing.more else ""
    return (
        f'<details class="card wide"><summary>{escape(listing.label.capitalize())} '
        f"<small>{len(listing.lines) + listing.more:,}</small></summary>"
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(listing.label)}"><table><thead><tr>{head}'
        f"</tr></thead><tbody>{lines}</tbody></table></div>{more}</details>"
    )


def _value(value: Any) -> str:
    value = plain(value)
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list):
        return ", ".join(_value(entry) for entry in value) or "none"
    return "none" if value is None else str(value) if value != "" else "—"
