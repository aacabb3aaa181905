/// The kinds of file that `ImageEncoder` makes.
public enum EncodedImageFormat: String, Sendable, Hashable, CaseIterable {
    /// Lossy and small: for photos.
    case jpeg

    /// Lossless: every pixel comes back as it was.
    case png

    /// The format that a file's extension stands for: `.jpg`, `.jpeg` or `.png`, in capitals or not.
    ///
    /// - Throws: `ImageError` with code `.unknownExtension`, whose text names the accepted ones.
    public init(path: String) throws(ImageError) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        // A leading dot hides a file; what follows is its name and no extension.
        let parts = name.drop { $0 == "." }.split(separator: ".", omittingEmptySubsequences: false)
        switch parts.count > 1 ? parts[parts.count - 1].lowercased() : "" {
        case "jpg", "jpeg": self = .jpeg
        case "png": self = .png
        default:
            throw ImageError(
                .unknownExtension,
                "\(path) does not say what kind of picture to write; end its name with .jpg, .jpeg or .png")
        }
    }
}
