import HearthWire

/// The path of a call, with names in braces where a request has values: `v1/projects/{project}/models/{model}:explain`.
package struct CallPath: Sendable, Hashable, CustomStringConvertible {
    /// Without a slash at the beginning.
    package let pattern: String

    package init(_ pattern: String) { self.pattern = pattern }

    package var description: String { pattern }

    /// The names in braces, in order.
    package var names: [String] { places.map { String(pattern[$0].dropFirst().dropLast()) } }

    /// Where the names are, with their braces.
    private var places: [Range<String.Index>] {
        let (starts, ends) = (
            pattern.indices.filter { pattern[$0] == "{" }, pattern.indices.filter { pattern[$0] == "}" }
        )
        return zip(starts, ends).map { $0..<pattern.index(after: $1) }
    }

    /// The path of a request, with a slash at the beginning.
    ///
    /// - Parameters:
    ///   - resource: the name of what the call is about, such as `projects/p/models/1`. It goes into the path as it is, in
    ///     place of `projects/{project}/models/{model}`: so a name that somebody mistyped is the server's to refuse.
    ///   - values: those of the other names, in order. They are escaped.
    package func filled(of resource: String? = nil, _ values: String...) -> String { filled(of: resource, values) }

    /// Fills the names in the path with an array of values.
    ///
    /// - Parameters:
    ///   - resource: the name of what the call is about; it goes into the path as it is.
    ///   - values: those of the other names, in order. They are escaped.
    package func filled(of resource: String? = nil, _ values: [String]) -> String {
        let places = places
        let rest = places.count - values.count
        precondition(resource == nil ? rest == 0 : rest > 0, "\(values.count) values do not fill \(pattern)")
        var text = "/"
        var end = pattern.startIndex
        if let resource {
            let root = pattern[..<places[0].lowerBound].split(separator: "/").dropLast()
            text += root.map { $0 + "/" }.joined() + resource
            end = places[rest - 1].upperBound
        }
        for (place, value) in zip(places.suffix(values.count), values) {
            text += pattern[end..<place.lowerBound] + PercentEncoding.encode(value)
            end = place.upperBound
        }
        return text + pattern[end...]
    }
}
