import HearthCalls
import HearthCatalog
import HearthExperiments
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// `/hearth/v1/projects/{project}/experiments`: read, create and change experiments, and read their results.
struct ExperimentRoutes {
    private let context: RouteContext
    private let editing: ExperimentEditing
    private let analyses: RecentAnalyses

    init(_ context: RouteContext, _ analyses: RecentAnalyses) {
        self.context = context
        self.analyses = analyses
        editing = ExperimentEditing(context: context)
    }

    var routes: [CallRoute] {
        [
            context.on(ExperimentCalls.list) { try list($0) },
            context.on(ExperimentCalls.get) { try get($0) },
            // Results of a large experiment add up a row per installation.
            context.on(ExperimentCalls.results) { try results($0) },
            context.on(ExperimentCalls.history) { try history($0) },
            context.onResponse(ExperimentCalls.data) { try data($0) },
            context.onPrepared(ExperimentCalls.create) { try editing.create($0) },
            context.onPrepared(ExperimentCalls.replace) { try editing.replace($0) },
            context.onPrepared(ExperimentCalls.delete) { call in
                call.afterWrite { try editing.delete($0) }
            },
            context.onPrepared(ExperimentCalls.start) { try editing.start($0) },
            context.onPrepared(ExperimentCalls.stop) { try editing.stop($0) },
            context.onPrepared(ExperimentCalls.rollOut) { try editing.rollout($0) },
        ]
    }

    private func list(_ call: ReadCall) throws -> ExperimentBodies.List {
        let question = try ExperimentQuery(call.query)
        let (records, model) = try call.read { store in
            (
                try store.experiments(project: call.project.id),
                try question.modelName(project: call.project.id, store)
            )
        }
        // An experiment that cannot be decoded must not hide the others. A call for it by name fails.
        let bodies = records.compactMap { record in
            (try? ExperimentCoding.experiment(record)).flatMap { experiment in
                question.matches(experiment, model: model)
                    ? ExperimentPresentation.body(record, experiment) : nil
            }
        }
        return ExperimentBodies.List(experiments: bodies.isEmpty ? nil : bodies)
    }

    private func get(_ call: ReadCall) throws -> ExperimentBodies.Experiment {
        try call.read { store in
            let record = try ExperimentEditing.record(of: call, store)
            let experiment = try ExperimentCoding.experiment(record)
            var body = ExperimentPresentation.body(record, experiment)
            let warnings = try editing.warnings(of: experiment, store)
            body.warnings = warnings.isEmpty ? nil : warnings
            return body
        }
    }

    private func results(_ call: ReadCall) throws -> ExperimentBodies.Results {
        let age = try MaxAge.seconds(call.query)
        let (found, pins) = try call.read { store in
            let record = try ExperimentEditing.record(of: call, store)
            return (try dated(record, maxAgeSeconds: age, store), try store.pins(project: call.project.id))
        }
        var results = found.value
        results.leftOut = ExperimentResults.leftOut(pins)
        results.countTime = WireTime.text(found.atMicroseconds)
        return results
    }

    private func dated(
        _ record: ExperimentRecord, maxAgeSeconds: Int64, _ store: any MetadataReader
    ) throws -> DatedValue<ExperimentBodies.Results> {
        let experiment = try ExperimentCoding.experiment(record)
        let (now, key) = (context.nowMicroseconds, ExperimentKey(experiment))
        let known = analyses.results.last(of: key, maxAgeSeconds: maxAgeSeconds, nowMicroseconds: now)
        if let known, known.value.experiment == ExperimentPresentation.body(record, experiment) { return known }
        let results = ExperimentResults.body(record, experiment, try ExperimentCounts.data(experiment, store))
        if experiment.startedMicroseconds != nil { analyses.results.set(results, of: key, atMicroseconds: now) }
        return DatedValue(value: results, atMicroseconds: now)
    }

    private func history(_ call: ReadCall) throws -> ExperimentBodies.History {
        let (experiment, points) = try call.read { store in
            let experiment = try ExperimentCoding.experiment(ExperimentEditing.record(of: call, store))
            return (experiment, try store.points(experiment: experiment.name, project: call.project.id))
        }
        return ExperimentResults.history(experiment, points)
    }

    /// A page of the exposed installations, as CSV. `X-Hearth-Next-Page-Token` has the `pageToken` of the next page;
    /// only the first page has the line of column names.
    private func data(_ call: ReadCall) throws -> Response {
        // The token is the number of lines before the page. It is not the last line's installation, because a client
        // that knows an installation's id can register as that installation.
        var before = 0
        if let text = call.query.first("pageToken"), !text.isEmpty {
            guard let count = Int(text), count >= 0 else {
                throw APIError.invalid("pageToken", "This must be the value of X-Hearth-Next-Page-Token.")
            }
            before = count
        }
        var limit = ExperimentCSV.pageLimit
        if let text = call.query.first("pageSize") {
            guard let size = Int(text), size > 0 else {
                throw APIError.invalid("pageSize", "This must be a whole number, 1 to \(limit).")
            }
            limit = min(limit, size)
        }
        let (experiment, units) = try call.read { store in
            let experiment = try ExperimentCoding.experiment(ExperimentEditing.record(of: call, store))
            let units = try store.units(
                experiment: experiment.name, project: call.project.id, skipping: before, limit: limit)
            return (experiment, units)
        }
        let table = ExperimentCSV(experiment)
        var response = Response.text((before == 0 ? table.header : "") + units.map(table.line).joined())
        response.headers["Content-Type"] = "text/csv; charset=utf-8"
        if units.count == limit { response.headers[WireHeader.nextPageToken] = String(before + limit) }
        return response
    }
}

/// The counts of each installation, as CSV (RFC 4180): a line for each installation, two columns for each metric.
///
/// Installations have the names that logs use, because a client that knows an installation's id can register as it.
struct ExperimentCSV {
    /// The largest number of lines in one answer.
    static let pageLimit = 50_000

    private let variants: [String]
    private let metrics: [Metric]

    init(_ experiment: Experiment) {
        variants = experiment.variants.map(\.name)
        metrics = experiment.metrics
    }

    /// `installation,variant,first_exposure`, then for each metric the number of counted events and the sum of their
    /// values.
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
            [InstallationLogName(id: unit.installation).description, variant, WireTime.text(unit.exposedMicroseconds)]
            + counts
        // Ids, names, times and numbers contain no character that needs quotes.
        return columns.joined(separator: ",") + "\r\n"
    }
}
