import Foundation

/// Where files and folders lie, by whatever way their names lead there.
public enum FolderNesting {
    /// - Parameters:
    ///   - path: need not exist.
    ///   - outer: a folder that exists.
    static func isInside(_ path: String, _ outer: String) -> Bool { parts(of: path).starts(with: parts(of: outer)) }

    /// The parts of the path from the root on, with links followed as far as there is something.
    public static func parts(of path: String) -> [String] {
        var (there, missing) = (URL(fileURLWithPath: path).standardizedFileURL, [String]())
        while !FileManager.default.fileExists(atPath: there.path), there.path != "/" {
            missing.insert(there.lastPathComponent, at: 0)
            there.deleteLastPathComponent()
        }
        return there.resolvingSymlinksInPath().pathComponents + missing
    }
}
