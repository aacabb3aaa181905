import Glibc
package import HearthCrypto
package import HearthStorage
package import HearthWork

/// The most that packing may use.
package struct PackLimits: Sendable, Hashable {
    /// The most zips that wait or are packed.
    package var places = 8
    /// The most of them that belong to one project.
    package var placesPerProject = 3
    /// Of the places, the last free ones that only a project without a place may take.
    package var reservedPlaces = 2
    /// The most that are packed at the same time: each may use 2 GiB of memory.
    package var runs = 1
    /// When a caller without a place should try again.
    package var retryAfterSeconds = 5
    /// The time from start to exit of the process; then it is killed.
    package var wallSeconds = 60.0
    /// The largest packed model.
    package var packedBytes = 1 << 30
    /// The longest first line that the process may print, and the most characters of a reason in it.
    package var lineBytes = 64 << 10
    package var textCharacters = 1000

    package init() {}
}

/// Packs uploaded zips into model files, in the sandbox. Projects take turns. Safe to call from any thread.
package final class PackQueue: Sendable {
    package typealias Completion = @Sendable (Result<PackedFile, any Error>) -> Void

    /// What became of a file.
    package enum PackedFile: Sendable {
        /// It is no zip.
        case isModel
        /// It was packed, and all its bytes were written.
        case packed
    }

    package let limits: PackLimits
    private let blobs: any BlobStore
    private let packer: BundlePacker?
    private let queue: PlaceQueue

    private static let stopping = ProbeFailure("The server is stopping.", .stop)

    /// - Parameter executable: the program of the probe; nil if this server packs nothing.
    package init(
        blobs: any BlobStore, executable: String?, limits: PackLimits = PackLimits(), scheduler: any WorkScheduler
    ) {
        self.blobs = blobs
        self.limits = limits
        packer = executable.map { BundlePacker(executable: $0, limits: limits) }
        queue = PlaceQueue(
            limits: PlaceLimits(
                places: limits.places, placesPerProject: limits.placesPerProject,
                reservedPlaces: limits.reservedPlaces, runs: limits.runs), scheduler: scheduler)
    }

    /// A place for one file of the project; nil if it must wait for others.
    package func place(of project: String) -> QueuePlace? { queue.place(of: project) }

    /// How many places are taken.
    package var takenPlaces: Int { queue.takenPlaces }

    /// Packs the stored file when it is its turn, and then calls back once, from a thread that may wait. The place is
    /// free again before the call.
    ///
    /// - Parameter write: gets the packed model piece by piece.
    package func pack(
        _ file: SHA256Digest, in place: QueuePlace, write: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void,
        _ completion: @escaping Completion
    ) {
        queue.run(for: place.project) { [self] isStopping in
            let result = Result<PackedFile, any Error> {
                if isStopping { throw Self.stopping }
                return try pack(file, write: write)
            }
            place.giveUp()
            completion(result)
        }
    }

    /// Ends what runs and waits. `completion` is called when nothing runs any more; at once if nothing does.
    package func stop(_ completion: @escaping @Sendable () -> Void) { queue.stop(completion) }

    private func pack(_ file: SHA256Digest, write: (UnsafeRawBufferPointer) throws -> Void) throws -> PackedFile {
        guard let packer else { throw ProbeFailure("This server packs no files.") }
        guard let blob = try? blobs.open(file) else {
            throw ProbeFailure("The file is not on the server's disk; upload it again.", .model)
        }
        defer { close(blob.descriptor) }
        return try packer.pack(blob.descriptor, isCancelled: { !queue.isOpen }, write: write)
    }
}
