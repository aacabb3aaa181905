import HearthClient
import HearthModelSource

/// Which models that somebody wants to run may be fetched without being asked for: pure bookkeeping.
///
/// Whoever wants to run a model that is not here asks with every image. So nothing is started while a download goes on
/// whose end will be told anyway, nor for a while after one has failed. What may pass by itself is tried again soon, and
/// then ever more rarely; never before the server wants to be asked again.
struct AutomaticDownloads {
    private struct Backoff {
        var rules = RefreshBackoff(everySeconds: AutomaticDownloads.longestDelaySeconds)
        /// The uptime from which on the model may be tried again.
        var end: Double
        var failure: DownloadFailure
    }

    /// After a failure that nobody expects to pass, and at most after the others, unless the server asks for more.
    static let longestDelaySeconds: Double = 900

    /// Downloads that go on, by model.
    private var running: [String: Int] = [:]
    private var backoffs: [String: Backoff] = [:]
    /// What the app last asked for, by model.
    private var conditions: [String: DownloadConditions] = [:]

    /// A download that the app asked for. It always begins.
    mutating func begin(_ name: String, _ conditions: DownloadConditions) {
        self.conditions[name] = conditions
        running[name, default: 0] += 1
    }

    /// - Returns: The conditions of a download that is to be started for somebody who wants to run the model, and counts as
    ///   begun; nil when none is. They are those that the app last chose for this model.
    mutating func beginForUse(_ name: String, uptime: Double) -> DownloadConditions? {
        guard running[name] == nil, uptime >= backoffs[name]?.end ?? uptime else { return nil }
        let conditions = conditions[name] ?? DownloadConditions()
        begin(name, conditions)
        return conditions
    }

    /// - Parameters:
    ///   - failure: nil after a success.
    ///   - random: 0..<1.
    mutating func end(_ name: String, failure: DownloadFailure?, uptime: Double, random: Double) {
        let left = (running[name] ?? 1) - 1
        running[name] = left == 0 ? nil : left
        guard let failure else {
            backoffs[name] = nil
            return
        }
        var rest = backoffs[name] ?? Backoff(end: uptime, failure: failure)
        rest.end = uptime + (rest.rules.delay(after: Self.outcome(failure), random: random) ?? .infinity)
        rest.failure = failure
        backoffs[name] = rest
    }

    /// Why a model that is not here is not being fetched; nil while it is, or may be.
    func backoffFailure(_ name: String, uptime: Double) -> DownloadFailure? {
        guard running[name] == nil, let rest = backoffs[name], uptime < rest.end else { return nil }
        return rest.failure
    }

    /// To look whether the connection is another one by now does not trouble the server.
    private static func outcome(_ failure: DownloadFailure) -> RefreshBackoff.Outcome {
        failure.code == .conditionsNotMet ? .failed(retryAfterSeconds: nil) : RefreshBackoff.Outcome(.failure(failure))
    }
}
