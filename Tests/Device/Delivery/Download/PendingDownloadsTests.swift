import HearthModelSource
import Testing

@testable import HearthDelivery

@Suite("Callers that wait for downloads")
struct PendingDownloadsTests {
    private let anyNetwork = DownloadConditions(ModelDownloadConditions())
    private let freeNetwork = DownloadConditions(ModelDownloadConditions(allowsCellularAccess: false))

    @Test("The first caller begins a download, later ones join it, other models have their own")
    func join() throws {
        var table = PendingDownloads<String>()
        let first = table.join("digits", anyNetwork, "a")
        let transfer = try #require(first.newDownload)
        #expect(table.join("digits", freeNetwork, "b").newDownload == nil)
        let other = try #require(table.join("flowers", anyNetwork, "c").newDownload)
        #expect(other != transfer)
        #expect(table.callers(of: transfer, "digits") == ["a", "b"])
        #expect(table.callers(of: other, "flowers") == ["c"])
    }

    @Test("A caller that leaves gets no result; only the last one abandons the download")
    func leave() throws {
        var table = PendingDownloads<String>()
        let first = table.join("digits", anyNetwork, "a")
        let second = table.join("digits", anyNetwork, "b")
        let transfer = try #require(first.newDownload)
        let left = table.leave(first)
        #expect(left?.caller == "a")
        #expect(left?.abandoned == nil)
        #expect(table.leave(first) == nil, "a second time")
        #expect(table.callers(of: transfer, "digits") == ["b"])
        #expect(table.leave(second)?.abandoned == transfer)
        #expect(table.callers(of: transfer, "digits").isEmpty)
    }

    @Test("A caller after the last one has left begins again, and the abandoned download does not call it")
    func abandoned() throws {
        var table = PendingDownloads<String>()
        let first = table.join("digits", anyNetwork, "a")
        _ = table.leave(first)
        let second = table.join("digits", anyNetwork, "b")
        #expect(second.newDownload != nil && second.newDownload != first.newDownload)
        let old = try #require(first.newDownload)
        #expect(table.finish(old, "digits", conditionsHeld: true).answered.isEmpty)
        let new = try #require(second.newDownload)
        #expect(table.finish(new, "digits", conditionsHeld: true).answered == ["b"])
        #expect(table.leave(second) == nil, "answered already")
    }

    @Test("Unmet conditions end the wait of the callers that set them; others continue in order")
    func conditions() throws {
        var table = PendingDownloads<String>()
        let first = try #require(table.join("digits", freeNetwork, "a").newDownload)
        _ = table.join("digits", anyNetwork, "b")
        _ = table.join("digits", freeNetwork, "c")
        let place = table.join("digits", anyNetwork, "d")
        let (answered, next) = table.finish(first, "digits", conditionsHeld: false)
        #expect(answered == ["a", "c"])
        let transfer = try #require(next)
        #expect(transfer.conditions == anyNetwork)
        #expect(table.callers(of: transfer.id, "digits") == ["b", "d"])
        #expect(table.leave(place)?.caller == "d", "their places stay valid")
        let end = table.finish(transfer.id, "digits", conditionsHeld: false)
        #expect(end.answered == ["b"])
        #expect(end.next == nil)
    }

    @Test("All callers can be removed, of one model or of all")
    func remove() {
        var table = PendingDownloads<String>()
        _ = table.join("digits", anyNetwork, "a")
        _ = table.join("flowers", anyNetwork, "b")
        _ = table.join("digits", anyNetwork, "c")
        #expect(table.remove("digits") == ["a", "c"])
        #expect(table.remove("digits").isEmpty)
        #expect(table.remove() == ["b"])
    }
}

@Suite("Reducing progress")
struct CoreProgressStepsTests {
    @Test("About a hundred steps for pieces of any size, including the last byte")
    func steps() {
        var steps = ProgressThrottle()
        let shown = (0...10_000).compactMap { steps.step(completed: UInt64($0), total: 10_000) }
        #expect((100...102).contains(shown.count))
        #expect(shown.first == 0)
        #expect(shown.last == 1)
        #expect(shown == shown.sorted())
        #expect(steps.step(completed: 10_000, total: 10_000) == nil, "reported once")
    }

    @Test("An empty file, more bytes than announced, and the largest numbers do no harm")
    func extremes() {
        var steps = ProgressThrottle()
        #expect(steps.step(completed: 0, total: 0) == 1)
        var others = ProgressThrottle()
        #expect(others.step(completed: .max, total: 1) == 1)
        var large = ProgressThrottle()
        #expect(large.step(completed: .max, total: .max) == 1)
    }

    @Test("A download that starts over shows")
    func restart() {
        var steps = ProgressThrottle()
        #expect(steps.step(completed: 60, total: 100) == 0.6)
        #expect(steps.step(completed: 0, total: 100) == 0)
    }
}
