/// An address in somebody else's words, less what may be a secret in it: user and password, query, fragment, and parts of the path
/// that are no plain words, as the tokens of links are. Pure.
enum AddressText {
    private static let longestSegment = 40
    private static let mostDigits = 3

    /// The word itself where it holds no address, and where its address holds no secret, such as `http://` in our own advice.
    static func withoutSecrets(_ word: Substring) -> Substring {
        guard let slashes = word.firstRange(of: "://") else { return word }
        let before = word[..<slashes.upperBound]
        // What closes a sentence or a bracket belongs to the words around the address.
        let closing = word[slashes.upperBound...].reversed().prefix { ".,;:!?)]}>\"'".contains($0) }.count
        let end = word.index(word.endIndex, offsetBy: -closing)
        let address = word[slashes.upperBound..<end]
        let plain = address.prefix { $0 != "?" && $0 != "#" }
        let parts = plain.split(separator: "/", omittingEmptySubsequences: false)
        guard let authority = parts.first else { return word }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let path = parts.dropFirst().map { isPlain($0) ? String($0) : "..." }
        return before + ([String(host)] + path).joined(separator: "/") + word[end...]
    }

    /// Words, numbers of versions and names; not what chance made.
    private static func isPlain(_ segment: Substring) -> Bool {
        guard segment.utf8.count <= longestSegment else { return false }
        var digits = 0
        var isAfterLetter = false
        for character in segment {
            guard character.isASCII, character.isLetter || character.isNumber || "-._~:+".contains(character) else {
                return false
            }
            if character.isNumber { digits += 1 }
            if character.isUppercase, isAfterLetter { return false }
            isAfterLetter = character.isLetter
        }
        return digits <= mostDigits
    }
}
