import Glibc

/// The images that the user named, one after another: files as given, and all images in folders, sorted by name.
///
/// Reads a folder only when its turn comes. Keeps only the names in the folders from a named one down to the present image, with
/// a few bytes for each.
struct ImageListing: Sendable {
    enum Entry: Sendable, Equatable {
        case image(String)
        /// A failure in place of an image.
        case failure(path: String, reason: String)
    }

    private struct Folder {
        let path: String
        let names: ImageDirectory
        var position = 0
    }

    /// The paths that are left, last first.
    private var named: [String]
    /// Gives further paths, such as lines of standard input; nil after the last one.
    private var lines: (@Sendable () -> String?)?
    /// The open folders, from the outermost to the innermost.
    private var open: [Folder] = []
    private let ignored: FileIdentity?
    private var foundCount: UInt64 = 0
    private var unopenedCount: Int

    /// - Parameters:
    ///   - paths: files and folders.
    ///   - ignored: a folder that is left out below others, and that is a failure if named itself; nil for none.
    ///   - lines: gives paths that come after those.
    init(_ paths: [String], ignoring ignored: String? = nil, lines: (@Sendable () -> String?)? = nil) {
        named = paths.reversed()
        self.ignored = ignored.flatMap(FileIdentity.init)
        self.lines = lines
        unopenedCount = paths.count { Self.isFolder($0) }
        foundCount = UInt64(paths.count - unopenedCount)
    }

    /// The total number of images; nil while it is unknown.
    var total: UInt64? { unopenedCount == 0 && lines == nil ? foundCount : nil }

    mutating func next() -> Entry? {
        while true {
            if open.isEmpty {
                guard let path = nextNamed() else { return nil }
                guard Self.isFolder(path) else { return .image(path) }
                unopenedCount -= 1
                // Without a message it would look like an empty folder.
                if isIgnored(path) { return failure(path, "The results of this run go into this folder.") }
                if let failure = enter(path) { return failure }
            } else if let entry = nextInFolder() {
                return entry
            }
        }
    }

    private mutating func nextNamed() -> String? {
        if let path = named.popLast() { return path }
        while let line = lines?() {
            guard !line.isEmpty else { continue }
            if Self.isFolder(line) { unopenedCount += 1 } else { foundCount += 1 }
            return line
        }
        lines = nil
        return nil
    }

    /// The next image of the innermost open folder; nil if another folder is now the innermost one.
    private mutating func nextInFolder() -> Entry? {
        let last = open.count - 1
        guard open[last].position < open[last].names.count else {
            open.removeLast()
            return nil
        }
        let (kind, name) = open[last].names[open[last].position]
        open[last].position += 1
        let path = Self.join(open[last].path, name)
        guard kind == .folder else { return .image(path) }
        unopenedCount -= 1
        return enter(path)
    }

    private mutating func enter(_ path: String) -> Entry? {
        if isIgnored(path) { return nil }
        do throws(ListingError) {
            let names = try ImageDirectory(of: path)
            unopenedCount += names.folderCount
            foundCount += UInt64(names.count - names.folderCount)
            open.append(Folder(path: path, names: names))
            return nil
        } catch {
            return failure(path, error.description)
        }
    }

    private func isIgnored(_ folder: String) -> Bool { ignored.map { FileIdentity(folder) == $0 } ?? false }

    /// An entry without an image, which counts as one.
    private mutating func failure(_ path: String, _ reason: String) -> Entry {
        foundCount += 1
        return .failure(path: path, reason: reason)
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    static func isFolder(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }
}

/// The kind of file or folder at a path. Wraps `stat`.
struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// Nil if nothing exists there.
    init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        device = info.st_dev
        number = info.st_ino
    }
}
