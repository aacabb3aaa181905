import HearthWire

/// The names that the service accepts.
package enum Names {
    /// `[a-z0-9-]{6,30}`.
    package static func isProjectID(_ text: String) -> Bool {
        (6...30).contains(text.utf8.count)
            && text.utf8.allSatisfy { ASCII.isSmallLetter($0) || ASCII.isDigit($0) || $0 == 0x2D }
    }

    /// The numeric id of a model, or nil: `get`, `patch` and `delete` accept numbers only.
    package static func modelID(_ text: String) -> Int64? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isDigit) else {
            return nil
        }
        return Int64(text)
    }

    /// Splits `gs://bucket/object`; nil for any other form.
    package static func gcsObject(_ uri: String) -> (bucket: String, name: String)? {
        guard uri.hasPrefix("gs://") else { return nil }
        let rest = uri.dropFirst(5)
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        let bucket = rest[..<slash]
        let name = rest[rest.index(after: slash)...]
        guard (3...63).contains(bucket.utf8.count), bucket.utf8.allSatisfy(isBucketCharacter),
            isObjectName(String(name))
        else { return nil }
        return (String(bucket), String(name))
    }

    /// 1 to 1024 bytes of UTF-8 without control characters.
    package static func isObjectName(_ text: String) -> Bool {
        (1...1024).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    private static func isBucketCharacter(_ byte: UInt8) -> Bool {
        ASCII.isSmallLetter(byte) || ASCII.isDigit(byte) || byte == 0x2D || byte == 0x5F || byte == 0x2E
    }
}
