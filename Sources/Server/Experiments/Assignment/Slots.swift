import HearthCrypto

/// A project's installations in a million slots, drawn by chance. A running experiment owns some of them.
public enum Slots {
    public static let count = 1_000_000

    /// 0 to 999,999, the same for an installation always: the first eight bytes of the SHA-256 of
    /// `slot/project/installation`, big-endian, modulo a million.
    public static func slot(of installationID: String, project: String) -> Int {
        Int(Draw.number("slot/\(project)/\(installationID)") % UInt64(count))
    }

    /// So many free slots, beginning the search at `start` and going around; nil where there are not as many.
    ///
    /// - Parameter taken: in any order; they may touch and overlap.
    public static func allocate(_ wanted: Int, avoiding taken: [Range<Int>], startingAt start: Int) -> [Range<Int>]? {
        let free = free(avoiding: taken)
        let start = start % count
        // What lies behind the start first, then what lies before it.
        let turned = free.flatMap { [$0.clamped(to: start..<count)] } + free.flatMap { [$0.clamped(to: 0..<start)] }
        var missing = wanted
        var found: [Range<Int>] = []
        for range in turned where missing > 0 && !range.isEmpty {
            let part = range.prefix(missing)
            found.append(part.startIndex..<part.endIndex)
            missing -= part.count
        }
        return missing == 0 ? found.sorted { $0.lowerBound < $1.lowerBound } : nil
    }

    private static func free(avoiding taken: [Range<Int>]) -> [Range<Int>] {
        var free: [Range<Int>] = []
        var next = 0
        for range in taken.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > next { free.append(next..<range.lowerBound) }
            next = max(next, range.upperBound)
        }
        if next < count { free.append(next..<count) }
        return free
    }
}

/// Numbers that look drawn by chance, and are the same for the same text always.
enum Draw {
    /// The first eight bytes of the text's SHA-256, big-endian.
    static func number(_ text: String) -> UInt64 {
        SHA256Hasher.hash(text.utf8).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
