/// The elements of HTML that the pages use, by their own names.
typealias Content = () -> Markup

private func element(_ name: StaticString, _ attributes: [Attribute], _ content: Content) -> Markup {
    .element(name, attributes, content())
}

func h1(@MarkupBuilder _ content: Content) -> Markup { element("h1", [], content) }
func h2(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup { element("h2", attributes, content) }
func h3(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup { element("h3", attributes, content) }
func p(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup { element("p", attributes, content) }
func a(_ link: Link, _ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup {
    element("a", [.href(link)] + attributes, content)
}
func div(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup { element("div", attributes, content) }
func span(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup {
    element("span", attributes, content)
}
func strong(@MarkupBuilder _ content: Content) -> Markup { element("strong", [], content) }
func small(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup {
    element("small", attributes, content)
}
func code(@MarkupBuilder _ content: Content) -> Markup { element("code", [], content) }
func pre(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup { element("pre", attributes, content) }
func section(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup {
    element("section", attributes, content)
}
func nav(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup { element("nav", attributes, content) }
func ul(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup { element("ul", attributes, content) }
func ol(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup { element("ol", attributes, content) }
func li(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup { element("li", attributes, content) }
func dl(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup { element("dl", attributes, content) }
func dt(@MarkupBuilder _ content: Content) -> Markup { element("dt", [], content) }
func dd(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup { element("dd", attributes, content) }
func details(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup {
    element("details", attributes, content)
}
func summary(@MarkupBuilder _ content: Content) -> Markup { element("summary", [], content) }

func table(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup {
    element("table", attributes, content)
}
func caption(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup {
    element("caption", attributes, content)
}
func thead(@MarkupBuilder _ content: Content) -> Markup { element("thead", [], content) }
func tbody(@MarkupBuilder _ content: Content) -> Markup { element("tbody", [], content) }
func tr(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup { element("tr", attributes, content) }
func td(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup { element("td", attributes, content) }
/// The head of a column.
func th(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup {
    element("th", [Attribute("scope", "col")] + attributes, content)
}
/// The head of a row.
func rowHead(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup {
    element("th", [Attribute("scope", "row")] + attributes, content)
}

func fieldset(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup {
    element("fieldset", attributes, content)
}
func legend(@MarkupBuilder _ content: Content) -> Markup { element("legend", [], content) }
func label(for id: String, @MarkupBuilder content: Content) -> Markup {
    element("label", [Attribute("for", id)], content)
}
func input(_ attributes: Attribute...) -> Markup { .element("input", attributes, nil) }
func textarea(_ attributes: Attribute..., text: String) -> Markup {
    // A first line break after the tag would be swallowed.
    .element("textarea", attributes, .text("\n" + text))
}
func select(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup {
    element("select", attributes, content)
}
func option(_ value: String, _ text: String, isSelected: Bool = false) -> Markup {
    .element("option", [.value(value), Attribute("selected", if: isSelected)], .text(text))
}
func button(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup {
    element("button", attributes, content)
}
func image(_ source: Link, _ attributes: Attribute..., text: String) -> Markup {
    .element("img", [.source(source), Attribute("alt", text)] + attributes, nil)
}
func progress(_ attributes: Attribute..., @MarkupBuilder content: Content) -> Markup {
    element("progress", attributes, content)
}
