import HearthWire

/// The path of a call, with names in braces where a request has values: `v1/projects/{project}/models/{model}:explain`.
package struct CallPath: Sendable, Hashable, CustomStringConvertible {
    /// Without a slash at the beginning.
    package let pattern: String

    package init(_ pattern: String) { self.pattern = pattern }

    package var description: String { pattern }

    /// The names in braces, in order.
    package var names: [String] {
        pattern.split(separator: "{").dropFirst().compactMap { $0.split(separator: "}").first.map(String.init) }
    }

    /// The path of a request, with a slash at the beginning.
    ///
    /// - Parameters:
    ///   - resource: what the path begins with, such as `projects/p/models/1`: its ids are the first values.
    ///   - values: those of the other names, in order. They are escaped.
    package func filled(of resource: String = "", _ values: String...) -> String {
        let ids = resource.split(separator: "/", omittingEmptySubsequences: false).enumerated()
            .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
        var left = (ids + values.map(WirePath.segment))[...]
        var text = ""
        var rest = pattern[...]
        while let start = rest.firstIndex(of: "{"), let end = rest.firstIndex(of: "}") {
            text += rest[..<start] + (left.popFirst() ?? "")
            rest = rest[rest.index(after: end)...]
        }
        precondition(left.isEmpty, "more values than \(pattern) has names")
        return "/" + text + rest
    }
}
