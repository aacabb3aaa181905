/// What a requirement refuses on so many images.
struct RefusalRule {
    /// The results that it refuses: on all images that it judges at once, or on those of the expected answer that has the
    /// fewest. For agreement, the results that it accepts.
    let region: PairedRegion
    private let accepts: Bool
    /// The results that it refuses on the images of the other expected answers, if it judges each alone, and how many
    /// of these are alike.
    private let others: [(region: PairedRegion, count: Int)]

    /// Nil if there are no images on which it could judge.
    init?(_ requirement: RehearsalRequirement, _ counts: RehearsalCounts) {
        let all = GateErrors.judged(by: requirement, counts)
        guard all > 0 else { return nil }
        accepts = requirement.kind == .agreement
        guard requirement.judgesLabelsAlone else {
            region = requirement.region(images: all, level: RehearsalRequirement.level)
            others = []
            return
        }
        let level = RehearsalRequirement.level / Double(counts.labels.count)
        let alike = Dictionary(grouping: counts.labels) { $0 }.sorted { $0.key < $1.key }
        let regions = alike.map { (region: requirement.region(images: $0.key, level: level), count: $0.value.count) }
        region = regions[0].region
        others = [(region, regions[0].count - 1)] + regions.dropFirst()
    }

    var images: Int { region.images }

    /// How often it refuses a version that is as good as the one before, if this share of the answers differs.
    func equalRefused(share: Double) -> Double {
        let passes = others.reduce(1 - refused(share: share, loss: 0)) { passes, other in
            let one = 1 - other.region.chance(lost: share / 2, gained: share / 2)
            return (0..<other.count).reduce(passes) { product, _ in product * one }
        }
        return max(0, 1 - passes)
    }

    /// How often it refuses a version that loses this share of the answers, beyond those that differ anyway.
    func refused(share: Double, loss: Double) -> Double {
        // More than all answers cannot be lost.
        let chance = region.chance(lost: min(share / 2 + loss, 1 - share / 2), gained: share / 2)
        return accepts ? 1 - chance : chance
    }
}

extension RehearsalRequirement {
    var asksForShownLoss: Bool { kind == .shownLoss || kind == .labelShownLoss }
    var judgesLabelsAlone: Bool { kind == .labelAccuracy || kind == .labelShownLoss }

    /// The results on so many images that it refuses; for agreement, those that it accepts.
    func region(images: Int, level: Double) -> PairedRegion {
        switch kind {
        case .agreement:
            // It counts the answers that differ, whichever is right.
            let most = (Self.whole - value) * images / Self.whole
            return PairedRegion(images: images) { lost in most - lost }
        case .accuracy, .labelAccuracy:
            return PairedRegion(images: images) { lost in
                // The largest number of gained answers with (gained - lost) / images below the allowed change.
                let bound = value * images + lost * Self.whole
                return bound > 0 ? (bound - 1) / Self.whole : -1
            }
        case .shownLoss, .labelShownLoss:
            return LossTest(images: images, limit: limit, level: level).region
        }
    }

    /// Of all images, or of those of one expected answer, which gets its part of the level.
    func lossTest(images: Int, of counts: RehearsalCounts) -> LossTest {
        LossTest(
            images: images, limit: limit, level: Self.level / Double(judgesLabelsAlone ? counts.labels.count : 1))
    }
}
