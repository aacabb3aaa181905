"""Gives what is different in each recording a name: times, ids, tokens, ports. What is the same in each stays as it is.

A name has a kind and a number, such as `<token 3>`: the third token that appeared. So a value that should appear again, and
does not, is noticed. Values that say nothing when they appear again have a name without a number.
"""

import base64
import datetime
import json
import re
import time

# Times around the recording are named. All others, such as those that requests contain, stay.
PAST_SECONDS, FUTURE_SECONDS = 100 * 86_400, 400 * 86_400
# Lifetimes are multiples of this, and a recording takes less.
STEP_SECONDS = 600
# Examples in texts are full hours.
EXAMPLE = ":00:00Z"

TIME = r"\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?::|%3A)\d\d(?:\.\d+)?Z"
# Not inside of a word, but also behind an escaped sign of an address.
ESCAPED = r"(?<=%[0-9A-F][0-9A-F])"
BEGIN, END, WORD = rf"(?:(?<![\w-])|{ESCAPED})", r"(?![\w-])", rf"(?:(?<![\w.])|{ESCAPED})"
# The first that matches counts.
SHAPES = {
    "time": TIME,
    "minute": r"\d{4}-\d\d-\d\d \d\d:\d\d UTC",
    "day": r"(?<![\d-])\d{4}-\d\d-\d\d(?![\d-])",
    "private-key": r"-----BEGIN[ +]PRIVATE[ +]KEY-----[^-]*-----END[ +]PRIVATE[ +]KEY-----(?:\\n)?",
    "public-key": r"-----BEGIN PUBLIC KEY-----[^-]*-----END PUBLIC KEY-----(?:\\n)?",
    "admin-token": r"hearth_[0-9a-f]{16}_[\w-]{43}",
    "console-secret": BEGIN + r"[0-9a-f]{16}_[\w-]{43}" + END,
    "signed-token": r"eyJ[\w-]+\.[\w-]+\.[\w-]+",
    "refresh-token": r"3_\d{16}\.[\w-]+\.[\w-]+",
    "signature": r"(?<=signature=)[\w-]+",
    "fetch-tag": r"(?<=-firebase-fetch-)-?\d+",
    "form-token": r"""(?:(?<=name="form-token" content=")|(?<=name="form-token" value="))[^"]*|(?<=form-token=)[^&]*""",
    "form-id": r"""(?<=name="form-id" value=")[^"]*|(?<=form-id=)[^&]*""",
    "draft": r"""(?:(?<=name="draft" value=")|(?<=\bdraft=))[0-9a-f]{32}""",
    "device": r"(?<=device:)[0-9a-f]{12}",
    "app": r"(?<=:)[0-9a-f]{22}" + END,
    "key-id": BEGIN + r"[0-9a-f]{40}" + END,
    "id": BEGIN + r"[0-9a-f]{16}" + END,
    "api-key": BEGIN + r"A[\w-]{38}" + END,
    "client-id": WORD + r"1\d{20}(?!\w)",
    "microseconds": WORD + r"1[789]\d{14}(?!\w)",
    "project-number": WORD + r"[1-9]\d{11}(?!\w)",
    "age": r"\d+(?= s old)",
    "wait": r"(?<=try again in )\d+(?= s)",
    "seconds": WORD + r"1[789]\d{8}(?!\w)",
}
SHAPE = re.compile("|".join(f"(?P<{kind.replace('-', '_')}>{shape})" for kind, shape in SHAPES.items()))
# Nothing is learned from seeing one of these again.
WITHOUT_NUMBER = {"age", "app", "private-key", "public-key", "signature", "form-token", "form-id", "seconds",
                  "wait"}
NAME = re.compile(r"<([a-z][a-z-]*) (\d+)>")


class Names:
    """The names of one recording."""

    def __init__(self):
        self.start = time.time()
        self.known = {}
        self.counts = {}
        self.learned = {}
        self.learned_shape = None

    def learn(self, text, kind):
        """Names a value that has no shape of its own, wherever it appears from now on."""
        if text and text not in self.learned:
            self.fix(text, self._numbered(kind, text))

    def fix(self, text, shown):
        """Shows a value as a text of the caller's choice."""
        self.learned[text] = shown
        # The longest first, because one may be the beginning of another.
        texts = sorted(self.learned, key=len, reverse=True)
        self.learned_shape = re.compile("|".join(map(re.escape, texts)))

    def text(self, text):
        """The text with names in place of what differs between recordings."""
        if self.learned_shape:
            text = self.learned_shape.sub(lambda found: self.learned[found[0]], text)
        return SHAPE.sub(self._named, text)

    def kinds(self, text):
        """The same with kinds only: what the value is, and not which one."""
        return SHAPE.sub(lambda found: f"<{found.lastgroup.replace('_', '-')}>", text)

    def _named(self, found):
        kind = found.lastgroup.replace("_", "-")
        text = found[0]
        when = None
        try:
            when = moment(kind, text)
        except ValueError:
            return text  # Not a time, such as month 13.
        if when is not None:
            if not -PAST_SECONDS < when - self.start < FUTURE_SECONDS or text.endswith(EXAMPLE):
                return text
            if kind == "day":
                # Others are examples too: the server only shows the days of events.
                if abs(when - self.start) > 2 * 86_400:
                    return text
                return f"<day {int(when // 86_400) - int(self.start // 86_400):+d}>"
            # Minutes have lost their seconds.
            lost = 65 if kind == "minute" else 5
            steps = int((when - self.start + lost) // STEP_SECONDS) * STEP_SECONDS
            offset = f"now{steps:+d} s" if steps else "now"
            # Without a number: two looks at the clock are now and then the same.
            return f"<{kind}, {offset}>"
        if kind == "signed-token":
            return self._token(text)
        if kind in WITHOUT_NUMBER:
            return f"<{kind}>"
        return self._numbered(kind, text)

    def _token(self, text):
        """What a signed token says, without the signature. It has no number: tokens of the same second are the same."""
        try:
            claims = json.loads(base64.urlsafe_b64decode(text.split(".")[1] + "=="))
            said = ", ".join(f"{name} {self.text(str(claims[name]))}" for name in sorted(claims))
        except (ValueError, TypeError):
            return "<signed-token>"
        return f"<signed-token of {said}>"

    def _numbered(self, kind, text):
        key = (kind, text)
        if key not in self.known:
            self.counts[kind] = self.counts.get(kind, 0) + 1
            self.known[key] = self.counts[kind]
        return f"<{kind} {self.known[key]}>"


def moment(kind, text):
    """The seconds since 1970 that a text of this kind means; None for kinds that are no times."""
    if kind == "time":
        plain = text.replace("%3A", ":").rstrip("Z").partition(".")[0]
        return datetime.datetime.fromisoformat(plain + "+00:00").timestamp()
    if kind == "minute":
        return datetime.datetime.fromisoformat(text.removesuffix(" UTC") + "+00:00").timestamp()
    if kind == "day":
        return datetime.datetime.fromisoformat(text + "T00:00:00+00:00").timestamp()
    if kind == "microseconds":
        return int(text) / 1e6
    if kind == "seconds":
        return float(text)
    return None
