import Foundation

/// What of an untrusted label can be shown.
enum LabelText {
    /// More do not fit on an image, and marks that take no room could go on for ever.
    static let maxCount = 400

    /// The characters of `text` that have a shape: line ends and tabs become spaces, runs of spaces one space; what is
    /// invisible or steers the direction of text is dropped.
    static func visible(_ text: String) -> [Unicode.Scalar] {
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maxCount)))
        var result: [Unicode.Scalar] = []
        for scalar in start.precomposedStringWithCanonicalMapping.unicodeScalars {
            if scalar.properties.isWhitespace {
                if let last = result.last, last != " " { result.append(" ") }
            } else if hasShape(scalar) {
                result.append(scalar)
            }
        }
        if result.last == " " { result.removeLast() }
        return result
    }

    /// "87.4%"; nil where there is nothing sensible to say.
    static func percentage(_ confidence: Float?) -> [Unicode.Scalar]? {
        guard let confidence, let percent = ConfidenceText.percent(confidence) else { return nil }
        return Array("\(percent)%".unicodeScalars)
    }

    private static func hasShape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .unassigned: false
        default: !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}

/// Confidences for people: the one rule by which they are rounded, on images and where commands print them.
package enum ConfidenceText {
    /// In percent with one decimal: `87.4`. Nil for what is no number, or so large that it cannot be a share.
    ///
    /// Quicker than Foundation's formatting, which loads a lot first.
    package static func percent(_ share: Float) -> String? {
        guard share.isFinite, abs(share) < 1000 else { return nil }
        let tenths = Int((Double(share) * 1000).rounded(.toNearestOrEven))
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}
