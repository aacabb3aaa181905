import HearthCompression

/// The zip at the end of some bytes: a whole `.zip` file, or a zip appended to a model. Its offsets count from the
/// first byte of the model, or from that of the zip. Init checks everything that a member needs, before any member is decompressed.
package struct ZipArchive: Sendable {
    /// A file in the zip.
    package struct Member: Sendable, Equatable {
        /// A relative path with forward slashes and without `..`.
        package let name: String
        /// The number of bytes after decompression.
        package let byteCount: Int
        let crc: UInt32
        let isDeflated: Bool
        let headerOffset: Int
        /// The range of the stored bytes.
        let data: Range<Int>
    }

    /// The files in directory order, without folders.
    package let members: [Member]

    /// The offset of the zip's first byte. Before it there is a model's flatbuffer, or nothing.
    package let start: Int

    private let bytes: ModelBytes

    /// Opens the zip at the end of `bytes`; nil when there is none.
    /// - Throws: `invalidBundle` when it is damaged, `tooLarge`, `unsupported` (encrypted, ZIP64, unknown compression).
    package init?(in bytes: ModelBytes, limits: ZipLimits = ZipLimits()) throws(ModelFileError) {
        guard let end = try ZipDirectory.find(in: bytes) else { return nil }
        let entries = try end.entries(limits: limits)
        self.bytes = bytes
        start = entries.map(\.headerOffset).min() ?? end.start
        members = entries.filter { !$0.name.hasSuffix("/") }
    }

    /// The member with exactly this name.
    package func member(named name: String) -> Member? {
        members.first { $0.name == name }
    }

    /// The decompressed bytes of a member of this archive, checked against their CRC-32.
    /// - Throws: `invalidBundle` when they are damaged.
    package func contents(of member: Member) throws(ModelFileError) -> [UInt8] {
        let contents = try bytes.withUnsafeBytes { all throws(ModelFileError) in
            let stored = UnsafeRawBufferPointer(rebasing: all[member.data])
            guard member.isDeflated else { return [UInt8](stored) }
            do throws(CompressionError) {
                return try Inflate.raw(stored, expectedCount: member.byteCount)
            } catch {
                throw ModelFileError(
                    .invalidBundle, "the zip's file \(member.name.quoted) is damaged: \(error.message)",
                    cause: error)
            }
        }
        guard CRC32.checksum(contents) == member.crc else {
            throw ModelFileError(
                .invalidBundle, "the zip's file \(member.name.quoted) is damaged: its checksum does not match")
        }
        return contents
    }
}

/// The most that a zip may contain. Each limit is inclusive.
package struct ZipLimits: Sendable, Equatable {
    /// Entries, including folders.
    package var members = 1_000
    /// Decompressed bytes of one member.
    package var bytesPerMember = 1 << 30
    /// Decompressed bytes of all members.
    package var totalBytes = 2 << 30

    package init() {}
}
