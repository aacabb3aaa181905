import Testing

@testable import HearthDelivery

@Suite("Downloads that nobody asked for")
struct ManagerAutomaticDownloadsTests {
    @Test("one at a time for each model")
    func once() {
        var downloads = AutomaticDownloads()
        #expect(downloads.beginForUse("a", uptime: 0))
        #expect(!downloads.beginForUse("a", uptime: 1))
        #expect(downloads.beginForUse("b", uptime: 1))
        downloads.end("a", hasFailed: false, uptime: 2)
        #expect(downloads.beginForUse("a", uptime: 2))
    }

    @Test("none while the app's own goes on")
    func ownDownload() {
        var downloads = AutomaticDownloads()
        downloads.begin("a")
        downloads.begin("a")
        downloads.end("a", hasFailed: false, uptime: 1)
        #expect(!downloads.beginForUse("a", uptime: 1))
        downloads.end("a", hasFailed: false, uptime: 2)
        #expect(downloads.beginForUse("a", uptime: 2))
    }

    @Test("none for a while after one has failed")
    func pause() {
        var downloads = AutomaticDownloads()
        #expect(downloads.beginForUse("a", uptime: 100))
        downloads.end("a", hasFailed: true, uptime: 101)
        #expect(!downloads.beginForUse("a", uptime: 130.9))
        #expect(downloads.beginForUse("a", uptime: 131))
        downloads.end("a", hasFailed: true, uptime: 132)
        downloads.begin("a")
        downloads.end("a", hasFailed: false, uptime: 133)
        #expect(downloads.beginForUse("a", uptime: 133), "success ends the pause")
    }
}
