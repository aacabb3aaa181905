import HearthConcurrency

/// Counts the answers to devices by model.
///
/// A count begins when a device asks for a model that has a release, so callers cannot make series. The number of series is
/// bounded all the same: the answers about further models share one. Any thread may count.
package final class ModelMetrics: Sendable {
    /// What a device was told.
    package enum Answer: String, Sendable, CaseIterable {
        /// Where the bytes of a version are that the device does not have.
        case download
        /// That its copy is the right one.
        case unchanged
    }

    private struct Key: Hashable {
        var project: String
        var model: String
    }

    /// A counter for each answer, in their order.
    private typealias Counts = [Counter]

    private let counts = Lock<[Key: Counts]>([:])
    private let limit: Int

    private static let name = "hearth_model_answers_total"
    private static let others = "(others)"

    /// - Parameter limit: the most models with series of their own.
    package init(limit: Int = 2000) { self.limit = limit }

    package func count(_ answer: Answer, project: String, model: String) {
        let index = Answer.allCases.firstIndex(of: answer) ?? 0
        let key = Key(project: project, model: model)
        counts.withLock { counts in
            if let known = counts[key] { return known[index].add() }
            let key = counts.count < limit ? key : Key(project: Self.others, model: Self.others)
            let made = counts[key] ?? Answer.allCases.map { _ in Counter() }
            counts[key] = made
            made[index].add()
        }
    }

    func write(to text: inout MetricsText) {
        text.family(Self.name, .counter, "Answers to devices that asked for a model.")
        let known = counts.withLock { $0 }.sorted { ($0.key.project, $0.key.model) < ($1.key.project, $1.key.model) }
        for (key, counters) in known {
            for (answer, counter) in zip(Answer.allCases, counters) {
                let labels = [("project", key.project), ("model", key.model), ("answer", answer.rawValue)]
                text.sample(Self.name, counter.value, labels)
            }
        }
    }
}
