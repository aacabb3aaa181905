import Dispatch
import Foundation
import Testing

@testable import HearthDelivery

@Suite("Progress of one download")
struct ManagerProgressTests {
    private let queue = DispatchQueue(label: "progress")

    @Test("of unknown length until the first byte, then current on the queue")
    func counts() {
        let progress = DownloadProgress.makeProgress()
        #expect(progress.isIndeterminate && !progress.isFinished)
        #expect(progress.isCancellable && progress.kind == .file)
        let shown = DownloadProgress(progress, queue: queue)
        shown.show(completed: 50, total: 200)
        #expect(queue.sync { progress.fractionCompleted } == 0.25)
        shown.finish(byteCount: 200)
        #expect(queue.sync { progress.isFinished })
    }

    @Test("a queue that does not run is not filled up; it sees the newest counts")
    func slowQueue() {
        let progress = DownloadProgress.makeProgress()
        let shown = DownloadProgress(progress, queue: queue)
        queue.suspend()
        for count in 1...1000 { shown.show(completed: UInt64(count), total: 1000) }
        #expect(progress.completedUnitCount == 0)
        queue.resume()
        #expect(queue.sync { progress.completedUnitCount } == 1000)
    }

    @Test("counts beyond what a Progress can hold do not trap")
    func huge() {
        let progress = DownloadProgress.makeProgress()
        DownloadProgress(progress, queue: queue).show(completed: .max, total: .max)
        #expect(queue.sync { progress.totalUnitCount } == .max)
    }

    @Test("an app that forgets the progress does not keep it alive")
    func forgotten() {
        var progress: Progress? = DownloadProgress.makeProgress()
        weak let reference = progress
        let shown = progress.map { DownloadProgress($0, queue: queue) }
        progress = nil
        #expect(reference == nil)
        shown?.show(completed: 1, total: 2)
        queue.sync {}
    }
}
