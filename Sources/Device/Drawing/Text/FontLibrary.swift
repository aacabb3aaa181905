import CFreeType
import Foundation

/// Owns one `FT_Library`: created in `init`, destroyed in `deinit`. For one thread.
final class FontLibrary {
    let handle: FT_Library

    init() throws(DrawingError) {
        var handle: FT_Library?
        let status = FT_Init_FreeType(&handle)
        guard status == 0, let handle else {
            throw DrawingError(.outOfMemory, "the font library cannot start (FreeType error \(status))")
        }
        self.handle = handle
    }

    deinit {
        FT_Done_FreeType(handle)
    }
}
