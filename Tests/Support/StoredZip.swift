import Foundation

/// A zip of files as they are, without compression, with the fields that the console's script `zip.js` writes.
package struct StoredZip {
    package struct File {
        package var name: String
        package var bytes: [UInt8]
        /// The size that the zip announces, if it is not the right one.
        package var announcedBytes: Int?

        package init(_ name: String, _ bytes: [UInt8], announcedBytes: Int? = nil) {
            (self.name, self.bytes, self.announcedBytes) = (name, bytes, announcedBytes)
        }
    }

    package var files: [File]
    /// 8 for files that the zip says are compressed.
    package var method: UInt64 = 0

    package init(_ files: [File]) { self.files = files }

    /// The files of a folder, without the folders in it.
    package init(folder: String) throws {
        files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().compactMap { name in
            let path = folder + "/" + name
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
                return nil
            }
            return File(name, Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        }
    }

    package var bytes: [UInt8] {
        var body: [UInt8] = []
        var directory: [UInt8] = []
        for file in files {
            let offset = body.count
            let size = UInt64(file.announcedBytes ?? file.bytes.count)
            // Version 2.0, names in UTF-8, stored, the first day that the format has.
            let common = Self.fields([
                (2, 20), (2, 0x0800), (2, method), (2, 0), (2, 0x21), (4, UInt64(Self.checksum(file.bytes))),
                (4, UInt64(file.bytes.count)), (4, size), (2, UInt64(file.name.utf8.count)), (2, 0),
            ])
            let name = Array(file.name.utf8)
            for part in [Self.fields([(4, 0x0403_4B50)]), common, name, file.bytes] { body += part }
            directory += Self.fields([(4, 0x0201_4B50), (2, 20)])
            directory += common
            directory += Self.fields([(2, 0), (2, 0), (2, 0), (4, 0), (4, UInt64(offset))])
            directory += name
        }
        let count = UInt64(files.count)
        let end: [(Int, UInt64)] = [
            (4, 0x0605_4B50), (2, 0), (2, 0), (2, count), (2, count), (4, UInt64(directory.count)),
            (4, UInt64(body.count)), (2, 0),
        ]
        return body + directory + Self.fields(end)
    }

    private static func fields(_ values: [(Int, UInt64)]) -> [UInt8] {
        values.flatMap { size, value in (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) } }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
    }
}
