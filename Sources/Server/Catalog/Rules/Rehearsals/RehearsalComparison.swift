package import HearthWire

/// Compares what two versions answered to the same images. No I/O.
///
/// Labelers give the same answer if the best label is the same. Detectors do if every box of either version has a
/// partner in the other: a box with the same label that overlaps it by half (intersection over union).
///
/// An image on which both versions fail says nothing about either, so it does not count. If only one fails, the answers
/// differ, and the failing version's answer is not the expected one.
package enum RehearsalComparison {
    /// What the probe reported about one image.
    package struct Input: Sendable {
        let name: String
        let label: String?
        let candidate: ImageProbeReport.Image
        let baseline: ImageProbeReport.Image?

        package init(
            name: String, label: String?, candidate: ImageProbeReport.Image, baseline: ImageProbeReport.Image?
        ) {
            self.name = name
            self.label = label
            self.candidate = candidate
            self.baseline = baseline
        }
    }

    /// Labels that are kept of each image; all boxes are kept.
    private static let keptLabels = 3
    private static let leastOverlap = 0.5

    package static func compare(
        _ inputs: [Input]
    ) -> (summary: RehearsalBodies.Summary, images: [RehearsalBodies.Comparison]) {
        let images = inputs.map(comparison)
        var summary = RehearsalBodies.Summary()
        summary.images = inputs.count
        summary.candidate = totals(images, \.candidate, inputs.map(\.candidate))
        if inputs.contains(where: { $0.baseline != nil }) {
            let reports = inputs.map { $0.baseline ?? ImageProbeReport.Image(failure: "") }
            summary.baseline = totals(images, { $0.baseline ?? .init(answers: nil) }, reports)
            let counted = images.filter(counts)
            summary.compared = counted.count
            summary.agreeing = counted.count { $0.change == nil }
            summary.confidenceShift = shift(counted)
        }
        if images.contains(where: isDetection) {
            summary.boxesLost = images.reduce(0) { $0 + ($1.boxesLost ?? 0) }
            summary.boxesFound = images.reduce(0) { $0 + ($1.boxesFound ?? 0) }
        }
        addLabels(to: &summary, images.filter(counts))
        return (summary, images)
    }

    private static func comparison(_ input: Input) -> RehearsalBodies.Comparison {
        var result = RehearsalBodies.Comparison(
            name: input.name, label: input.label, candidate: answers(input.candidate),
            baseline: input.baseline.map(answers))
        guard let baseline = result.baseline else { return result }
        switch (result.candidate.answers, baseline.answers) {
        case (nil, nil): break
        case (nil, _?): result.change = "failure"
        case (_?, nil): result.change = "recovery"
        case (let new?, let old?):
            guard (new + old).contains(where: { $0.box != nil }) else {
                if new.first?.name != old.first?.name { result.change = "answer" }
                return result
            }
            let alone = unmatched(old, new)
            result.boxesLost = alone.lost.count
            result.boxesFound = alone.found.count
            if !alone.lost.isEmpty || !alone.found.isEmpty { result.change = "boxes" }
        }
        return result
    }

    private static func answers(_ report: ImageProbeReport.Image) -> RehearsalBodies.Answers {
        guard let found = report.answers else {
            return RehearsalBodies.Answers(answers: nil, failure: report.failure ?? "There was no answer.")
        }
        let kept = found.prefix(found.first?.box == nil ? keptLabels : found.count)
        return RehearsalBodies.Answers(
            answers: kept.map {
                RehearsalBodies.Answer(text: $0.text, index: $0.index, confidence: $0.confidence, box: $0.box)
            }, microseconds: report.microseconds)
    }

    /// The boxes without a partner: those that only the old version has, and those that only the new one has. Each box
    /// takes the free partner with the largest overlap.
    package static func unmatched(
        _ old: [RehearsalBodies.Answer], _ new: [RehearsalBodies.Answer]
    ) -> (lost: [RehearsalBodies.Answer], found: [RehearsalBodies.Answer]) {
        var free = new
        let lost = old.filter { box in
            let overlaps = free.map { $0.name == box.name ? overlap($0.box ?? [], box.box ?? []) : 0 }
            guard let best = overlaps.indices.max(by: { overlaps[$0] < overlaps[$1] }), overlaps[best] >= leastOverlap
            else { return true }
            free.remove(at: best)
            return false
        }
        return (lost, free)
    }

    /// Intersection over union of boxes given by left, top, width and height.
    static func overlap(_ a: [Double], _ b: [Double]) -> Double {
        guard a.count == 4, b.count == 4 else { return 0 }
        let width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
        let height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
        guard width > 0, height > 0 else { return 0 }
        let shared = width * height
        return shared / (a[2] * a[3] + b[2] * b[3] - shared)
    }

    private static func counts(_ image: RehearsalBodies.Comparison) -> Bool {
        image.candidate.answers != nil || image.baseline?.answers != nil
    }

    private static func isDetection(_ image: RehearsalBodies.Comparison) -> Bool {
        image.boxesLost != nil || image.candidate.answers?.first?.box != nil
            || image.baseline?.answers?.first?.box != nil
    }

    private static func totals(
        _ images: [RehearsalBodies.Comparison], _ side: (RehearsalBodies.Comparison) -> RehearsalBodies.Answers,
        _ reports: [ImageProbeReport.Image]
    ) -> RehearsalBodies.Totals {
        var totals = RehearsalBodies.Totals()
        let all = images.map(side)
        totals.answered = all.count { $0.answers != nil }
        totals.failed = all.count - totals.answered
        totals.correct = images.count { isCorrect(side($0), $0.label) }
        let best = all.compactMap { $0.answers?.first?.confidence }
        if !best.isEmpty { totals.meanConfidence = best.reduce(0, +) / Double(best.count) }
        let times = reports.compactMap(\.microseconds).sorted()
        if !times.isEmpty { totals.medianMicroseconds = times[(times.count - 1) / 2] }
        totals.peakMemoryBytes = reports.compactMap(\.peakMemoryBytes).max()
        return totals
    }

    private static func isCorrect(_ answers: RehearsalBodies.Answers, _ label: String?) -> Bool {
        guard let label, let best = answers.answers?.first else { return false }
        return best.name == label
    }

    private static func shift(_ images: [RehearsalBodies.Comparison]) -> Double? {
        let shifts = images.filter { $0.change == nil }.compactMap { image -> Double? in
            guard let new = image.candidate.answers?.first, let old = image.baseline?.answers?.first else { return nil }
            return new.confidence - old.confidence
        }
        return shifts.isEmpty ? nil : shifts.reduce(0, +) / Double(shifts.count)
    }

    private static func addLabels(to summary: inout RehearsalBodies.Summary, _ counted: [RehearsalBodies.Comparison]) {
        let labeled = counted.filter { $0.label != nil }
        summary.labeled = labeled.count
        summary.lost = summary.baseline == nil ? nil : labeled.count(where: isLost)
        guard !labeled.isEmpty else { return }
        let groups = Dictionary(grouping: labeled) { $0.label ?? "" }
        summary.labels = groups.sorted { $0.key < $1.key }.map { label, images in
            RehearsalBodies.LabelRow(
                label: label, images: images.count,
                candidateCorrect: images.count { isCorrect($0.candidate, label) },
                baselineCorrect: summary.baseline == nil
                    ? nil : images.count { image in image.baseline.map { isCorrect($0, label) } ?? false },
                lost: summary.baseline == nil ? nil : images.count(where: isLost))
        }
    }

    /// Whether only the version compared with gave the expected answer.
    private static func isLost(_ image: RehearsalBodies.Comparison) -> Bool {
        !isCorrect(image.candidate, image.label) && image.baseline.map { isCorrect($0, image.label) } ?? false
    }
}
