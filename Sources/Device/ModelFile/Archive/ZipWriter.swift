import HearthCompression

/// Creates a zip of stored members and appends it to some bytes, with offsets that count from the first of these bytes,
/// as readers of models expect. The same members produce the same bytes: no times, no flags, no extra fields.
package struct ZipWriter: Sendable, Equatable {
    private var names: [String] = []
    private var contents: [String: [UInt8]] = [:]

    package init() {}

    /// Adds a member at the end. A member with this name and equal bytes stays unchanged.
    /// - Parameter replacing: Whether an existing member with this name gets the new bytes, at its old position.
    /// - Throws: `invalidBundle` when the name is unsafe, or when other bytes have it and may not be replaced.
    package mutating func add(_ name: String, _ bytes: [UInt8], replacing: Bool = false) throws(ModelFileError) {
        guard ZipName.isSafe(name), !name.hasSuffix("/"), name.utf8.count <= 0xFFFF else {
            throw ModelFileError(.invalidBundle, "\(name.quoted) cannot be the name of a file in a zip")
        }
        guard let existing = contents[name] else {
            names.append(name)
            contents[name] = bytes
            return
        }
        guard replacing || existing == bytes else {
            throw ModelFileError(
                .invalidBundle, "the model's zip already has another \(name.quoted); rename one of the two")
        }
        contents[name] = bytes
    }

    /// Adds all files of `archive` in their order.
    /// - Throws: The errors of ``add(_:_:replacing:)``, and those for a damaged member.
    package mutating func add(contentsOf archive: ZipArchive) throws(ModelFileError) {
        for member in archive.members {
            try add(member.name, archive.contents(of: member))
        }
    }

    /// Whether no member was added.
    package var isEmpty: Bool { names.isEmpty }

    /// The bytes of a member that was added; nil if there is none with this name.
    package func contents(of name: String) -> [UInt8]? {
        contents[name]
    }

    /// Returns the bytes of `base` followed by the zip, whose end record is the last 22 bytes.
    /// - Throws: `tooLarge` when the file would exceed 4 GiB or 65,534 members.
    package func appended(to base: [UInt8]) throws(ModelFileError) -> [UInt8] {
        var directory = Bytes()
        var body = Bytes(values: base)
        for name in names {
            let bytes = contents[name] ?? []
            let offset = body.values.count
            guard offset + bytes.count < 0xFFFF_0000, names.count < 0xFFFF else {
                throw ModelFileError(.tooLarge, "the files are too large or too many for a zip")
            }
            let fields = Self.commonFields(of: bytes, nameCount: name.utf8.count)
            body.append(long: 0x0403_4B50)
            body.values += fields
            body.values += name.utf8
            body.values += bytes
            directory.append(long: 0x0201_4B50)
            directory.append(short: Self.version)
            directory.values += fields
            // Comment length, disk, and internal and external attributes: all zero.
            directory.values += [UInt8](repeating: 0, count: 10)
            directory.append(long: offset)
            directory.values += name.utf8
        }
        let start = body.values.count
        guard start + directory.values.count < 0xFFFF_0000 else {
            throw ModelFileError(.tooLarge, "the files are too large for a zip")
        }
        body.values += directory.values
        body.append(long: 0x0605_4B50)
        body.append(long: 0)
        body.append(short: names.count)
        body.append(short: names.count)
        body.append(long: directory.values.count)
        body.append(long: start)
        body.append(short: 0)
        return body.values
    }

    /// Stored members need version 1.0 of the format.
    private static let version = 10
    /// The first day that the format can express, 1980-01-01.
    private static let date = 0x0021

    /// The fields that local header and directory entry share, from "version needed" to the length of the extra field.
    private static func commonFields(of bytes: [UInt8], nameCount: Int) -> [UInt8] {
        var fields = Bytes()
        fields.append(short: version)
        fields.append(short: 0)
        fields.append(short: 0)
        fields.append(short: 0)
        fields.append(short: date)
        fields.append(long: Int(CRC32.checksum(bytes)))
        fields.append(long: bytes.count)
        fields.append(long: bytes.count)
        fields.append(short: nameCount)
        fields.append(short: 0)
        return fields.values
    }

    /// Little-endian output.
    private struct Bytes {
        var values: [UInt8] = []

        mutating func append(short value: Int) {
            values += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }

        mutating func append(long value: Int) {
            append(short: value)
            append(short: value >> 16)
        }
    }
}
