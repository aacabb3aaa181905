internal import Synchronization

/// Counts requests by route and never by path, so that callers cannot increase the number of series.
final class RequestMetrics: Sendable {
    /// The methods with a series of their own; all others share one.
    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "other"]
    /// By the first digit of the status; `none` for requests without an answer.
    private static let statusClasses = ["none", "1xx", "2xx", "3xx", "4xx", "5xx"]
    private static let unknownRoute = "none"

    /// The counts of one route.
    private final class Row: Sendable {
        let route: String
        let requests = (0..<methods.count * statusClasses.count).map { _ in Counter() }
        let duration = Histogram()
        let bytesIn = Counter()
        let bytesOut = Counter()

        init(route: String) { self.route = route }
    }

    private let rows: [Row]
    private let rateLimited = Counter()

    init(routes: [String]) { rows = ([Self.unknownRoute] + routes).map(Row.init) }

    func record(_ request: FinishedRequest) {
        let row = rows.indices.contains(request.route) ? rows[request.route] : rows[0]
        let method = request.method.flatMap(Self.methods.firstIndex) ?? Self.methods.count - 1
        let status = request.status ?? 0
        let statusClass = (100...599).contains(status) ? status / 100 : 0
        row.requests[method * Self.statusClasses.count + statusClass].add()
        row.duration.record(microseconds: request.microseconds)
        row.bytesIn.add(request.bytesIn)
        row.bytesOut.add(request.bytesOut)
        if status == 429 { rateLimited.add() }
    }

    func write(to text: inout MetricsText) {
        writeRequests(&text)
        // Routes may have the same pattern and different methods. Their series would have the same labels, so they are
        // added up.
        let used = Dictionary(grouping: rows.filter { $0.duration.state.count > 0 }, by: \.route)
        let routes = used.keys.sorted()
        writeDurations(&text, routes.map { ($0, used[$0]!.map(\.duration.state)) })
        text.family("hearth_http_request_bytes_total", .counter, "Bytes of request bodies received.")
        for route in routes {
            text.sample("hearth_http_request_bytes_total", Self.sum(used[route]!, \.bytesIn), [("route", route)])
        }
        text.family("hearth_http_response_bytes_total", .counter, "Bytes of response bodies sent.")
        for route in routes {
            text.sample("hearth_http_response_bytes_total", Self.sum(used[route]!, \.bytesOut), [("route", route)])
        }
        text.family("hearth_http_rate_limited_total", .counter, "Requests refused with 429.")
        text.sample("hearth_http_rate_limited_total", rateLimited.value)
    }

    private func writeRequests(_ text: inout MetricsText) {
        text.family("hearth_http_requests_total", .counter, "Finished requests.")
        var counts: [[String]: UInt64] = [:]
        for row in rows {
            for (index, counter) in row.requests.enumerated() where counter.value > 0 {
                let method = Self.methods[index / Self.statusClasses.count]
                let status = Self.statusClasses[index % Self.statusClasses.count]
                counts[[row.route, method, status], default: 0] += counter.value
            }
        }
        for (key, count) in counts.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let labels = [("route", key[0]), ("method", key[1]), ("status", key[2])]
            text.sample("hearth_http_requests_total", count, labels)
        }
    }

    private func writeDurations(_ text: inout MetricsText, _ routes: [(route: String, states: [Histogram.State])]) {
        let name = "hearth_http_request_duration_seconds"
        text.family(name, .histogram, "From the request line to the last byte of the answer.")
        for (route, states) in routes {
            for (index, bound) in Histogram.bounds.enumerated() {
                let count = states.reduce(0) { $0 + $1.cumulative[index] }
                text.sample("\(name)_bucket", count, [("route", route), ("le", MetricsText.number(bound))])
            }
            let count = states.reduce(0) { $0 + $1.count }
            text.sample("\(name)_bucket", count, [("route", route), ("le", "+Inf")])
            text.sample("\(name)_sum", states.reduce(0) { $0 + $1.sumSeconds }, [("route", route)])
            text.sample("\(name)_count", count, [("route", route)])
        }
    }

    private static func sum(_ rows: [Row], _ counter: KeyPath<Row, Counter>) -> UInt64 {
        rows.reduce(0) { $0 &+ $1[keyPath: counter].value }
    }
}

/// A finished request, as far as the metrics need it.
package struct FinishedRequest: Sendable {
    /// The route's position in the list of the metrics' initializer, from 1; 0 for none.
    package var route: Int
    package var method: String?
    /// Nil if there was no answer.
    package var status: Int?
    package var microseconds: UInt64
    package var bytesIn: UInt64
    package var bytesOut: UInt64

    package init(
        route: Int, method: String?, status: Int?, microseconds: UInt64, bytesIn: UInt64, bytesOut: UInt64
    ) {
        self.route = route
        self.method = method
        self.status = status
        self.microseconds = microseconds
        self.bytesIn = bytesIn
        self.bytesOut = bytesOut
    }
}

/// The distribution of durations. Any thread may record, without waiting.
final class Histogram: Sendable {
    /// Upper bounds in seconds: from an answer from memory to a model over a slow connection.
    static let bounds: [Double] = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
    ]
    private static let boundMicroseconds = bounds.map { UInt64($0 * 1_000_000) }

    /// One per bound, and one for durations beyond the last.
    private let buckets = (0...bounds.count).map { _ in Counter() }
    private let totalMicroseconds = Counter()

    /// The counts at one moment.
    struct State {
        /// For each bound, the number of durations up to it.
        var cumulative: [UInt64]
        var count: UInt64
        var sumSeconds: Double
    }

    func record(microseconds: UInt64) {
        let index = Self.boundMicroseconds.firstIndex { microseconds <= $0 } ?? Self.bounds.count
        buckets[index].add()
        totalMicroseconds.add(microseconds)
    }

    /// Consistent even while other threads record: the total is the sum of the buckets that were read.
    var state: State {
        var running: UInt64 = 0
        let cumulative = buckets.map { bucket in
            running &+= bucket.value
            return running
        }
        return State(
            cumulative: Array(cumulative.dropLast()), count: running,
            sumSeconds: Double(totalMicroseconds.value) / 1_000_000)
    }
}

/// A number that only grows. Any thread may add to it, without waiting.
final class Counter: Sendable {
    private let count = Atomic<UInt64>(0)

    var value: UInt64 { count.load(ordering: .relaxed) }

    func add(_ amount: UInt64 = 1) { count.wrappingAdd(amount, ordering: .relaxed) }
}
