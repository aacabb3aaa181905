/// Some of the results that two versions can have on the same images, such as those that a requirement refuses.
///
/// Of each image with an expected answer, one of three things is true: only the earlier version gave the answer (it is
/// lost), only the new version gave it (it is gained), or the versions do not differ in it. Only the numbers of lost and
/// gained answers tell the versions apart.
struct PairedRegion: Sendable, Hashable {
    let images: Int
    /// By number of lost answers, the largest number of gained ones that is in the region; negative where none is. All
    /// smaller numbers are in it too.
    let mostGained: [Int]

    /// - Parameter mostGained: the largest number of gained answers with so many lost ones; negative for none.
    init(images: Int, mostGained: (_ lost: Int) -> Int) {
        self.images = images
        self.mostGained = (0...images).map { min(mostGained($0), images - $0) }
    }

    /// The fewest lost answers in the region when none is gained; nil if there are none.
    var leastLost: Int? { mostGained.firstIndex { $0 >= 0 } }

    /// The chance of a result in the region.
    ///
    /// - Parameters:
    ///   - lost: the chance that an image's answer is lost.
    ///   - gained: the chance that it is gained.
    func chance(lost: Double, gained: Double) -> Double {
        // Of the answers that are not lost, each is gained with the same chance.
        let share = lost < 1 ? gained / (1 - lost) : 0
        return BinomialChance.counts(of: images, lost).reduce(0) { sum, number in
            let most = mostGained[number.count]
            guard most >= 0 else { return sum }
            return sum + number.chance * BinomialChance.atMost(most, of: images - number.count, share)
        }
    }
}
