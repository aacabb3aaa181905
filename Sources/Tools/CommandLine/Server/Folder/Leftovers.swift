/// What lies beside a database that knows nothing of it, counted.
struct Leftovers: Equatable {
    var blobEntries = 0
    var keys = 0
    var credentials: [String] = []
    var logs: [String] = []

    var isEmpty: Bool { blobEntries == 0 && keys == 0 && credentials.isEmpty && logs.isEmpty }

    /// As where somebody put a key there before the first start.
    var isKeysOnly: Bool { keys > 0 && blobEntries == 0 && credentials.isEmpty && logs.isEmpty }

    /// In words, such as `34 model files and a key`.
    var text: String {
        var parts: [String] = []
        if blobEntries > 0 { parts.append(Quantity.text(blobEntries, "file") + " in blobs") }
        if keys > 0 { parts.append(Quantity.text(keys, "file") + " in keys") }
        if !credentials.isEmpty { parts.append(Quantity.text(credentials.count, "file") + " in credentials") }
        parts += logs
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "nothing" }
        return parts.dropLast().joined(separator: ", ") + " and " + last
    }
}
