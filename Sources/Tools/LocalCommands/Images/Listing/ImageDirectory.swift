import Glibc

/// The images and folders in one folder, sorted by the bytes of their names, without hidden ones.
///
/// Links to images count as images. Links to folders are left out, because they may form a circle. Needs the length of each
/// name plus 6 bytes, and nothing for other files.
struct ImageDirectory {
    enum Kind: UInt8 {
        case image = 0
        case folder = 1
    }

    /// Kind, name and a zero for each.
    private var bytes: [UInt8] = []
    /// The place of each entry in `bytes`.
    private var starts: [UInt32] = []

    var count: Int { starts.count }
    private(set) var folderCount = 0

    /// Wraps `opendir` and `readdir`.
    init(of folder: String) throws(ListingError) {
        guard let directory = opendir(folder) else { throw ListingError(folder, errno) }
        defer { closedir(directory) }
        while true {
            errno = 0
            guard let entry = readdir(directory) else { break }
            try append(entry, directory, folder)
        }
        guard errno == 0 else { throw ListingError(folder, errno) }
        sort()
    }

    subscript(index: Int) -> (kind: Kind, name: String) {
        let start = Int(starts[index])
        let name = bytes[(start + 1)...].prefix { $0 != 0 }
        return (Kind(rawValue: bytes[start]) ?? .image, String(decoding: name, as: UTF8.self))
    }

    private mutating func append(
        _ entry: UnsafeMutablePointer<dirent>, _ directory: OpaquePointer, _ folder: String
    ) throws(ListingError) {
        // Read in place: Swift imports the name as a tuple of fixed size, which would be copied.
        let field = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
        let name = field.assumingMemoryBound(to: CChar.self)
        guard name[0] != CChar(bitPattern: UInt8(ascii: ".")), let kind = Self.kind(entry, name, directory) else {
            return
        }
        guard let start = UInt32(exactly: bytes.count) else { throw ListingError(folder, EFBIG) }
        starts.append(start)
        bytes.append(kind.rawValue)
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: field, count: strlen(name) + 1))
        if kind == .folder { folderCount += 1 }
    }

    /// Nil for an entry that is neither an image nor a folder.
    private static func kind(
        _ entry: UnsafeMutablePointer<dirent>, _ name: UnsafePointer<CChar>, _ directory: OpaquePointer
    ) -> Kind? {
        let image: Kind? = ImageFileExtension.isKnown(String(cString: name)) ? .image : nil
        switch Int(entry.pointee.d_type) {
        case Int(DT_REG): return image
        case Int(DT_DIR): return .folder
        case Int(DT_LNK):
            guard image != nil, fileType(name, directory, follows: true) == S_IFREG else { return nil }
            return .image
        case Int(DT_UNKNOWN):
            switch fileType(name, directory, follows: false) {
            case S_IFREG: return image
            case S_IFDIR: return .folder
            case S_IFLNK: return fileType(name, directory, follows: true) == S_IFREG ? image : nil
            default: return nil
            }
        default: return nil
        }
    }

    /// Wraps `fstatat`.
    private static func fileType(_ name: UnsafePointer<CChar>, _ directory: OpaquePointer, follows: Bool) -> mode_t? {
        var info = stat()
        let flags = follows ? 0 : AT_SYMLINK_NOFOLLOW
        return fstatat(dirfd(directory), name, &info, flags) == 0 ? info.st_mode & S_IFMT : nil
    }

    private mutating func sort() {
        bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
            starts.sort { strcmp(base + Int($0) + 1, base + Int($1) + 1) < 0 }
        }
    }
}

/// The endings of images in a folder. A file that the user names is tried with any name.
///
/// The last ones cannot be decoded. They are still tried, so that the errors show them.
package enum ImageFileExtension {
    private static let known: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "webp", "bmp", "dib", "gif", "tif", "tiff", "heic", "heif", "avif",
    ]

    package static func isKnown(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: ".") else { return false }
        return known.contains(name[name.index(after: dot)...].lowercased())
    }
}

/// A folder whose images cannot be listed.
struct ListingError: Error, Sendable, CustomStringConvertible {
    let folder: String
    let description: String

    init(_ folder: String, _ number: Int32) {
        self.folder = folder
        description = "The folder cannot be read: \(String(cString: strerror(number)))."
    }
}
