import HearthConcurrency

/// What the server counts about itself, in Prometheus' text format.
///
/// All members may be used from any thread. Recording a request is a handful of atomic additions.
package final class ServerMetrics: Sendable {
    /// The `Content-Type` of ``text``.
    package static let contentType = MetricsText.contentType

    /// A number from another part of the program, read when the metrics are read.
    private struct Reading: Sendable {
        let name: String
        let kind: MetricKind
        let help: String
        /// Empty leaves the metric out this time.
        let samples: @Sendable () -> [Sample]
    }

    /// A number with its labels.
    package struct Sample: Sendable {
        let labels: [(name: String, value: String)]
        let value: Double

        package init(_ value: Double, _ labels: (name: String, value: String)...) {
            self.labels = labels
            self.value = value
        }
    }

    private let version: String
    /// The answers to devices by model.
    private let models: ModelMetrics

    private let requests: RequestMetrics
    private let readings = Lock<[Reading]>([])

    /// - Parameters:
    ///   - version: of the server.
    ///   - routes: the names of the routes, in the order of `FinishedRequest.route`.
    ///   - models: counts the answers to devices by model.
    package init(version: String, routes: [String], models: ModelMetrics = ModelMetrics()) {
        self.version = version
        self.models = models
        requests = RequestMetrics(routes: routes)
    }

    package func record(_ request: FinishedRequest) { requests.record(request) }

    /// Adds a number from another part of the program.
    ///
    /// - Parameters:
    ///   - name: a metric name of Prometheus (`[a-zA-Z_:][a-zA-Z0-9_:]*`) that is not used yet.
    ///   - value: called on the thread that reads the metrics; nil leaves the metric out this time.
    package func add(_ name: String, _ kind: MetricKind, _ help: String, value: @escaping @Sendable () -> Double?) {
        add(name, kind, help, samples: { value().map { [Sample($0)] } ?? [] })
    }

    /// Adds a number that exists several times, with labels.
    package func add(
        _ name: String, _ kind: MetricKind, _ help: String, samples: @escaping @Sendable () -> [Sample]
    ) {
        readings.withLock { $0.append(Reading(name: name, kind: kind, help: help, samples: samples)) }
    }

    /// The present state of all metrics.
    package var text: String {
        var text = MetricsText()
        text.family("hearth_build_info", .gauge, "The version of Hearth; always 1.")
        text.sample("hearth_build_info", 1 as UInt64, [("version", version)])
        requests.write(to: &text)
        models.write(to: &text)
        for reading in readings.withLock({ $0 }) {
            let samples = reading.samples()
            guard !samples.isEmpty else { continue }
            text.family(reading.name, reading.kind, reading.help)
            for sample in samples { text.sample(reading.name, sample.value, sample.labels) }
        }
        return text.text
    }
}

/// What the numbers of a metric mean.
package enum MetricKind: String, Sendable {
    /// Only grows, beginning at the start of the process.
    case counter
    /// Goes up and down.
    case gauge
    case histogram
}
