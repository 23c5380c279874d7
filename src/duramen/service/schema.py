"""What goes over the wire: the requests, the answers and the errors of the HTTP API, as OpenAPI shows them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

Format = Literal["text", "markdown", "html", "standard", "parts", "comments", "json", "source"]
"""`parts`: posts and replies as the algorithm told them apart; `comments`: what readers wrote below the content;
`json`: the whole record as `duramen extract -f json` writes it; `source`: the page's HTML as it was decoded, for a
client that wants to ask again without a second fetch."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Address = Annotated[str, StringConstraints(min_length=1, max_length=4096)]
Scalar = bool | int | float | str | None
Options = dict[Name, Scalar | list[Scalar]]

MOST_ALGORITHMS = 8  # in one comparison
MOST_OPTIONS = 32


class _Strict(BaseModel):
    """A misspelt field is an error, not a surprise."""

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="null")


class PageRequest(_Strict):
    """A page: exactly one of `html`, `html_base64` and `url`."""

    html: str | None = Field(None, description="The page as text.")
    html_base64: str | None = Field(None, description="The page's bytes in Base64: its encoding is then found here.")
    url: Address | None = Field(None, description="Where to fetch the page: http or https, a public address.")
    base_url: Address | None = Field(None, description="Where `html` came from: makes links absolute; not fetched.")
    charset: Name | None = Field(None, description="The encoding of `html_base64`, where you know better.")

    @model_validator(mode="after")
    def _exactly_one(self) -> PageRequest:
        given = [name for name in ("html", "html_base64", "url") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give exactly one of html, html_base64 and url")
        return self


class _Chosen(PageRequest):
    algorithm: Name = Field("default", description="One of those that `GET /algorithms` lists.")
    options: Options = Field(default_factory=dict, max_length=MOST_OPTIONS, description="The algorithm's settings.")
    page_type: Name | None = Field(
        None, description="What kind of page it is, where you know; for algorithms that make use of it."
    )


class ExtractRequest(_Chosen):
    """`POST /extract`."""

    formats: list[Format] = Field(default=["text"], max_length=8, description="What the answer holds.")
    classify: bool = Field(True, description="Tell what kind of page it is; takes about as long as the extraction.")
    comments: bool | None = Field(None, description="Keep readers' comments in the text; null: as the algorithm does.")
    hidden: Literal["drop", "flag", "keep"] | None = Field(
        None, description="What becomes of invisible text; null: as the algorithm does."
    )
    links: bool = Field(True, description="Show link targets in Markdown and HTML.")
    images: bool = Field(True, description="Show images.")
    tables: bool = Field(True, description="Show tables.")
    formatting: bool = Field(True, description="Show bold, italics and such.")


class ExplainRequest(_Chosen):
    """`POST /explain`."""


class CompareRequest(PageRequest):
    """`POST /compare`."""

    algorithms: list[Name] = Field(
        min_length=2, max_length=MOST_ALGORITHMS, description="Algorithms to compare; each once."
    )
    options: dict[Name, Options] = Field(
        default_factory=dict, max_length=MOST_ALGORITHMS, description="Settings by algorithm."
    )
    formats: list[Format] = Field(default=["text"], max_length=8)

    @model_validator(mode="after")
    def _each_once(self) -> CompareRequest:
        if len(set(self.algorithms)) != len(self.algorithms):
            raise ValueError("name each algorithm once")
        if extra := set(self.options) - set(self.algorithms):
            raise ValueError(f"options for {sorted(extra)[0]!r}, which is not compared")
        return self


class Timing(BaseModel):
    """Milliseconds. Waiting for a worker is in the header `Server-Timing`."""

    fetch: float | None = Field(None, description="Fetching the URL; null without one.")
    work: float = Field(description="Everything in the worker process.")


class LabelledPart(BaseModel):
    """A post, a reply, a comment."""

    label: str
    text: str


class Extracted(BaseModel):
    """One algorithm's result on a page. The formats that were not asked for are absent."""

    text: str | None = None
    markdown: str | None = None
    html: str | None = Field(None, description="Cleaned HTML; show it in a sandboxed frame all the same.")
    standard: str | None = None
    parts: list[LabelledPart] | None = None
    comments: list[dict[str, Any]] | None = Field(None, description="Text, and author and date where they are told.")
    json_: dict[str, Any] | None = Field(None, alias="json")
    source: str | None = None
    url: str | None = Field(None, description="Where the page was found in the end, after redirects.")
    title: str | None
    language: str | None
    metadata: dict[str, Any]
    confidence: float | None
    page_type: str | None = Field(description="What kind of page it is; null where that was not asked for.")
    page_types: dict[str, float] | None = Field(None, description="How likely each type is, where that is known.")
    reason: str | None = Field(description="Why there is no text: empty_input, not_html, needs_javascript …")
    algorithm: str
    version: str
    encoding: str
    flags: list[str]
    words: int = Field(description="Words of the text; a CJK character is one.")
    timing: Timing


class ExplainedNode(BaseModel):
    """A node of the page, or a block where the algorithm judges blocks."""

    n: int = Field(description="Its number: `data-n` and `id=n…` in the document.")
    row: int
    path: str = Field(description="html > body > div#main > p.lead")
    text: str = Field(description="The beginning of its text.")
    verdict: Literal["kept", "structure", "dropped", "unseen"]
    why: str = Field(description="The verdict's reason in one line, as the document shows it on hover and focus.")
    score: float | None
    chars: int = Field(description="Characters of all it holds.")
    words: int
    columns: dict[str, Any] = Field(description="The algorithm's own figures.")


class Bar(BaseModel):
    """A bar of the density plot, in document order."""

    n: int = Field(description="The node it stands for.")
    value: float
    verdict: Literal["kept", "structure", "dropped", "unseen"]


class Plot(BaseModel):
    """CETD's density plot; for other algorithms their score, or the characters of each text."""

    label: str = Field(description="What is measured: density, smoothed density, score, characters.")
    threshold: float | None
    logarithmic: bool = Field(description="Whether a few bars would dwarf all others on a linear scale.")
    per_bar: int = Field(description="Neighbouring nodes that share a bar, which shows the highest.")
    nodes: int = Field(description="Nodes measured.")
    bars: list[Bar]


class Fact(BaseModel):
    """One thing that the algorithm found on its way."""

    label: str
    value: str
    nodes: list[int] = Field(description="The nodes it speaks of.")


class Explained(BaseModel):
    """`POST /explain`."""

    document: str = Field(
        description="The page itself with kept and dropped parts coloured: one HTML document without scripts, forms, "
        "addresses or styles of the page. For an iframe's `srcdoc` with `sandbox` but without `allow-scripts`."
    )
    nodes: list[ExplainedNode] = Field(description="Those drawn in the document, those of the plot, and the highest.")
    total_nodes: int
    plot: Plot
    facts: list[Fact]
    thresholds: dict[str, float | None]
    winner: int | None = Field(description="The node that won, where one did.")
    verdicts: dict[str, int] = Field(description="How many nodes have each verdict.")
    words: dict[Literal["kept", "page"], int]
    settings: dict[str, Any]
    url: str | None = None
    title: str | None
    algorithm: str
    version: str
    reason: str | None
    flags: list[str]
    confidence: float | None
    folded: int = Field(description="Texts and pictures of a long page that the document leaves out.")
    timing: Timing


class Compared(BaseModel):
    """`POST /compare`."""

    results: dict[str, Extracted] = Field(description="By algorithm, in the order asked for.")
    agreement: dict[str, dict[str, float]] = Field(
        description="F1 of the words that two algorithms took, 1 when both took none."
    )
    share: dict[str, float] = Field(description="The part of the page's words that each took.")
    page_words: int
    url: str | None = None
    timing: Timing


class Setting(BaseModel):
    """A setting of an algorithm, enough to draw a control for it."""

    name: str
    type: Literal["number", "integer", "boolean", "choice", "text", "list", "other"]
    choices: list[Any] | None = Field(None, description="For a choice.")
    nullable: bool = Field(description="Whether null is a value of its own.")
    default: Any
    minimum: float | None = Field(None, description="For a slider: a sensible range, not a limit.")
    maximum: float | None = None
    step: float | None = None
    kind: str = Field(description="What it takes, in words.")
    help: str


class AlgorithmInfo(BaseModel):
    """An algorithm."""

    name: str
    default: bool
    summary: str
    paper: str
    settings: list[Setting]


class Algorithms(BaseModel):
    """`GET /algorithms`."""

    algorithms: list[AlgorithmInfo]
    default: str = Field(description="What `default` stands for.")
    page_types: list[str]
    formats: list[str]
    version: str


class Limits(BaseModel):
    """What a client should know before it asks."""

    body_bytes: int
    seconds: float
    fetching: bool = Field(description="Whether `url` is accepted.")
    key_required: bool = Field(description="Whether X-API-Key (or Authorization: Bearer) has to be sent.")


class Health(BaseModel):
    """`GET /health`."""

    status: Literal["ok", "draining", "failing"]
    version: str
    workers: int
    busy: int
    waiting: int
    limits: Limits


class ErrorBody(BaseModel):
    """What went wrong, and what to do."""

    code: str = Field(description="For programs: invalid_request, url_refused, too_large, overloaded …")
    message: str
    hint: str | None = None


class Problem(BaseModel):
    """Every answer that is not 200."""

    error: ErrorBody
    request_id: str | None = None
