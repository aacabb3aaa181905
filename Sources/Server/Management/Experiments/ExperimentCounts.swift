import HearthCalls
import HearthCatalog
import HearthExperiments
import HearthStorage
import HearthWire

/// The counts of an experiment, in the form that the analysis takes.
enum ExperimentCounts {
    static func data(_ experiment: Experiment, _ store: any MetadataReader) throws -> ExperimentData {
        let counts = try store.unitCounts(experiment: experiment.name, project: experiment.projectID)
        let totals = try store.variantTotals(experiment: experiment.name, project: experiment.projectID)
        let exposures = experiment.variants.indices.map { counts[$0] ?? 0 }
        func samples(_ metric: Metric, at place: Int) -> [Sample] {
            experiment.variants.indices.map { variant in
                sample(
                    metric, totals.first { $0.variant == variant && $0.metric == place }, exposures: exposures[variant])
            }
        }
        return ExperimentData(
            exposures: exposures, goal: samples(experiment.goal, at: 0),
            guardrails: experiment.guardrails.enumerated().map { samples($1.metric, at: $0 + 1) })
    }

    private static func sample(_ metric: Metric, _ total: VariantTotal?, exposures: Int) -> Sample {
        switch metric.kind {
        case .conversion:
            let converted = Double(total?.installations ?? 0)
            return Sample(
                count: exposures, sum: converted, sumOfSquares: converted, nonzero: total?.installations ?? 0)
        case .total:
            return Sample(
                count: exposures, sum: total?.sum ?? 0, sumOfSquares: total?.sumOfSquares ?? 0,
                nonzero: total?.nonzero ?? 0)
        case .average:
            return Sample(
                count: total?.installations ?? 0, sum: total?.meanSum ?? 0, sumOfSquares: total?.meanSumOfSquares ?? 0,
                nonzero: total?.nonzero ?? 0)
        }
    }
}
