/// How often a requirement errs on so many images: how often it refuses a version that is as good as the one before, and
/// from which loss on it refuses nearly all.
///
/// Premises: the images are independent of each other. Each answer that differs is right in one of the versions, as often in
/// the one as in the other if the versions are equally good; where both answers are wrong, fewer answers count, and an equal
/// version is refused less often. A worse version loses answers beyond those. With these, the numbers of lost and gained
/// answers are trinomial, and the chances are exact.
package struct GateErrors: Sendable, Hashable {
    /// The shares of answers that differ between two versions, for which the chances are given.
    package static let shares = [0.03, 0.05, 0.1]
    /// The share that is named where there is room for one.
    static let usualShare = 0.05
    /// How often a loss must be refused to count as found.
    private static let power = 0.8

    /// The images on which it judges: all, those with an expected answer, or the fewest of one expected answer.
    package let images: Int
    /// By `shares`, how often it refuses a version that is as good as the one before.
    package let equalRefused: [Double]
    /// By `shares`, the smallest loss that it refuses in four of five cases, as a share of the images rounded up to a
    /// thousandth. Nil if it finds no loss that often, and for agreement, which looks for none. For a requirement on each
    /// expected answer: a loss in the one with the fewest images.
    package let foundLoss: [Double?]
    /// For a requirement that asks for a shown loss: the fewest lost answers that it refuses when none is gained. Nil if
    /// these images cannot show a loss, and for other requirements.
    package let leastLost: Int?

    /// Nil if the images cannot answer the requirement.
    init?(of requirement: RehearsalRequirement, on counts: RehearsalCounts) {
        guard let rule = RefusalRule(requirement, counts) else { return nil }
        images = rule.images
        equalRefused = Self.shares.map(rule.equalRefused)
        foundLoss = Self.shares.map { share in
            requirement.kind == .agreement
                ? nil : Self.smallest { loss in rule.refused(share: share, loss: loss) >= Self.power }
        }
        leastLost = requirement.asksForShownLoss ? rule.region.leastLost : nil
    }

    /// The images on which the requirement can judge.
    static func judged(by requirement: RehearsalRequirement, _ counts: RehearsalCounts) -> Int {
        requirement.kind.needsExpectedAnswers ? counts.labeled : counts.images
    }

    /// The smallest number of thousandths that holds, as a share; nil if none does.
    private static func smallest(_ holds: (Double) -> Bool) -> Double? {
        guard !holds(0) else { return 0 }
        guard holds(1) else { return nil }
        var (no, yes) = (0, 1000)
        while yes - no > 1 {
            let middle = (no + yes) / 2
            if holds(Double(middle) / 1000) { yes = middle } else { no = middle }
        }
        return Double(yes) / 1000
    }

    /// A chance or a share as text: `27%`, `4.8%`, `below 0.1%`.
    package static func text(_ share: Double) -> String {
        let tenths = Int((share * 1000).rounded())
        if share > 0, tenths == 0 { return "below 0.1%" }
        return tenths < 100 && tenths % 10 != 0 ? "\(tenths / 10).\(tenths % 10)%" : "\((tenths + 5) / 10)%"
    }
}

/// What a requirement refuses on so many images.
struct RefusalRule {
    /// The results that it refuses: on all images that it judges at once, or on those of the expected answer that has the
    /// fewest. For agreement, the results that it accepts.
    let region: PairedRegion
    private let accepts: Bool
    /// The same for the other expected answers, if it judges each alone, and how many are alike.
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
            return LossTest(images: images, limit: Double(value) / Double(Self.whole), level: level).region
        }
    }

    /// What it cannot tell on so many images: for one that refuses only a shown loss, the smallest; for others, how often
    /// they refuse an equally good version. Nil if there is nothing to say.
    func note(on counts: RehearsalCounts) -> String? {
        guard asksForShownLoss else { return warning(on: counts) }
        let images = judgesLabelsAlone ? counts.labels.min() ?? 0 : counts.labeled
        guard images > 0 else { return nil }
        let level = Self.level / Double(judgesLabelsAlone ? counts.labels.count : 1)
        let place = judgesLabelsAlone ? "\(images) images, the fewest of an expected answer," : "\(images) images"
        let test = LossTest(images: images, limit: Double(value) / Double(Self.whole), level: level)
        guard let least = test.leastLost else { return "\(text): \(place) cannot show such a loss" }
        return "\(text): \(place) show such a loss from \(least) lost answers on "
            + "(\(GateErrors.text(Double(least) / Double(images)))), and only later if others are gained"
    }

    /// How often it refuses equally good versions, if that is more often than a requirement of a shown loss does.
    func warning(on counts: RehearsalCounts) -> String? {
        guard !asksForShownLoss, let rule = RefusalRule(self, counts) else { return nil }
        let rate = rule.equalRefused(share: GateErrors.usualShare)
        guard rate > Self.level else { return nil }
        let other: String? =
            switch kind {
            case .accuracy where value <= 0: RehearsalRequirement(.shownLoss, -value).text
            case .labelAccuracy where value <= 0: RehearsalRequirement(.labelShownLoss, -value).text
            default: nil
            }
        return "\(text) refuses \(GateErrors.text(rate)) of the versions that are as good as the one before, if "
            + "\(GateErrors.text(GateErrors.usualShare)) of the answers on these images differ"
            + (other.map { "; \($0) refuses at most \(GateErrors.text(Self.level))" } ?? "")
    }
}
