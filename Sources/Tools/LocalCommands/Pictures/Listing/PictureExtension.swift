/// The endings by which pictures are found in a folder. A file that the user names is tried whatever its name.
///
/// The last ones cannot be decoded: they are tried all the same, so that nobody takes them for done.
enum PictureExtension {
    private static let known: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "webp", "bmp", "dib", "gif", "tif", "tiff", "heic", "heif", "avif",
    ]

    static func isKnown(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: ".") else { return false }
        return known.contains(name[name.index(after: dot)...].lowercased())
    }
}
