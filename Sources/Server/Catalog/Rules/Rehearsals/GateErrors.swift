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
        foundLoss = Self.shares.map { requirement.kind == .agreement ? nil : Self.foundLoss(by: rule, share: $0) }
        leastLost = requirement.asksForShownLoss ? rule.region.leastLost : nil
    }

    /// The images on which the requirement can judge.
    static func judged(by requirement: RehearsalRequirement, _ counts: RehearsalCounts) -> Int {
        requirement.kind.needsExpectedAnswers ? counts.labeled : counts.images
    }

    /// The smallest loss that is refused in four of five cases, if this share of the answers differs.
    static func foundLoss(by rule: RefusalRule, share: Double) -> Double? {
        smallest { rule.refused(share: share, loss: $0) >= power }
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

    /// A chance or a share as text: `27%`, `4.8%`, `99.6%`, `below 0.1%`. Near never and near always it has a decimal.
    package static func text(_ share: Double) -> String {
        let tenths = Int((share * 1000).rounded())
        if share > 0, tenths == 0 { return "below 0.1%" }
        if share < 1, tenths == 1000 { return "above 99.9%" }
        guard tenths < 100 || tenths > 990 else { return "\(Int((share * 100).rounded()))%" }
        return tenths % 10 == 0 ? "\(tenths / 10)%" : "\(tenths / 10).\(tenths % 10)%"
    }
}
