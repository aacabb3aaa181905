import HearthApp
import HearthCrypto
import HearthWire

/// The name of a segment's file. It has what the server must know about the items, and the order of the segments.
struct SegmentName: Hashable, Sendable {
    private static let suffix = "events"
    private static let digitCount = 19
    private static let journalByteCount = 16
    private static let journalCharacterCount = 22

    /// When the journal began, in microseconds since 1970. Only for the order of journals.
    let began: Int64
    /// 22 URL-safe characters.
    let journal: String
    /// The id of the installation in which the items happened.
    let installation: String
    /// The number of the first item.
    let first: Int64

    init(began: Int64, journal: String, installation: String, first: Int64) {
        self.began = max(0, began)
        self.journal = journal
        self.installation = installation
        self.first = first
    }

    /// nil for files that are not segments.
    init?(_ fileName: String) {
        let parts = fileName.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[4] == Self.suffix, Self.isJournal(parts[1]), InstallationID.isValid(parts[2]),
            let began = Self.number(parts[0]), let first = Self.number(parts[3])
        else { return nil }
        self.init(began: began, journal: parts[1], installation: parts[2], first: first)
    }

    var fileName: String {
        [Self.digits(began), journal, installation, Self.digits(first), Self.suffix].joined(separator: ".")
    }

    static func newJournal() -> String { Base64URL.encode(SecureRandom.bytes(journalByteCount)) }

    private static func isJournal(_ text: String) -> Bool {
        text.utf8.count == journalCharacterCount && Base64URL.decode(text)?.count == journalByteCount
    }

    private static func digits(_ number: Int64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, digitCount - digits.count)) + digits
    }

    private static func number(_ text: String) -> Int64? {
        text.utf8.count == digitCount && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }
}

extension SegmentName: Comparable {
    /// Journal by journal, because a server that remembers one number for each journal must get them in this order.
    static func < (left: SegmentName, right: SegmentName) -> Bool {
        (left.began, left.journal, left.first) < (right.began, right.journal, right.first)
    }
}
