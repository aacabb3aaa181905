import Testing

@testable import HearthDelivery

@Suite("Downloads that nobody asked for")
struct ManagerAutomaticDownloadsTests {
    @Test("one at a time for each model")
    func once() {
        var downloads = AutomaticDownloads()
        func asks(_ name: String, _ uptime: Double) -> Bool { downloads.beginForUse(name, uptime: uptime) }
        #expect(asks("a", 0))
        #expect(!asks("a", 1))
        #expect(asks("b", 1))
        downloads.end("a", hasFailed: false, uptime: 2)
        #expect(asks("a", 2))
    }

    @Test("none while the app's own goes on")
    func ownDownload() {
        var downloads = AutomaticDownloads()
        func asks(_ name: String, _ uptime: Double) -> Bool { downloads.beginForUse(name, uptime: uptime) }
        downloads.begin("a")
        downloads.begin("a")
        downloads.end("a", hasFailed: false, uptime: 1)
        #expect(!asks("a", 1))
        downloads.end("a", hasFailed: false, uptime: 2)
        #expect(asks("a", 2))
    }

    @Test("none for a while after one has failed")
    func pause() {
        var downloads = AutomaticDownloads()
        func asks(_ name: String, _ uptime: Double) -> Bool { downloads.beginForUse(name, uptime: uptime) }
        #expect(asks("a", 100))
        downloads.end("a", hasFailed: true, uptime: 101)
        #expect(!asks("a", 130.9))
        #expect(asks("a", 131))
        downloads.end("a", hasFailed: true, uptime: 132)
        downloads.begin("a")
        downloads.end("a", hasFailed: false, uptime: 133)
        #expect(asks("a", 133), "success ends the pause")
    }
}
