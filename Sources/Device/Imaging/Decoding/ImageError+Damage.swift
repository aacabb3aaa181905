extension ImageError {
    /// The data ends before the picture does.
    static func truncated(_ format: ImageFormat, _ reason: String) -> ImageError {
        ImageError(.truncated, "the \(format.rawValue) ends too early (\(reason)); fetch or save it again")
    }

    /// The data contradicts itself or its format.
    static func corrupt(_ format: ImageFormat, _ reason: String) -> ImageError {
        ImageError(.corrupt, "the \(format.rawValue) is damaged (\(reason)); fetch or save it again")
    }
}
