/// The name of an uploaded file, which the server keeps at an address such as `gs://bucket/folder/name`.
enum FileName {
    /// Nil for other texts.
    static func of(_ address: String) -> String? {
        guard address.hasPrefix("gs://") else { return nil }
        let parts = address.dropFirst(5).split(separator: "/")
        return parts.count > 1 ? parts.last.map(String.init) : nil
    }
}
