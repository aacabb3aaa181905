import Dispatch
import HearthMetrics
import Testing

struct ServerMetricsTests {
    private static let requests = "hearth_http_requests_total"
    private static let duration = "hearth_http_request_duration_seconds"

    private let metrics = ServerMetrics(version: "1.2.3", routes: ["models/{model}", "models/{model}", "healthz"])

    private func record(
        _ route: Int, _ method: String? = "GET", _ status: Int? = 200, microseconds: UInt64 = 900, bytesIn: UInt64 = 0,
        bytesOut: UInt64 = 0
    ) {
        metrics.record(
            FinishedRequest(
                route: route, method: method, status: status, microseconds: microseconds, bytesIn: bytesIn,
                bytesOut: bytesOut))
    }

    @Test func aFreshServerHasMetrics() throws {
        let text = try PrometheusText(metrics.text)
        #expect(text["hearth_build_info", ["version": "1.2.3"]] == 1)
        #expect(text["hearth_http_rate_limited_total"] == 0)
        #expect(text.kinds[Self.requests] == "counter")
    }

    @Test func requestsAreCountedByRouteMethodAndStatus() throws {
        record(1)
        record(1, "GET", 206)
        record(1, "GET", 404)
        record(2, "PATCH", 200)
        record(3, "HEAD", 304)
        let text = try PrometheusText(metrics.text)
        #expect(text[Self.requests, ["route": "models/{model}", "method": "GET", "status": "2xx"]] == 2)
        #expect(text[Self.requests, ["route": "models/{model}", "method": "GET", "status": "4xx"]] == 1)
        #expect(text[Self.requests, ["route": "models/{model}", "method": "PATCH", "status": "2xx"]] == 1)
        #expect(text[Self.requests, ["route": "healthz", "method": "HEAD", "status": "3xx"]] == 1)
        #expect(
            text["\(Self.duration)_count", ["route": "models/{model}"]] == 4, "routes of one pattern are one series")
    }

    /// Whatever strangers send, the number of series stays the same.
    @Test func strangeRequestsShareOneSeries() throws {
        for number in 0..<100 {
            record(0, "METHOD\(number)", nil)
            record(-number, nil, 99)
            record(4 + number, "\"}\n", 600 + number)
        }
        let text = try PrometheusText(metrics.text)
        #expect(text[Self.requests, ["route": "none", "method": "other", "status": "none"]] == 300)
        #expect(text.samples.keys.filter { $0.name == Self.requests }.count == 1)
    }

    @Test func durationsFallIntoTheirBuckets() throws {
        for microseconds in [0, 500, 501, 300_000_000, 300_000_001] as [UInt64] {
            record(3, microseconds: microseconds)
        }
        let text = try PrometheusText(metrics.text)
        func bucket(_ bound: String) -> Double? { text["\(Self.duration)_bucket", ["route": "healthz", "le": bound]] }
        #expect(bucket("0.0005") == 2)
        #expect(bucket("0.001") == 3)
        #expect(bucket("300") == 4)
        #expect(bucket("+Inf") == 5)
        #expect(text["\(Self.duration)_sum", ["route": "healthz"]] == 600.001002)
    }

    @Test func bytesAndRefusalsAddUp() throws {
        record(1, bytesIn: 3, bytesOut: 5)
        record(2, "POST", 429, bytesIn: 4, bytesOut: 6)
        record(0, "GET", 429)
        let text = try PrometheusText(metrics.text)
        #expect(text["hearth_http_request_bytes_total", ["route": "models/{model}"]] == 7)
        #expect(text["hearth_http_response_bytes_total", ["route": "models/{model}"]] == 11)
        #expect(text["hearth_http_rate_limited_total"] == 2)
    }

    @Test func numbersOfOthersAreAskedForWhenRead() throws {
        metrics.add("queue_length", .gauge, "Line one\nand \\ two.") { 3.5 }
        metrics.add("absent", .gauge, "Never there.") { nil }
        metrics.add("not_a_number", .gauge, "Odd.") { .nan }
        metrics.add("endless", .gauge, "Odd.") { -.infinity }
        let text = try PrometheusText(metrics.text)
        #expect(text["queue_length"] == 3.5)
        #expect(text["absent"] == nil && text.kinds["absent"] == nil)
        #expect(text["not_a_number"]?.isNaN == true)
        #expect(text["endless"] == -.infinity)
    }

    @Test func nothingIsLostBetweenThreads() throws {
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<10_000 { record(1, bytesOut: 2) }
        }
        let text = try PrometheusText(metrics.text)
        #expect(text[Self.requests, ["route": "models/{model}", "method": "GET", "status": "2xx"]] == 80_000)
        #expect(text["\(Self.duration)_count", ["route": "models/{model}"]] == 80_000)
        #expect(text["hearth_http_response_bytes_total", ["route": "models/{model}"]] == 160_000)
    }

    @Test func theProcessIsMeasured() throws {
        ProcessMetrics.add(to: metrics)
        let text = try PrometheusText(metrics.text)
        let memory = try #require(text["process_resident_memory_bytes"])
        #expect((1_000_000...100_000_000_000).contains(memory))
        #expect(try #require(text["process_cpu_seconds_total"]) > 0)
        #expect(try #require(text["process_open_fds"]) >= 3)
        #expect(try #require(text["process_max_fds"]) >= #require(text["process_open_fds"]))
        #expect(try #require(text["process_start_time_seconds"]) > 1_500_000_000)
    }
}
