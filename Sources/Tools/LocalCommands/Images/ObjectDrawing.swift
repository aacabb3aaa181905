import Foundation
import Glibc
import HearthDrawing
import HearthImaging
import Synchronization

/// Draws what was found in images onto copies of them. Any thread may use it.
final class DetectionDrawer: Sendable {
    private let target: DrawingTarget
    private let readingOptions: ImageReadingOptions
    private let hasWarnedAboutFont = Atomic(false)

    /// An upright copy, one with the drawing, and the file that it becomes.
    private static let laterBytesPerPixel = 9

    init(target: DrawingTarget, readingOptions: ImageReadingOptions) {
        self.target = target
        self.readingOptions = readingOptions
    }

    /// The file that an image's drawing goes into.
    /// - Throws: when it cannot go there: ask before the work.
    func file(for image: String) throws -> String { try target.file(for: image) }

    func draw(_ objects: [DetectionResult.Object], on image: String, into file: String) throws {
        let readingOptions = readingOptions.shared(laterBytesPerPixel: Self.laterBytesPerPixel)
        defer { readingOptions.giveBack() }
        let pixels = try ImageDecoder.decode(contentsOfFile: image, options: readingOptions.decoding).upright()
        // The most certain first, so that it gets the best place.
        let boxes = objects.sorted { $0.confidence > $1.confidence }.map {
            BoxAnnotation(frame: $0.frame, text: $0.name, confidence: $0.confidence, colorIndex: $0.index)
        }
        let drawn = try AnnotationRenderer().draw(boxes, on: pixels)
        if drawn.isFontMissing, !hasWarnedAboutFont.exchange(true, ordering: .relaxed) {
            Output.note("note: no font was found, so boxes have no names; install fonts-dejavu-core or set HEARTH_FONT")
        }
        try ImageEncoder.write(drawn.pixels, toFile: file)
    }
}

/// Where drawn images go: into one file, or into a folder, at the paths that the images have below the folder that they
/// have in common.
struct DrawingTarget: Sendable {
    private let path: String
    private let isFile: Bool
    private let overwrites: Bool
    /// The parts of the path to the folder that all images have in common; they are left out.
    private let common: [Substring]

    /// The folder that the drawn images go into; nil when there is only one, in a file.
    var folder: String? { isFile ? nil : path }

    /// - Parameters:
    ///   - isFile: Whether there is one image, for which `path` is a file unless it is a folder already.
    ///   - overwrites: Whether drawings may take the place of files that are there.
    ///   - named: The files and folders that the user named; empty when nobody knows them all before.
    /// - Throws: when nothing can be written there; the folder is made.
    init(_ path: String, isFile: Bool, overwrites: Bool = false, named: [String] = []) throws {
        guard !path.isEmpty else { throw CommandFailure("The place to draw into is empty; name a file or a folder.") }
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

    /// The file for what is drawn on `image`; its folder is there.
    ///
    /// - Throws: when it is the image itself, which must not be lost, or a file that is there already.
    func file(for image: String) throws -> String {
        let file = isFile ? path : path + "/" + name(of: image)
        if let identity = FileIdentity(file), identity == FileIdentity(image) {
            throw CommandFailure("Drawing into \(file) would replace the image itself; draw into another place.")
        }
        if !overwrites, access(file, F_OK) == 0 {
            throw CommandFailure("\(file) is there already; draw into another place, or add --overwrite.")
        }
        if !isFile { try Self.makeFolder(URL(fileURLWithPath: file).deletingLastPathComponent().path) }
        return file
    }

    /// The image's path below the folder. What cannot be written gets the ending of something that can.
    func name(of image: String) -> String {
        let parts = Self.parts(image)
        let name = parts.dropFirst(parts.starts(with: common) ? common.count : 0).joined(separator: "/")
        return (try? EncodedImageFormat(path: name)) != nil ? name : name + ".png"
    }

    /// From the root on: only so can different files not get one name.
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
            throw CommandFailure("Cannot make the folder \(path): \((error as NSError).localizedDescription)")
        }
    }
}

/// Finds objects in images and draws them.
struct DrawingDetector: ImageAnalyzer {
    let detector: FileDetector
    let drawer: DetectionDrawer

    func answer(_ path: String) throws -> DetectionResult {
        let file = try drawer.file(for: path)
        let found = try detector.answer(path)
        try drawer.draw(found.objects, on: path, into: file)
        return found
    }
}
