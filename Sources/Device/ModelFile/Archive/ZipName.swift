/// Names of files in a zip. Only those are accepted that stay below the folder they would be unpacked into.
enum ZipName {
    static func read(_ bytes: ModelBytes, _ range: Range<Int>) throws(ModelFileError) -> String {
        let decoded = bytes.withUnsafeBytes { String(validating: $0[range], as: UTF8.self) }
        guard let decoded else {
            throw ModelFileError(.invalidBundle, "the zip has a file whose name is not UTF-8; rename it")
        }
        guard isSafe(decoded) else {
            throw ModelFileError(.invalidBundle, "the zip has a file with the forbidden name \(decoded.quoted)")
        }
        return decoded
    }

    static func isSafe(_ name: String) -> Bool {
        guard !name.isEmpty, !name.hasPrefix("/"), !name.contains("\\"), !name.utf8.contains(where: { $0 < 0x20 })
        else { return false }
        // A folder's name ends with a slash, which leaves one empty part at the end.
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return !(name.hasSuffix("/") ? parts.dropLast() : parts[...]).contains { ["", ".", ".."].contains($0) }
    }
}
