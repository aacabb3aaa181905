/// Who gets how much of a fixed number of bytes, and who waits for some: in the order of asking. Whoever asks for little does
/// not get past one who waits for much and would otherwise wait for ever.
struct MemoryLine {
    enum Answer: Hashable {
        case granted
        /// Until `giveBack` names it.
        case waits(id: Int)
        /// More than there is altogether.
        case isTooMuch
    }

    let byteCount: Int
    private(set) var usedByteCount = 0
    private var waiting: [(id: Int, byteCount: Int)] = []
    private var lastID = 0

    init(byteCount: Int) { self.byteCount = byteCount }

    var waitingCount: Int { waiting.count }

    mutating func ask(for count: Int) -> Answer {
        guard count <= byteCount else { return .isTooMuch }
        if waiting.isEmpty, count <= byteCount - usedByteCount {
            usedByteCount += count
            return .granted
        }
        lastID += 1
        waiting.append((lastID, count))
        return .waits(id: lastID)
    }

    /// More for one who has some already and cannot wait with it in hand. False where there is not so much left.
    mutating func add(_ count: Int) -> Bool {
        guard count <= byteCount - usedByteCount else { return false }
        usedByteCount += count
        return true
    }

    /// - Returns: who waits no longer, and has what it asked for.
    mutating func giveBack(_ count: Int) -> [Int] {
        usedByteCount -= count
        var granted: [Int] = []
        while let first = waiting.first, first.byteCount <= byteCount - usedByteCount {
            waiting.removeFirst()
            usedByteCount += first.byteCount
            granted.append(first.id)
        }
        return granted
    }
}
