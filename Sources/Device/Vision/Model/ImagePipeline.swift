import Dispatch

/// Runs work on images away from the calling thread, one after another in the order of the calls. Meanwhile it prepares
/// the next image.
final class ImagePipeline: Sendable {
    private let preparation = DispatchQueue(label: "app.hearth.image-preparation")
    private let work = DispatchQueue(label: "app.hearth.image-work")
    /// One image in work and one in preparation. More would only use memory.
    private let room = DispatchSemaphore(value: 2)

    /// - Parameters:
    ///   - prepare: Preparation that may overlap with the work on the image before, such as decoding.
    ///   - body: The work, with the result of `prepare`.
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
