import EndToEndDriving
import Glibc
import HearthTransport
import Synchronization

/// How devices reach their server, wherever it runs now. It can be cut while they report what happened.
final class FaultyTransport: Transport {
    private struct State {
        var url: String
        var reportCount = 0
        /// The server's process, while it is to be killed.
        var victim: pid_t?
        var reportsUntilKill = 0
    }

    private let network = CurlTransport(configuration: CurlTransport.Configuration())
    /// Which the devices' options name.
    private let firstURL: String
    private let state: Mutex<State>

    init(_ server: ServerProcess) {
        firstURL = server.url
        state = Mutex(State(url: server.url))
    }

    /// How many batches went out.
    var reportCount: Int { state.withLock { $0.reportCount } }

    func redirect(to server: ServerProcess) {
        state.withLock { state in
            state.url = server.url
            state.victim = nil
        }
    }

    /// SIGKILL for the server when it has answered so many batches from now on. No answer that comes after is heard, the last
    /// one of them included.
    func kill(_ server: ServerProcess, afterReports count: Int) {
        state.withLock { state in
            state.victim = server.id
            state.reportsUntilKill = count
        }
    }

    func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        let isReport = request.method == "POST" && request.url.hasSuffix("/events")
        var request = request
        state.withLock { state in
            if request.url.hasPrefix(firstURL) { request.url = state.url + request.url.dropFirst(firstURL.count) }
            if isReport { state.reportCount += 1 }
        }
        let response = try network.send(request, onHead: onHead, onBody: onBody)
        if isReport, isCut() { throw TransportError(.interrupted, "The server died before its answer came.") }
        return response
    }

    private func isCut() -> Bool {
        state.withLock { state in
            guard let victim = state.victim else { return false }
            state.reportsUntilKill -= 1
            if state.reportsUntilKill == 0 { _ = Glibc.kill(victim, SIGKILL) }
            return state.reportsUntilKill <= 0
        }
    }
}
