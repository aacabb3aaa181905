import CFreeType
import Foundation

/// Finds the font file for text.
struct FontFile: Sendable {
    static let environmentVariable = "HEARTH_FONT"

    /// The paths at which Debian, Fedora, Arch and Alpine install fonts for screens.
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

    /// The setting that named the file, for error texts; nil for a well-known file.
    let origin: String?

    /// nil when no setting names a font and no well-known font is installed.
    ///
    /// - Throws: `.fontNotFound` when a named font does not exist.
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

    /// The font library would wait forever for the other end of a pipe.
    private static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
