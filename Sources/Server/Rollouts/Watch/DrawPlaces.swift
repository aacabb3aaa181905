import HearthCatalog

/// Which places in the draw of a release belong to which arm. A place is 0 to 999,999; a share includes the places below
/// it.
///
/// Each change of the share begins a new stage. Some places belong to no arm for ever: those that were offered the version
/// before the watch began, and those that a lowered share took it back from. Both would hold other devices in one arm
/// than in the other.
package struct DrawPlaces: Sendable, Hashable, Codable {
    /// In millionths.
    package private(set) var share: Int
    /// How often the share changed since the watch began; stays at the highest number.
    package private(set) var stage: UInt8 = 0
    /// The share of the stage before: places from there on are new in the version's arm.
    private var shareBefore = 0
    /// The largest share so far, also before the watch began.
    package private(set) var highest: Int
    /// The places in no arm, ascending.
    private var excluded: [Range<Int>] = []

    static let lastStage: UInt8 = 250

    /// - Parameters:
    ///   - share: the present one.
    ///   - offered: the largest share before the watch began; 0 for a new release.
    package init(share: Int, offered: Int) {
        self.share = share
        highest = max(share, offered)
        shareBefore = offered
        if offered > 0 { exclude(0..<offered) }
    }

    /// Nil for a place in no arm.
    package func arm(of place: Int) -> Arm? {
        if excluded.contains(where: { $0.contains(place) }) { return nil }
        return place < share ? .version : .baseline
    }

    /// Whether the device has been in the version's arm since this stage only.
    func isNew(_ place: Int, enteredAt stage: UInt8) -> Bool { stage == self.stage || place >= shareBefore }

    mutating func set(_ share: Int) {
        guard share != self.share else { return }
        if share < self.share { exclude(share..<highest) }
        shareBefore = min(share, self.share)
        self.share = share
        highest = max(highest, share)
        if stage < Self.lastStage { stage += 1 }
    }

    /// Whether the numbers are in their ranges, which stored ones may not be.
    var isWhole: Bool {
        let places = 0...Release.fullShare
        return stage <= Self.lastStage && places.contains(highest)
            && [share, shareBefore].allSatisfy((0...highest).contains)
            && excluded.allSatisfy { places.contains($0.lowerBound) && places.contains($0.upperBound) }
    }

    /// The share of all places that are in some arm, 0 to 1.
    package var compared: Double {
        1 - Double(excluded.reduce(0) { $0 + $1.count }) / Double(Release.fullShare)
    }

    private mutating func exclude(_ places: Range<Int>) {
        var all = places
        excluded.removeAll { each in
            guard each.lowerBound <= all.upperBound, all.lowerBound <= each.upperBound else { return false }
            all = min(all.lowerBound, each.lowerBound)..<max(all.upperBound, each.upperBound)
            return true
        }
        excluded.append(all)
        excluded.sort { $0.lowerBound < $1.lowerBound }
    }
}
