import Foundation
import HearthAdmin
import HearthArguments
import HearthCalls
import HearthCrypto
import HearthLocalCommands
import HearthWire

/// Image files of the user, with the names and expected answers that they get on the server.
struct ImageFiles {
    let path: String
    let name: String
    let label: String?

    func bytes() throws -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw CommandFailure("Cannot read \(path): \(error.localizedDescription)", cause: error)
        }
    }

    /// A file, or the images in a folder and in the folders below it: one for each expected answer.
    static func found(at path: String, label: String?) throws -> [ImageFiles] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandFailure("There is no file or folder \(path).", code: "NOT_FOUND")
        }
        let name = URL(fileURLWithPath: path).lastPathComponent
        guard isFolder.boolValue else {
            guard ImageFileExtension.isKnown(name) else {
                throw CommandFailure(
                    "\(path) has no name of an image file, such as 1.jpg or 1.png.", code: "INVALID_ARGUMENT")
            }
            return [ImageFiles(path: path, name: name, label: label)]
        }
        return try names(in: path).flatMap { entry -> [ImageFiles] in
            let place = path + "/" + entry
            guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder), isFolder.boolValue else {
                return ImageFileExtension.isKnown(entry) ? [ImageFiles(path: place, name: entry, label: label)] : []
            }
            return try names(in: place).filter(ImageFileExtension.isKnown).map {
                ImageFiles(path: place + "/" + $0, name: entry + "/" + $0, label: label ?? entry)
            }
        }
    }

    private static func names(in folder: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            throw CommandFailure("Cannot read the folder \(folder): \(error.localizedDescription)", cause: error)
        }
    }
}
