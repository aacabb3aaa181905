import HearthWire

/// What people should know about a requirement before they trust it.
extension RehearsalRequirement {
    /// What it cannot tell on so many images: for one that refuses only a shown loss, the smallest; for others, how often
    /// they refuse an equally good version, and what a requirement of a shown loss would find. Nil if there is nothing to say.
    ///
    /// - Parameter result: the result on these images, if there is one.
    func note(on counts: RehearsalCounts, in result: RehearsalBodies.Summary?) -> String? {
        guard asksForShownLoss else {
            guard let (share, warning) = warning(on: counts, in: result) else { return nil }
            return warning + (instead.flatMap { Self.price(of: $0, share: share, on: counts) } ?? "")
        }
        guard let images = judgesLabelsAlone ? counts.labels.min() : counts.labeled, images > 0 else { return nil }
        if refusesNothing(on: counts) { return refusesNothingText("these images") }
        let place = judgesLabelsAlone ? "\(images) images, the fewest of an expected answer," : "\(images) images"
        guard let least = lossTest(images: images, of: counts).leastLost else {
            return "\(text): \(place) cannot show such a loss"
        }
        return
            "\(text): \(place) need \(least) lost answers (\(GateErrors.text(Double(least) / Double(images)))) or more "
            + "to show such a loss; more if other answers are gained"
    }

    /// How often it refuses equally good versions, if that is more often than a requirement of a shown loss does, and the
    /// share of differing answers for which that is said.
    func warning(on counts: RehearsalCounts, in result: RehearsalBodies.Summary?) -> (share: Double, text: String)? {
        guard !asksForShownLoss, let rule = RefusalRule(self, counts) else { return nil }
        let known = result.flatMap(differing)
        let share = known ?? GateErrors.usualShare
        let rate = rule.equalRefused(share: share)
        guard rate > Self.level else { return nil }
        return (
            share,
            "\(text) refuses \(GateErrors.text(rate)) of the versions that are as good as the one before, if "
                + "\(GateErrors.text(share)) of the answers on these images differ"
                + (known == nil ? "" : ", as in this result")
        )
    }

    /// Whether these images cannot show a loss as it asks for, not even if all answers are lost.
    func refusesNothing(on counts: RehearsalCounts) -> Bool {
        guard asksForShownLoss, counts.labeled > 0 else { return false }
        let sizes = judgesLabelsAlone ? Set(counts.labels) : [counts.labeled]
        return sizes.allSatisfy { !lossTest(images: $0, of: counts).isShown(lost: $0, gained: 0) }
    }

    func refusesNothingText(_ images: String) -> String {
        "\(text): \(images) cannot show such a loss: this requirement refuses nothing"
    }

    /// The requirement of a shown loss with the same limit.
    private var instead: RehearsalRequirement? {
        switch kind {
        case .accuracy where value <= 0: RehearsalRequirement(.shownLoss, min(-value, Self.whole - 1))
        case .labelAccuracy where value <= 0: RehearsalRequirement(.labelShownLoss, min(-value, Self.whole - 1))
        default: nil
        }
    }

    /// What another requirement refuses less, and what it does not find.
    private static func price(of other: RehearsalRequirement, share: Double, on counts: RehearsalCounts) -> String? {
        guard let rule = RefusalRule(other, counts) else { return nil }
        let found = GateErrors.foundLoss(by: rule, share: share).map { loss in
            "only losses of \(GateErrors.text(loss).dropLast()) points and more on these images"
                + (other.judgesLabelsAlone && counts.labels.count > 1 ? ", in the expected answer with the fewest" : "")
        }
        return "; \(other.text) refuses at most \(GateErrors.text(level)), and finds "
            + (found ?? "no loss on these images")
    }

    /// The share of the answers that differ, as this requirement counts them. Nil if the result does not say, or if none
    /// differs: that tells little about the next version.
    private func differing(in result: RehearsalBodies.Summary) -> Double? {
        let (all, some): (Int, Int)
        if kind.needsExpectedAnswers {
            guard let lost = result.lost, let before = result.baseline?.correct else { return nil }
            let gained = result.candidate.correct - before + lost
            guard lost >= 0, gained >= 0 else { return nil }
            (all, some) = (result.labeled, lost + gained)
        } else {
            (all, some) = (result.compared, result.compared - result.agreeing)
        }
        return some > 0 && some <= all ? Double(some) / Double(all) : nil
    }
}
