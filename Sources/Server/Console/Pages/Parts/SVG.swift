/// Charts. Each has a title and a description for screen readers, and the page shows a table of the same numbers.
enum SVG {
    /// - Parameter fits: whether few letters stand in it, which a narrow screen can show larger instead of scrolling.
    static func chart(
        width: Double, height: Double, fits: Bool = false, title: String, description: String,
        @MarkupBuilder content: () -> Markup
    ) -> Markup {
        // On a narrow screen its letters would be too small to read: there it scrolls.
        div(.class("scroll"), Attribute("role", "region"), .label(title), Attribute("tabindex", "0")) {
            drawing(
                width: width, height: height, fits: fits, title: title, description: description, content: content)
        }
    }

    private static func drawing(
        width: Double, height: Double, fits: Bool, title: String, description: String, content: () -> Markup
    ) -> Markup {
        .element(
            "svg",
            [
                .class(fits ? "chart fits" : "chart"), Attribute("role", "img"),
                Attribute("viewBox", "0 0 \(number(width)) \(number(height))"),
                .label("\(title). \(description)"),
            ],
            .joined {
                Markup.element("title", [], .text(title))
                Markup.element("desc", [], .text(description))
                content()
            })
    }

    static func rect(x: Double, y: Double, width: Double, height: Double, _ attributes: Attribute...) -> Markup {
        .element(
            "rect",
            [
                Attribute("x", number(x)), Attribute("y", number(y)), Attribute("width", number(width)),
                Attribute("height", number(height)), Attribute("rx", "3"),
            ] + attributes, .empty)
    }

    static func line(x1: Double, y1: Double, x2: Double, y2: Double, _ attributes: Attribute...) -> Markup {
        .element(
            "line",
            [
                Attribute("x1", number(x1)), Attribute("y1", number(y1)), Attribute("x2", number(x2)),
                Attribute("y2", number(y2)),
            ] + attributes, .empty)
    }

    static func circle(x: Double, y: Double, radius: Double, _ attributes: Attribute...) -> Markup {
        .element(
            "circle",
            [Attribute("cx", number(x)), Attribute("cy", number(y)), Attribute("r", number(radius))] + attributes,
            .empty)
    }

    /// A line through the points, in order.
    static func path(_ points: [(x: Double, y: Double)], _ attributes: Attribute...) -> Markup {
        let commands = points.enumerated().map { index, point in
            "\(index == 0 ? "M" : "L")\(number(point.x)) \(number(point.y))"
        }
        return .element("path", [Attribute("d", commands.joined(separator: " "))] + attributes, .empty)
    }

    static func text(x: Double, y: Double, _ text: String, _ attributes: Attribute...) -> Markup {
        .element("text", [Attribute("x", number(x)), Attribute("y", number(y))] + attributes, .text(text))
    }

    private static func number(_ value: Double) -> String { NumberText.decimal(value, 1) }
}
