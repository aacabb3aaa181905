/// Collects the header lines that curl delivers one by one, and makes the head of the final answer.
struct ResponseHeadParser {
    /// More bytes than any real server sends. It counts all header lines, so that endless interim answers or trailers
    /// end too.
    static let limitBytes = 256 << 10

    private var bytes = 0
    private var status: Int?
    private var headers = TransportHeaders()
    private(set) var head: TransportResponseHead?

    /// Takes one line with its line end. Returns the head when this line completes it. Ignores trailers.
    ///
    /// - Throws: `tooLarge` above `limitBytes`.
    mutating func take(_ line: UnsafeRawBufferPointer, host: String) throws(TransportError) -> TransportResponseHead? {
        bytes += line.count
        guard bytes <= Self.limitBytes else {
            throw TransportError(.tooLarge, "\(host) sent more than \(Self.limitBytes) bytes of headers")
        }
        guard head == nil else { return nil }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            status = Self.trimmed(text).split(separator: " ").dropFirst().first.flatMap { Int($0) }
            headers = TransportHeaders()
            return nil
        }
        return text == "\r\n" || text == "\n" ? complete() : add(text)
    }

    private mutating func complete() -> TransportResponseHead? {
        guard let status, status >= 200 else { return nil }
        head = TransportResponseHead(status: status, headers: headers)
        return head
    }

    private mutating func add(_ text: String) -> TransportResponseHead? {
        if text.first == " " || text.first == "\t" {
            headers.continueLast(Self.trimmed(text))
        } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
            headers.append(
                name: Self.trimmed(text[..<colon]), value: Self.trimmed(text[text.utf8.index(after: colon)...]))
        }
        return nil
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let blank: Set<UInt8> = [0x20, 0x09, 0x0d, 0x0a]
        let end = text.utf8.reversed().drop { blank.contains($0) }.count
        return String(decoding: text.utf8.prefix(end).drop { blank.contains($0) }, as: UTF8.self)
    }
}
