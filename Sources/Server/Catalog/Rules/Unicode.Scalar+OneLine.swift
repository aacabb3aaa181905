extension Unicode.Scalar {
    /// Whether it can stand in one line without changing anything around it: no control character, no line break, and no
    /// mark that is invisible or turns the direction of the text.
    package var fitsOneLine: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
        default: true
        }
    }
}
