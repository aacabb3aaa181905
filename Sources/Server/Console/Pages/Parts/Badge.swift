/// A short word with a colour that says whether all is well. The word says the same as the colour.
enum Badge {
    enum Kind: String { case good, warning, bad, neutral }

    static func mark(_ text: String, _ kind: Kind) -> Markup { span(.class("badge \(kind.rawValue)")) { text } }
}
