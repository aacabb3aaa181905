import HearthArguments
import HearthCatalog

/// How often a gate errs on some images.
struct GateReport {
    private let gate: RehearsalGate
    private let counts: RehearsalCounts

    init(_ gate: RehearsalGate, _ counts: RehearsalCounts) { (self.gate, self.counts) = (gate, counts) }

    /// What `--json` prints.
    struct Body: Encodable {
        struct Requirement: Encodable {
            var requirement: String
            /// The images on which it judges; 0 if it refuses every version, because no image has an expected answer, or
            /// because there are too few images for a rehearsal.
            var images: Int
            var chances: [Chance]?
            var fewestLost: Int?
        }

        struct Chance: Encodable {
            var answersThatDiffer: Double
            var equalVersionRefused: Double
            var lossFound: Double?
        }

        var images: Int
        var expectedAnswers: Int
        var requirements: [Requirement]
    }

    var body: Body {
        Body(
            images: counts.images, expectedAnswers: counts.labels.count,
            requirements: gate.errors(on: counts).map { requirement, errors in
                Body.Requirement(
                    requirement: requirement.text, images: errors?.images ?? 0,
                    chances: errors.map { errors in
                        GateErrors.shares.indices.map {
                            Body.Chance(
                                answersThatDiffer: GateErrors.shares[$0], equalVersionRefused: errors.equalRefused[$0],
                                lossFound: errors.foundLoss[$0])
                        }
                    }, fewestLost: errors?.leastLost)
            })
    }

    static func lines(_ reports: [GateReport], width: Int?) -> [String] {
        let parts = reports.map { GateTable($0.gate, on: $0.counts) }
        var table = TextTable(
            GateTable.columns.enumerated().map { index, title in
                index == 0 ? .text(title.uppercased()) : .number(title.uppercased())
            })
        parts.flatMap(\.rows).forEach { table.append($0) }
        // Most lines are the same for all numbers of images.
        var explanation: [String] = []
        for line in parts.flatMap(\.explanation) where !explanation.contains(line) { explanation.append(line) }
        return [table.text(width: width), ""] + explanation
    }
}
