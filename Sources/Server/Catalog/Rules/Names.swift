/// The names that the service accepts.
package enum Names {
    /// `[A-Za-z0-9_-]{1,32}`: display names and tags.
    package static func isDisplayName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && text.utf8.allSatisfy(isNameCharacter)
    }

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

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x2D || byte == 0x5F
    }

    private static func isBucketCharacter(_ byte: UInt8) -> Bool {
        ASCII.isSmallLetter(byte) || ASCII.isDigit(byte) || byte == 0x2D || byte == 0x5F || byte == 0x2E
    }
}

/// Classes of the bytes that names consist of.
enum ASCII {
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func isSmallLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    static func isCapitalLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    static func isLetter(_ byte: UInt8) -> Bool { isSmallLetter(byte) || isCapitalLetter(byte) }
}
