import Foundation
import Glibc
import HearthDrawing
import HearthImaging

/// The place of the drawings: one file, or a folder with the same paths as below the common folder of the images.
struct DrawingTarget: Sendable {
    private let path: String
    private let isFile: Bool
    private let overwrites: Bool
    /// The components of the path to the common folder of all images, which are left out.
    private let common: [Substring]

    /// The folder of the drawings; nil for one drawing in a file.
    var folder: String? { isFile ? nil : path }

    /// - Parameters:
    ///   - isFile: whether there is one image. Then `path` is a file, unless it is an existing folder.
    ///   - overwrites: whether drawings may replace existing files.
    ///   - named: the files and folders that the user named; empty if they are not all known yet.
    /// - Throws: if nothing can be written there. Makes the folder.
    init(_ path: String, isFile: Bool, overwrites: Bool = false, named: [String] = []) throws {
        guard !path.isEmpty else {
            throw CommandFailure("The path for the drawings is empty; name a file or a folder.")
        }
        self.path = path
        self.isFile = isFile && !ImageListing.isFolder(path)
        self.overwrites = overwrites
        common = Self.common(named)
        if self.isFile {
            _ = try EncodedImageFormat(path: path)
        } else {
            try Self.makeFolder(path)
        }
    }

    /// The file for the drawing of `image`. Its folder exists.
    ///
    /// - Throws: if it is the image itself, which must not be lost, or an existing file.
    func file(for image: String) throws -> String {
        let file = isFile ? path : path + "/" + name(of: image)
        if let identity = FileIdentity(file), identity == FileIdentity(image) {
            throw CommandFailure("Drawing into \(file) would replace the image itself; give another path.")
        }
        if !overwrites, access(file, F_OK) == 0 {
            throw CommandFailure("\(file) exists already; give another path, or add --overwrite.")
        }
        if !isFile { try Self.makeFolder(URL(fileURLWithPath: file).deletingLastPathComponent().path) }
        return file
    }

    /// The image's path below the folder. An ending that cannot be written is replaced by one that can.
    func name(of image: String) -> String {
        let parts = Self.parts(image)
        let name = parts.dropFirst(parts.starts(with: common) ? common.count : 0).joined(separator: "/")
        return (try? EncodedImageFormat(path: name)) != nil ? name : name + ".png"
    }

    /// From the root, so that different files cannot get the same name.
    private static func parts(_ path: String) -> [Substring] {
        URL(fileURLWithPath: path).standardizedFileURL.path.split(separator: "/")
    }

    private static func common(_ named: [String]) -> [Substring] {
        let folders = named.map { ImageListing.isFolder($0) ? parts($0) : parts($0).dropLast() }
        guard let first = folders.first else { return [] }
        return folders.dropFirst().reduce(first) { common, folder in
            zip(common, folder).prefix { $0 == $1 }.map(\.0)
        }
    }

    private static func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("Cannot make the folder \(path): \(error.localizedDescription)", cause: error)
        }
    }
}
