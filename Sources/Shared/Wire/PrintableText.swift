extension String {
    /// The text on one line and safe for a terminal: each line break, control character and bidirectional mark becomes
    /// `?`. Names in model files can be anything.
    package var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isPrintable ? $0 : "?" }))
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: !properties.isBidiControl
        }
    }
}

/// Numbers of things, for readers.
package enum Quantity {
    /// A number with its noun, such as `2 models`.
    ///
    /// - Parameter noun: The singular in English; its plural ends in `s`.
    package static func text(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
