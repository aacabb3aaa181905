/// The help texts of one argument; a string literal is its abstract.
public struct ArgumentHelp: ExpressibleByStringInterpolation, Sendable {
    /// One sentence.
    public var abstract: String
    /// Further text, shown below the abstract.
    public var discussion: String
    /// What stands between `<` and `>`; `nil` takes the argument's own name.
    public var valueName: String?
    /// Whether help shows the argument.
    public var visibility: ArgumentVisibility

    public init(
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

    public init(stringLiteral value: String) {
        self.init(value)
    }
}

/// Whether an argument is shown in help, usage and suggestions. A hidden one still works.
public struct ArgumentVisibility: Hashable, Sendable {
    let isShown: Bool

    public static let `default` = ArgumentVisibility(isShown: true)
    public static let hidden = ArgumentVisibility(isShown: false)
}
