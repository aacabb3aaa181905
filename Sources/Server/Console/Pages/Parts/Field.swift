/// A labelled field of a form, with a hint below it.
enum Field {
    /// - Parameter refusal: why the value was refused, in place of the hint.
    static func text(
        _ name: String, _ title: String, value: String = "", hint: String? = nil, refusal: String? = nil,
        _ attributes: Attribute...
    ) -> Markup {
        block(name, title, hint, refusal) { described in
            .element(
                "input", [.id(name), .name(name), .type("text"), .value(value)] + attributes + described, nil)
        }
    }

    static func number(
        _ name: String, _ title: String, value: String = "", hint: String? = nil, refusal: String? = nil,
        _ attributes: Attribute...
    ) -> Markup {
        block(name, title, hint, refusal) { described in
            .element(
                "input",
                [.id(name), .name(name), .type("text"), Attribute("inputmode", "decimal"), .value(value)]
                    + attributes + described, nil)
        }
    }

    static func area(
        _ name: String, _ title: String, value: String = "", rows: Int = 4, hint: String? = nil,
        refusal: String? = nil, _ attributes: Attribute...
    ) -> Markup {
        block(name, title, hint, refusal) { described in
            .element(
                "textarea",
                [.id(name), .name(name), Attribute("rows", "\(rows)"), Attribute("spellcheck", "false")] + attributes
                    + described, .text("\n" + value))
        }
    }

    static func choice(
        _ name: String, _ title: String, _ options: [(value: String, text: String)], selected: String,
        hint: String? = nil, refusal: String? = nil
    ) -> Markup {
        block(name, title, hint, refusal) { described in
            .element(
                "select", [.id(name), .name(name)] + described,
                .joined { options.map { option($0.value, $0.text, isSelected: $0.value == selected) } })
        }
    }

    static func check(_ name: String, _ title: String, isSet: Bool = false, hint: String? = nil) -> Markup {
        div(.class("field check")) {
            Markup.element(
                "input",
                [.id(name), .name(name), .type("checkbox"), .value("yes"), Attribute("checked", if: isSet)]
                    + described(name, hint), nil)
            label(for: name) { title }
            if let hint { small(.id("\(name)-hint")) { hint } }
        }
    }

    private static func described(_ name: String, _ hint: String?) -> [Attribute] {
        hint == nil ? [] : [Attribute("aria-describedby", "\(name)-hint")]
    }

    private static func block(
        _ name: String, _ title: String, _ hint: String?, _ refusal: String?, _ control: ([Attribute]) -> Markup
    ) -> Markup {
        let below = refusal ?? hint
        return div(.class("field")) {
            label(for: name) { title }
            control(described(name, below) + [Attribute("aria-invalid", refusal.map { _ in "true" })])
            if let below { small(.id("\(name)-hint")) { below } }
        }
    }

    /// The values that a text field offers while someone types. The field names it by its attribute `list`.
    static func choices(_ id: String, _ values: [(value: String, text: String)]) -> Markup {
        .element("datalist", [.id(id)], .joined { values.map { option($0.value, $0.text) } })
    }
}
