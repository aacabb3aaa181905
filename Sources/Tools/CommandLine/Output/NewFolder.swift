import Foundation
import HearthFiles

/// A folder for what is about to be made, and those above it, for their owner only.
struct NewFolder {
    /// Those that were not there, innermost first.
    private let made: [String]

    /// Makes the folder, unless it is there already.
    init(_ path: String) throws(FileError) {
        var missing: [String] = []
        var folder = path
        while !folder.isEmpty, !FileManager.default.fileExists(atPath: folder), FilePath.folder(of: folder) != folder {
            missing.append(folder)
            folder = FilePath.folder(of: folder)
        }
        made = missing
        do throws(FileError) {
            try DiskFiles().makeFolder(path, mode: 0o700)
        } catch {
            removeWhatWasMade()
            throw error
        }
    }

    /// Nothing came of it. Folders that have something in them by now stay.
    func removeWhatWasMade() {
        for folder in made { rmdir(folder) }
    }
}
