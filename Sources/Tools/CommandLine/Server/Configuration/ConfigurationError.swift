/// A setting that cannot be: which one, where it stands, and what to give instead, in one line.
struct ConfigurationError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
