"""Hands that use the keyboard only."""

# Of the element with the focus: whether it is the wanted one, and what a reader cannot see of the focus.
FOCUS = """(wanted) => {
    const item = document.activeElement;
    const style = getComputedStyle(item);
    const box = item.getBoundingClientRect();
    const problems = [];
    if (item === document.body) return { isWanted: false, problems };
    if (!item.matches(":focus-visible")) problems.push("it is not :focus-visible");
    if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) problems.push("it has no outline");
    if (box.width < 1 || box.height < 1) problems.push("it has no size");
    if (box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth)
        problems.push("it is out of the window");
    return { isWanted: item === wanted, problems: problems.map((text) => `${item.outerHTML.slice(0, 120)}: ${text}`) };
}"""


class Keyboard:
    def __init__(self, page):
        self.page = page
        self.press = page.keyboard.press
        self.type = page.keyboard.type
        # From the first listener on, the browser hands its choosers of files over. Begun only when a key is pressed, that
        # came too late once on a busy machine.
        page.on("filechooser", lambda _: None)

    def reach(self, locator):
        """Presses Tab until the element has the focus. Each stop on the way must show the focus."""
        wanted = locator.element_handle()
        for _ in range(150):
            self.press("Tab")
            state = self.page.evaluate(FOCUS, wanted)
            assert not state["problems"], state["problems"]
            if state["isWanted"]:
                return
        raise AssertionError(f"Tab does not lead to {locator}")

    def tab_to(self, role, name):
        self.reach(self.page.get_by_role(role, name=name, exact=True))

    def open(self, role, name):
        """Presses Enter on a link or button, and waits for the page that it leads to."""
        self.tab_to(role, name)
        with self.page.expect_navigation():
            self.press("Enter")

    def fill(self, name, text):
        """Replaces what a field contains. Tab selects all of it."""
        self.tab_to("textbox", name)
        self.press("Control+a")
        self.type(text)

    def choose(self, name, text):
        """Picks in a list by its first letters."""
        self.tab_to("combobox", name)
        self.type(text)

    def choose_file(self, name, path):
        self.reach(self.page.get_by_label(name, exact=True))
        with self.page.expect_file_chooser() as chooser:
            self.press("Enter")
        chooser.value.set_files(path)
