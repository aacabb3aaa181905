/// The help texts of one argument; a string literal is its abstract.
package struct ArgumentHelp: ExpressibleByStringInterpolation, Sendable {
    /// One sentence.
    package var abstract: String
    /// More text, below the abstract.
    package var discussion: String
    /// The text between `<` and `>`; `nil` takes the argument's own name.
    package var valueName: String?
    /// Whether help shows the argument.
    package var visibility: ArgumentVisibility

    package init(
        _ abstract: String = "",
        discussion: String = "",
        valueName: String? = nil,
        visibility: ArgumentVisibility = .default
    ) {
        self.abstract = abstract
        self.discussion = discussion
        self.valueName = valueName
        self.visibility = visibility
    }

    package init(stringLiteral value: String) {
        self.init(value)
    }
}

/// Whether help, usage and suggestions show an argument. A hidden argument still works.
package struct ArgumentVisibility: Hashable, Sendable {
    let isShown: Bool

    package static let `default` = ArgumentVisibility(isShown: true)
    package static let hidden = ArgumentVisibility(isShown: false)
}
