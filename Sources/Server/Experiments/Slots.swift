/// Distributes a project's installations at random over a million slots. Each running experiment owns some slots.
package enum Slots {
    package static let count = 1_000_000

    /// 0 to 999,999, always the same for an installation: the first eight bytes of the SHA-256 of
    /// `slot/project/installation`, big-endian, modulo a million.
    package static func slot(of installationID: String, project: String) -> Int {
        Int(StableHash.number("slot/\(project)/\(installationID)") % UInt64(count))
    }

    /// `wanted` free slots. The search starts at `start` and continues from 0 after the last slot; nil if there are too
    /// few.
    ///
    /// - Parameter taken: in any order; they may touch and overlap.
    package static func allocate(_ wanted: Int, avoiding taken: [Range<Int>], startingAt start: Int) -> [Range<Int>]? {
        let free = free(avoiding: taken)
        let start = start % count
        // First the slots after the start, then those before it.
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
