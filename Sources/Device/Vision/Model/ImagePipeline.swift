import Dispatch

/// Works on images off the calling thread, one after another in the order in which they came, and prepares the next one
/// in the meantime.
final class ImagePipeline: Sendable {
    private let preparation = DispatchQueue(label: "app.hearth.image-preparation")
    private let work = DispatchQueue(label: "app.hearth.image-work")
    /// One image being worked on, one being prepared: more would only fill the memory.
    private let room = DispatchSemaphore(value: 2)

    /// - Parameters:
    ///   - prepare: What may overlap with the work on the image before, such as decoding.
    ///   - body: The work, with what `prepare` gave.
    func add<Prepared: Sendable>(
        prepare: @escaping @Sendable () -> Prepared, then body: @escaping @Sendable (Prepared) -> Void
    ) {
        preparation.async { [work, room] in
            room.wait()
            let prepared = prepare()
            work.async {
                body(prepared)
                room.signal()
            }
        }
    }
}
