/// A path pattern such as `v1beta2/projects/{project}/models/{model}:download`.
///
/// Segments are literals, parameters (`{name}`, never empty) or, as the last segment only, a rest (`{name...}`: one or
/// more segments, joined by `/`). A custom verb (`:download`) is part of the last segment: a pattern with a verb
/// matches only paths with that verb, and a pattern without one only paths without any. A rest takes the verb with it.
package struct RoutePattern: Hashable, Sendable {
    enum Segment: Hashable, Sendable {
        case literal(String)
        case parameter(String)
        case rest(String)

        /// Smaller is more specific.
        var rank: Int {
            switch self {
            case .literal: 0
            case .parameter: 1
            case .rest: 2
            }
        }
    }

    let segments: [Segment]
    let verb: String?

    /// A malformed pattern is a programmer's error and stops the program.
    package init(_ pattern: String) {
        var parts = pattern.split(separator: "/")
        var verb: String?
        if let last = parts.last, let colon = last.lastIndex(of: ":") {
            verb = String(last[last.index(after: colon)...])
            parts[parts.count - 1] = last[..<colon]
        }
        self.verb = verb
        segments = parts.map { Self.segment($0, of: pattern) }
        let rest = segments.firstIndex { $0.rank == 2 }
        precondition(rest == nil || rest == segments.count - 1, "a rest must be the last segment: \(pattern)")
    }

    private static func segment(_ text: Substring, of pattern: String) -> Segment {
        guard text.hasPrefix("{"), text.hasSuffix("}") else {
            precondition(!text.contains("{") && !text.contains("}"), "a parameter is a whole segment: \(pattern)")
            return .literal(String(text))
        }
        let name = text.dropFirst().dropLast()
        return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .parameter(String(name))
    }

    /// Patterns of equal shape match the same paths.
    func hasShape(of other: RoutePattern) -> Bool {
        verb == other.verb && segments.count == other.segments.count
            && zip(segments, other.segments).allSatisfy { left, right in
                if case .literal = left { left == right } else { left.rank == right.rank }
            }
    }

    /// Whether this pattern is tried before `other`: a literal beats a parameter, a parameter beats a rest, earlier
    /// segments decide.
    func isMoreSpecific(than other: RoutePattern) -> Bool {
        for (left, right) in zip(segments, other.segments) where left.rank != right.rank {
            return left.rank < right.rank
        }
        return segments.count > other.segments.count
    }

    /// The values with which the pattern is the path of the request; nil if it is not.
    package func values(in head: RequestHead) -> RouteParameters? { match(head.target) }

    /// The parameters with which the pattern equals the target, or `nil`.
    func match(_ target: RequestTarget) -> RouteParameters? {
        guard mayMatch(segmentCount: target.stems.count, hasVerb: target.verb != nil),
            verb == target.verb || takesVerbs
        else { return nil }
        var parameters = RouteParameters()
        for (segment, stem) in zip(segments, target.stems) {
            switch segment {
            case .literal(let text):
                guard stem == text else { return nil }
            case .parameter(let name):
                guard !stem.isEmpty else { return nil }
                parameters.add(name, stem)
            case .rest(let name):
                parameters.add(name, target.segments[(segments.count - 1)...].joined(separator: "/"))
            }
        }
        return parameters
    }

    private var takesVerbs: Bool { verb == nil && segments.last?.rank == 2 }

    /// Whether it matches some path with that number of segments, and with or without a verb.
    func mayMatch(segmentCount: Int, hasVerb: Bool) -> Bool {
        let isOpen = segments.last?.rank == 2
        return (hasVerb == (verb != nil) || takesVerbs)
            && (isOpen ? segmentCount >= segments.count : segmentCount == segments.count)
    }
}
