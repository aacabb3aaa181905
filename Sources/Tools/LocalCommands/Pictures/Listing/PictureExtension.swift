/// The endings by which pictures are found in a folder. A file that the user names is tried whatever its name.
enum PictureExtension {
    private static let known: Set<String> = ["jpg", "jpeg", "jpe", "jfif", "png", "webp", "bmp", "dib", "gif"]

    static func isKnown(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: ".") else { return false }
        return known.contains(name[name.index(after: dot)...].lowercased())
    }
}
