import Foundation

/// The visible part of an untrusted label.
enum LabelText {
    /// The limit, because more characters do not fit on an image, and a label could have endless marks without width.
    static let maxCount = 400

    /// The characters of `text` that have a shape. Line ends and tabs become spaces, and several spaces become one.
    /// Invisible characters and those that change the direction of text are dropped.
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

    /// For example "87.4%", or "8.15"; nil if the confidence is not a sensible number.
    static func confidence(_ confidence: Float?, _ form: ConfidenceForm) -> [Unicode.Scalar]? {
        guard let confidence, let digits = form.digits(confidence) else { return nil }
        return Array((form == .percent ? "\(digits)%" : digits).unicodeScalars)
    }

    private static func hasShape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .unassigned: false
        default: !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
