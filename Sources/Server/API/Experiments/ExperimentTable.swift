import HearthCatalog
import HearthExperiments

/// What was counted of each installation, as CSV (RFC 4180): a line for each installation, two columns for each metric.
///
/// Installations are named as in logs: whoever knows an id can register as it.
struct ExperimentTable {
    /// Lines of one answer.
    static let pageLimit = 50_000

    private let variants: [String]
    private let metrics: [Metric]

    init(_ experiment: Experiment) {
        variants = experiment.variants.map(\.name)
        metrics = experiment.metrics
    }

    /// `installation,variant,first_exposure`, then for each metric how many events it counted and the sum of their values.
    var header: String {
        let columns = metrics.flatMap { metric in
            let name = [metric.event, metric.kind.rawValue, metric.model].compactMap { $0 }.joined(separator: ":")
            return ["\(name):count", "\(name):sum"]
        }
        return (["installation", "variant", "first_exposure"] + columns).joined(separator: ",") + "\r\n"
    }

    func line(_ unit: ExperimentUnit) -> String {
        let counts = metrics.indices.flatMap { place in
            let total = unit.totals[place] ?? MetricTotal(count: 0, sum: 0)
            return [String(total.count), String(total.sum)]
        }
        let variant = variants.indices.contains(unit.variant) ? variants[unit.variant] : String(unit.variant)
        let columns =
            [LoggedInstallation(id: unit.installation).description, variant, WireTime.text(unit.exposedMicroseconds)]
            + counts
        // Neither ids, names, times nor numbers have a character that would have to be quoted.
        return columns.joined(separator: ",") + "\r\n"
    }
}
