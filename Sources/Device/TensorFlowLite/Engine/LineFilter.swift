/// Lets a stream of bytes through, except for the first occurrence of one line while it is active.
struct LineFilter {
    /// Whether the line is looked for.
    var isActive = false
    private(set) var hasDropped = false
    /// Its first byte must occur in it only once: after a mismatch the search then starts anew without going back.
    private let line: [UInt8]
    private var matchedCount = 0

    init(dropping line: String) {
        self.line = Array(line.utf8)
    }

    /// - Returns: What to write now. Bytes that may begin the line are held back until it is clear what they are.
    mutating func filter(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var passed: [UInt8] = []
        for byte in bytes {
            if isActive, !hasDropped, byte == line[matchedCount] {
                matchedCount += 1
                if matchedCount == line.count {
                    hasDropped = true
                    matchedCount = 0
                }
            } else {
                passed += takeHeldBytes()
                if isActive, !hasDropped, byte == line[0] {
                    matchedCount = 1
                } else {
                    passed.append(byte)
                }
            }
        }
        return passed
    }

    /// Gives up the bytes held back.
    mutating func takeHeldBytes() -> [UInt8] {
        defer { matchedCount = 0 }
        return Array(line[..<matchedCount])
    }
}
