"""What a browser does with the console's pages: it reads forms, fills them in and sends them."""

import html.parser
import urllib.parse


class Forms(html.parser.HTMLParser):
    """The forms of a page that change something: the address and the fields of each."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.fields = None
        self.area = self.choice = self.options = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        if tag == "form":
            self.fields = []
            if named.get("method") == "post":
                self.found.append((named["action"].partition("#")[0], self.fields))
        elif self.fields is None:
            return
        elif tag == "input" and "name" in named:
            if named.get("type") not in ("checkbox", "radio") or "checked" in named:
                self.fields.append((named["name"], named.get("value") or ("on" if named.get("type") == "checkbox" else "")))
        elif tag == "textarea" and "name" in named:
            self.area = (named["name"], [])
        elif tag == "select":
            self.choice, self.options = named.get("name"), []
        elif tag == "option" and self.options is not None:
            self.options.append((named.get("value") or "", "selected" in named))

    def handle_data(self, data):
        if self.area:
            self.area[1].append(data)

    def handle_endtag(self, tag):
        if tag == "form":
            self.fields = None
        elif tag == "textarea" and self.area:
            # A line break after the tag is not a part of the text.
            self.fields.append((self.area[0], "".join(self.area[1]).removeprefix("\n")))
            self.area = None
        elif tag == "select" and self.options is not None:
            chosen = [value for value, is_selected in self.options if is_selected] or [value for value, _ in self.options[:1]]
            if self.fields is not None and self.choice:
                self.fields += [(self.choice, value) for value in chosen]
            self.options = None


class Browser:
    """A person with a session, as a caller of the recording."""

    def __init__(self, world, caller, cookie):
        self.world, self.caller = world, caller
        world.recorder.callers[caller] = [("Cookie", cookie)]

    def get(self, path, **more):
        return self.world.ask("GET", "/console/" + path, self.caller, **more)

    def fields(self, page, action=None):
        """The fields of the form of a page that goes to the action; to the page itself without one."""
        address = self.world.path("/console/" + page)
        answer = self.world.recorder.look(self.world.main, "GET", address, self.caller)
        wanted = self.world.path("/console/" + action) if action else address.partition("?")[0]
        forms = dict(Forms(answer.body.decode()).found)
        return dict(forms.get(wanted, forms.get("/console/sign-out", [])))

    def send(self, page, changes=(), action=None, without=(), note="", origin=True):
        """Fills the form of a page in, sends it, and returns the answer."""
        fields = {**self.fields(page, action), **dict(changes)}
        return self.post(action or page.partition("?")[0], {name: value for name, value in fields.items() if name not in without},
            note, origin)

    def post(self, path, fields, note="", origin=True):
        """`origin` is that of the own pages if True, another if it is a text, and none if it is None."""
        body = urllib.parse.urlencode(list(fields.items()) if isinstance(fields, dict) else fields).encode()
        headers = [("Origin", self.world.main.url if origin is True else origin)] if origin else []
        return self.world.ask("POST", "/console/" + path, self.caller, form=body, headers=headers, note=note)
