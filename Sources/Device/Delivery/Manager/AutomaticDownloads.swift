import HearthClient
import HearthModelSource

/// Decides which missing models are downloaded without a call of the app, because the app tries to run them. Pure
/// bookkeeping.
///
/// An app that wants to run a missing model asks with every image. So no download starts while another one of the model
/// runs, nor for some time after a failure. A temporary failure is followed by another attempt soon, and then by ever
/// rarer ones, but never before the time that the server asked for.
struct AutomaticDownloads {
    private struct Backoff {
        var rules = RefreshBackoff(everySeconds: AutomaticDownloads.longestDelaySeconds)
        /// The uptime, in seconds, from which the model may be downloaded again.
        var end: Double
        var failure: DownloadFailure
    }

    /// The backoff after a failure that is not temporary, and the longest one after other failures, unless the server
    /// asks for more.
    static let longestDelaySeconds: Double = 900

    /// How many downloads of each model are running.
    private var running: [String: Int] = [:]
    private var backoffs: [String: Backoff] = [:]
    /// The conditions of the app's last download of each model.
    private var conditions: [String: DownloadConditions] = [:]

    /// Records a download that the app started, which always begins.
    mutating func begin(_ name: String, _ conditions: DownloadConditions) {
        self.conditions[name] = conditions
        running[name, default: 0] += 1
    }

    /// Decides about a download for an app that wants to run the model.
    ///
    /// - Returns: The conditions of the download to start, which counts as begun; nil when none is to start. They are
    ///   the ones that the app last chose for this model.
    mutating func beginForUse(_ name: String, uptime: Double) -> DownloadConditions? {
        guard running[name] == nil, uptime >= backoffs[name]?.end ?? uptime else { return nil }
        let conditions = conditions[name] ?? DownloadConditions()
        begin(name, conditions)
        return conditions
    }

    /// Records the end of a download.
    ///
    /// - Parameters:
    ///   - failure: nil after a success.
    ///   - random: From 0 up to, but not including, 1.
    mutating func end(_ name: String, failure: DownloadFailure?, uptime: Double, random: Double) {
        let remaining = (running[name] ?? 1) - 1
        running[name] = remaining == 0 ? nil : remaining
        guard let failure else {
            backoffs[name] = nil
            return
        }
        var backoff = backoffs[name] ?? Backoff(end: uptime, failure: failure)
        backoff.end = uptime + (backoff.rules.delay(after: Self.outcome(failure), random: random) ?? .infinity)
        backoff.failure = failure
        backoffs[name] = backoff
    }

    /// Why no download of a missing model is running; nil while one is running or may start.
    func backoffFailure(_ name: String, uptime: Double) -> DownloadFailure? {
        guard running[name] == nil, let backoff = backoffs[name], uptime < backoff.end else { return nil }
        return backoff.failure
    }

    /// A look at the connection costs the server nothing, so unmet conditions count as temporary.
    private static func outcome(_ failure: DownloadFailure) -> RefreshBackoff.Outcome {
        failure.code == .conditionsNotMet ? .failed(retryAfterSeconds: nil) : RefreshBackoff.Outcome(.failure(failure))
    }
}
