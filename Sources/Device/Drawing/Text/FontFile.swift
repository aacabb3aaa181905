import Foundation

/// Finds the file of the font to write with.
struct FontFile: Sendable {
    static let environmentVariable = "HEARTH_FONT"

    /// Where Debian, Fedora, Arch and Alpine install fonts that are made for screens.
    static let wellKnown = [
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
        "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
        "/usr/share/fonts/TTF/DejaVuSans.ttf",
        "/usr/share/fonts/dejavu/DejaVuSans.ttf",
        "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
        "/usr/share/fonts/liberation-sans/LiberationSans-Regular.ttf",
        "/usr/share/fonts/liberation/LiberationSans-Regular.ttf",
        "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
        "/usr/share/fonts/google-noto/NotoSans-Regular.ttf",
        "/usr/share/fonts/noto/NotoSans-Regular.ttf",
    ]

    let path: String

    /// What told us to use it, for error texts; nil for a well-known file.
    let origin: String?

    /// Nil when nobody names a font and none of the well-known ones is there.
    ///
    /// - Throws: `.fontNotFound` when a named font is not there.
    static func find(
        stylePath: String?, environment: [String: String] = ProcessInfo.processInfo.environment,
        wellKnown: [String] = Self.wellKnown
    ) throws(DrawingError) -> FontFile? {
        if let stylePath { return try named(stylePath, by: "the style's fontPath") }
        if let path = environment[environmentVariable], !path.isEmpty {
            return try named(path, by: environmentVariable)
        }
        return wellKnown.first(where: isRegularFile).map { FontFile(path: $0, origin: nil) }
    }

    private static func named(_ path: String, by origin: String) throws(DrawingError) -> FontFile {
        guard isRegularFile(path) else {
            throw DrawingError(.fontNotFound, "\(origin) names \(path), where there is no font file; correct it")
        }
        return FontFile(path: path, origin: origin)
    }

    /// The font library would wait for ever for a pipe's other end.
    private static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
