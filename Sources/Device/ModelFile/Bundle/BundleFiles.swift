import Foundation

/// The files beside a model: in a folder on disk, or in a folder inside a zip.
enum BundleFiles {
    case none
    case folder(String)
    /// The prefix is empty or ends with a slash.
    case archive(ZipArchive, prefix: String)

    /// The plain names of the files.
    func names() throws(ModelFileError) -> [String] {
        switch self {
        case .none: return []
        case .folder(let path):
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
                throw ModelFileError(.unreadable, "the folder '\(path)' cannot be read")
            }
            return names.sorted()
        case .archive(let archive, let prefix):
            return archive.members.map(\.name).filter { $0.hasPrefix(prefix) }.map {
                String($0.dropFirst(prefix.count))
            }
            .filter { !$0.contains("/") }
        }
    }

    func has(_ name: String) -> Bool {
        switch self {
        case .none: false
        case .folder(let path): FileManager.default.fileExists(atPath: Self.path(of: name, in: path))
        case .archive(let archive, let prefix): archive.member(named: prefix + name) != nil
        }
    }

    /// The bytes of a model file.
    /// - Throws: `notFound` when there is no such file.
    func model(_ name: String, limitBytes: Int) throws(ModelFileError) -> ModelBytes {
        switch self {
        case .none: throw Self.missing(name)
        case .folder(let path):
            return try ModelBytes(
                contentsOfFile: Self.path(of: name, in: path), limitBytes: limitBytes, followsLinks: false)
        case .archive: return try ModelBytes(copying: text(name, limitBytes: limitBytes))
        }
    }

    /// The bytes of a small file, which may be empty.
    /// - Parameter followsLinks: Whether the file may be a link. A file that a manifest names may not.
    /// - Throws: `notFound` when there is no such file.
    func text(_ name: String, limitBytes: Int, followsLinks: Bool = false) throws(ModelFileError) -> [UInt8] {
        switch self {
        case .none: throw Self.missing(name)
        case .folder(let path):
            return try Self.text(Self.path(of: name, in: path), limitBytes: limitBytes, followsLinks: followsLinks)
        case .archive(let archive, let prefix):
            guard let member = archive.member(named: prefix + name) else {
                throw ModelFileError(.notFound, "there is no file \(name.quoted) in the zip")
            }
            guard member.byteCount <= limitBytes else {
                throw ModelFileError(.tooLarge, "the zip's file \(name.quoted) has more than \(limitBytes) bytes")
            }
            return try archive.contents(of: member)
        }
    }

    private static func missing(_ name: String) -> ModelFileError {
        ModelFileError(.notFound, "there is no file \(name.quoted) beside the model")
    }

    /// The bytes of a small file on disk, which may be empty.
    static func text(_ path: String, limitBytes: Int, followsLinks: Bool) throws(ModelFileError) -> [UInt8] {
        do throws(ModelFileError) {
            let bytes = try ModelBytes(contentsOfFile: path, limitBytes: limitBytes, followsLinks: followsLinks)
            return bytes.withUnsafeBytes { [UInt8]($0) }
        } catch  where error.code == .empty {
            return []
        }
    }

    static func path(of name: String, in folder: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }
}
