import Synchronization

/// A picture source for several threads.
final class PictureList: Sendable {
    struct Item: Sendable {
        let entry: PictureListing.Entry
        /// How many pictures there are altogether, as far as that was known when this one was taken.
        let total: UInt64?
    }

    private let source: Mutex<PictureListing>

    init(_ source: PictureListing) { self.source = Mutex(source) }

    func next() -> Item? {
        source.withLock { source in
            source.next().map { Item(entry: $0, total: source.total) }
        }
    }
}
