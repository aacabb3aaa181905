import HearthModelSource
import Testing

@testable import HearthDelivery

@Suite("Downloads that the app did not start")
struct ManagerAutomaticDownloadsTests {
    private let usual = DownloadConditions(ModelDownloadConditions())
    private let careful = DownloadConditions(ModelDownloadConditions(allowsCellularAccess: false))

    private func busy(retryAfter: Double? = nil) -> DownloadFailure {
        DownloadFailure(.serverBusy, internal: "busy", isTemporary: true, retryAfterSeconds: retryAfter)
    }

    @Test("One download at a time for each model")
    func once() {
        let downloads = Downloads()
        #expect(downloads.begins("a", 0))
        #expect(!downloads.begins("a", 1))
        #expect(downloads.begins("b", 1))
        downloads.end("a", failure: nil, uptime: 2, random: 0)
        #expect(downloads.begins("a", 2))
    }

    @Test("None during a download of the app")
    func ownDownload() {
        let downloads = Downloads()
        downloads.begin("a", usual)
        downloads.begin("a", usual)
        downloads.end("a", failure: nil, uptime: 1, random: 0)
        #expect(!downloads.begins("a", 1))
        downloads.end("a", failure: nil, uptime: 2, random: 0)
        #expect(downloads.begins("a", 2))
    }

    @Test("None during the backoff after a failure, which grows until a success")
    func pause() {
        let downloads = Downloads()
        var uptime = 0.0
        for pause in [15.0, 30, 60, 120, 240, 450, 450] {
            #expect(downloads.begins("a", uptime))
            downloads.end("a", failure: busy(), uptime: uptime, random: 0)
            #expect(!downloads.begins("a", uptime + pause - 0.1))
            uptime += pause
        }
        downloads.begin("a", usual)
        downloads.end("a", failure: nil, uptime: uptime, random: 0)
        #expect(downloads.begins("a", uptime))
        downloads.end("a", failure: busy(), uptime: uptime, random: 0)
        #expect(downloads.begins("a", uptime + 15), "the backoff begins again")
    }

    @Test("Devices that failed together do not come back together")
    func jitter() {
        let downloads = Downloads()
        #expect(downloads.begins("a", 0))
        downloads.end("a", failure: busy(), uptime: 0, random: 0.5)
        #expect(!downloads.begins("a", 29))
        #expect(downloads.begins("a", 30))
    }

    @Test("The server gets no call before the time it asked for, nor soon after a permanent failure")
    func longPauses() {
        let downloads = Downloads()
        #expect(downloads.begins("a", 0))
        downloads.end("a", failure: busy(retryAfter: 3600), uptime: 0, random: 0)
        #expect(!downloads.begins("a", 3599))
        #expect(downloads.begins("a", 3600))
        let missing = DownloadFailure(.notFound, internal: "no such model")
        downloads.end("a", failure: missing, uptime: 4000, random: 0.5)
        #expect(!downloads.begins("a", 4000 + AutomaticDownloads.longestDelaySeconds - 1))
        #expect(downloads.begins("a", 4000 + AutomaticDownloads.longestDelaySeconds))
        downloads.end("a", failure: DownloadFailure(.conditionsNotMet, internal: "metered"), uptime: 5000, random: 0)
        #expect(downloads.begins("a", 5450), "another connection is noticed sooner")
    }

    @Test("During the backoff, its failure is known")
    func reason() {
        let downloads = Downloads()
        #expect(downloads.backoffFailure("a", uptime: 0) == nil)
        #expect(downloads.begins("a", 0))
        downloads.end("a", failure: busy(), uptime: 0, random: 0)
        #expect(downloads.backoffFailure("a", uptime: 14) == busy())
        #expect(downloads.backoffFailure("a", uptime: 15) == nil)
        downloads.begin("a", usual)
        #expect(downloads.backoffFailure("a", uptime: 14) == nil, "the app downloads it")
    }

    @Test("Downloads have the conditions that the app last chose for the model")
    func conditions() {
        let downloads = Downloads()
        downloads.begin("a", careful)
        downloads.end("a", failure: nil, uptime: 0, random: 0)
        for _ in 0..<2 {
            #expect(downloads.beginForUse("a", uptime: 1) == careful)
            downloads.end("a", failure: nil, uptime: 1, random: 0)
        }
        #expect(downloads.beginForUse("b", uptime: 1) == usual)
    }
}

/// A reference, because what changes its value cannot stand in `#expect`.
private final class Downloads {
    private var value = AutomaticDownloads()

    func begin(_ name: String, _ conditions: DownloadConditions) { value.begin(name, conditions) }

    func beginForUse(_ name: String, uptime: Double) -> DownloadConditions? {
        value.beginForUse(name, uptime: uptime)
    }

    func begins(_ name: String, _ uptime: Double) -> Bool { beginForUse(name, uptime: uptime) != nil }

    func end(_ name: String, failure: DownloadFailure?, uptime: Double, random: Double) {
        value.end(name, failure: failure, uptime: uptime, random: random)
    }

    func backoffFailure(_ name: String, uptime: Double) -> DownloadFailure? {
        value.backoffFailure(name, uptime: uptime)
    }
}
