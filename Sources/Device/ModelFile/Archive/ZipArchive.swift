import HearthCompression

/// The zip at the end of some bytes: a whole `.zip` file, or the one appended to a model. Its offsets count from the
/// first byte in both cases. Everything that a member needs is checked at init, before any of it is decompressed.
package struct ZipArchive: Sendable {
    /// A file in the zip.
    package struct Member: Sendable, Equatable {
        /// Relative, with forward slashes, without `..`.
        package let name: String
        /// Bytes once decompressed.
        package let byteCount: Int
        let crc: UInt32
        let isDeflated: Bool
        let headerOffset: Int
        /// Where the stored bytes lie.
        let data: Range<Int>
    }

    /// The files in directory order; folders are left out.
    package let members: [Member]

    /// Where the zip begins: what comes before is a model's flatbuffer, or nothing.
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
                    .invalidBundle, "the zip's file \(member.name.quoted) is damaged: \(error.message)")
            }
        }
        guard CRC32.checksum(contents) == member.crc else {
            throw ModelFileError(
                .invalidBundle, "the zip's file \(member.name.quoted) is damaged: its checksum does not match")
        }
        return contents
    }
}

/// What a zip may ask for. Each limit is inclusive.
package struct ZipLimits: Sendable, Equatable {
    /// Entries, folders included.
    package var members = 1_000
    /// Bytes of one member once decompressed.
    package var bytesPerMember = 1 << 30
    /// Bytes of all members once decompressed.
    package var totalBytes = 2 << 30

    package init() {}
}
