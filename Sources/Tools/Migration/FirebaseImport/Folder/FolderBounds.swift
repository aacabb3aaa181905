import Glibc
import HearthFiles

/// What a folder contains itself. Somebody else may have filled it, with links to files that were never meant to leave the
/// machine.
struct FolderBounds {
    /// The folder without links in its path; nil while it does not exist.
    private let root: String?

    init(_ folder: String) { root = Self.resolved(folder) }

    /// Whether the path, with all its links followed, stays in the folder. What does not exist yet would be where the folder is
    /// that exists.
    func contains(_ path: String) -> Bool {
        guard let root else { return true }
        var path = path
        while FilePath.folder(of: path) != path, Self.resolved(path) == nil { path = FilePath.folder(of: path) }
        guard let target = Self.resolved(path) else { return false }
        return target == root || target.hasPrefix(root == "/" ? root : root + "/")
    }

    /// Whether there is something at the path that the folder contains, and that ends: no pipe, no device.
    func hasFile(_ path: String) -> Bool { contains(path) && PathKind(following: path) == .file }

    private static func resolved(_ path: String) -> String? {
        guard let buffer = realpath(path, nil) else { return nil }
        defer { free(buffer) }
        return String(cString: buffer)
    }
}
