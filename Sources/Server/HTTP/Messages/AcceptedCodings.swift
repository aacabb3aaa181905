/// The content codings that a request accepts (`Accept-Encoding`; RFC 9110, 12.5.3).
package struct AcceptedCodings: Sendable, Hashable {
    /// Whether it accepts gzip, and does not prefer an answer without a coding.
    package private(set) var gzip = false
    /// Whether it accepts a coding at all. Then a proxy may compress an answer that has none.
    package private(set) var anyCoding = false

    /// - Parameter fields: the values of the field. A request without one accepts every coding by the standard, but most such
    ///   clients can decode none.
    package init(_ fields: [String]) {
        var (ofGzip, ofOthers, ofIdentity): (Double?, Double?, Double?)
        for item in fields.lazy.flatMap({ $0.split(separator: ",") }) {
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            switch parts.first {
            case nil, "": continue
            case "gzip", "x-gzip": ofGzip = ofGzip ?? weight
            case "*": ofOthers = ofOthers ?? weight
            case "identity": ofIdentity = ofIdentity ?? weight
            default: break
            }
            if parts.first != "identity", weight > 0 { anyCoding = true }
        }
        let weight = ofGzip ?? ofOthers ?? 0
        gzip = weight > 0 && weight >= ofIdentity ?? 0
    }
}

extension RequestHead {
    package var acceptedCodings: AcceptedCodings { AcceptedCodings(headers.values("Accept-Encoding")) }
}
