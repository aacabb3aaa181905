import Dispatch

/// Works on pictures off the calling thread, in the order in which they were added and in two stages: while one is run,
/// the next is prepared. No more than these two are held at a time.
///
/// It holds no thread while it is empty. Use it from any thread.
final class PictureQueue: Sendable {
    private let preparing: DispatchQueue
    private let running: DispatchQueue
    private let isFree = DispatchSemaphore(value: 1)

    init(label: String) {
        preparing = DispatchQueue(label: label + ".prepare")
        running = DispatchQueue(label: label + ".run")
    }

    /// Adds a picture and returns at once. Either closure may block.
    func add<Prepared: Sendable>(
        prepare: @escaping @Sendable () -> Prepared, run: @escaping @Sendable (Prepared) -> Void
    ) {
        preparing.async {
            let prepared = prepare()
            self.isFree.wait()
            self.running.async {
                run(prepared)
                self.isFree.signal()
            }
        }
    }
}
