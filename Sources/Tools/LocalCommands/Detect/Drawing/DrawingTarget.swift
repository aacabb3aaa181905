import Foundation
import HearthImaging

/// Where drawn pictures go: into one file, or into a folder that mirrors the paths of the pictures.
struct DrawingTarget: Sendable {
    private let path: String
    private let isFile: Bool

    /// The folder that the drawn pictures go into; nil when there is only one, in a file.
    var folder: String? { isFile ? nil : path }

    /// - Parameter isFile: Whether there is one picture, for which `path` is a file unless it is a folder already.
    /// - Throws: when nothing can be written there; the folder is made.
    init(_ path: String, isFile: Bool) throws {
        guard !path.isEmpty else { throw CommandFailure("The place to draw into is empty; name a file or a folder.") }
        self.path = path
        self.isFile = isFile && !PictureSource.isFolder(path)
        if self.isFile {
            _ = try EncodedImageFormat(path: path)
        } else {
            try Self.makeFolder(path)
        }
    }

    /// The file for what is drawn on `picture`; its folder is there.
    ///
    /// - Throws: when it is the picture itself, which must not be lost.
    func file(for picture: String) throws -> String {
        let file = isFile ? path : path + "/" + Self.mirrored(picture)
        if let identity = FileIdentity(file), identity == FileIdentity(picture) {
            throw CommandFailure("Drawing into \(file) would replace the picture itself; draw into another place.")
        }
        if !isFile { try Self.makeFolder(URL(fileURLWithPath: file).deletingLastPathComponent().path) }
        return file
    }

    /// The picture's path below the folder. What cannot be written gets the ending of something that can.
    static func mirrored(_ picture: String) -> String {
        let parts = picture.split(separator: "/").filter { $0 != "." && $0 != ".." }
        let name = parts.joined(separator: "/")
        return (try? EncodedImageFormat(path: name)) != nil ? name : name + ".png"
    }

    private static func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("Cannot make the folder \(path): \((error as NSError).localizedDescription)")
        }
    }
}
