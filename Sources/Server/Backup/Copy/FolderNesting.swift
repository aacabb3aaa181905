import Foundation

/// Where folders lie, by whatever way their names lead there.
enum FolderNesting {
    /// - Parameters:
    ///   - path: need not exist.
    ///   - outer: a folder that exists.
    static func isInside(_ path: String, _ outer: String) -> Bool {
        var folder = URL(fileURLWithPath: path).standardizedFileURL
        while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
            folder.deleteLastPathComponent()
        }
        let outer = URL(fileURLWithPath: outer).resolvingSymlinksInPath().pathComponents
        return folder.resolvingSymlinksInPath().pathComponents.starts(with: outer)
    }
}
