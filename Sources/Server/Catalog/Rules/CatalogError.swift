import HearthErrors

/// A refused state change. The texts are those that existing admin tools and their tests compare.
package struct CatalogError: DescribedError, Hashable {
    package enum Code {
        case invalidArgument
        case alreadyExists
        case notFound
        case failedPrecondition
    }

    package let code: Code
    package let message: String
    /// The error below this one; nil where there is none.
    package let cause: (any Error)?

    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

/// Makes a caller's text or a name from a model file fit into one line of an answer or a log.
package enum OneLineText {
    /// At most 60 characters of the text, without control characters and marks that change the direction of text.
    package static func word(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let clean = scalars.prefix(60).map { $0.fitsOneLine ? String($0) : "?" }
        return clean.joined() + (scalars.dropFirst(60).isEmpty ? "" : "…")
    }

    static func quoted(_ text: String) -> String { "'\(word(text))'" }
}

extension Unicode.Scalar {
    /// Whether it fits into one line without an effect on the text around it: not a control character, a line break, or
    /// an invisible mark that changes the direction of the text. Other invisible characters belong to words and emoji:
    /// U+200C and U+200D join and part the letters of Persian and Hindi, and the parts of one emoji.
    package var fitsOneLine: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        default: !properties.isBidiControl
        }
    }
}

extension String {
    /// Whether a reader sees nothing of it: it has only blanks and characters that are not shown by themselves.
    package var isInvisible: Bool {
        unicodeScalars.allSatisfy { scalar in
            scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
