/// Which models that somebody wants to run may be fetched without being asked for: pure bookkeeping.
///
/// Whoever wants to run a model that is not here asks with every picture. So nothing is started while a download goes on
/// whose end will be told anyway, nor for a while after one has failed.
struct AutomaticDownloads {
    /// How long a failure is respected.
    static let pauseSeconds: Double = 30

    /// Downloads that go on, by model.
    private var running: [String: Int] = [:]
    /// The uptime from which on the model may be tried again.
    private var restingUntil: [String: Double] = [:]

    /// A download that the app asked for. It always begins.
    mutating func begin(_ name: String) {
        running[name, default: 0] += 1
    }

    /// - Returns: Whether a download is to be started for somebody who wants to run the model; counted as begun then.
    mutating func beginForUse(_ name: String, uptime: Double) -> Bool {
        guard running[name] == nil, uptime >= restingUntil[name] ?? uptime else { return false }
        begin(name)
        return true
    }

    mutating func end(_ name: String, hasFailed: Bool, uptime: Double) {
        let left = (running[name] ?? 1) - 1
        running[name] = left == 0 ? nil : left
        restingUntil[name] = hasFailed ? uptime + Self.pauseSeconds : nil
    }
}
