import Glibc
package import HearthCrypto
package import HearthStorage
package import HearthWork

/// The most that packing may use.
package struct PackLimits: Sendable, Hashable {
    /// The zips that wait or are packed. One at a time is packed, because that may use 2 GiB of memory.
    package var queue = PlaceLimits(places: 8, placesPerProject: 3, reservedPlaces: 2, runs: 1)
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
package final class PackQueue: QueueWithPlaces {
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
    package let queue: PlaceQueue

    /// - Parameter executable: the program of the probe; nil if this server packs nothing.
    package init(
        blobs: any BlobStore, executable: String?, limits: PackLimits = PackLimits(), scheduler: any WorkScheduler
    ) {
        self.blobs = blobs
        self.limits = limits
        packer = executable.map { BundlePacker(executable: $0, limits: limits) }
        queue = PlaceQueue(limits: limits.queue, scheduler: scheduler)
    }

    /// Packs the stored file when it is its turn, and then calls back once, from a thread that may wait. The place is
    /// free again before the call.
    ///
    /// - Parameter write: gets the packed model piece by piece.
    package func pack(
        _ file: SHA256Digest, in place: QueuePlace, write: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void,
        _ completion: @escaping Completion
    ) {
        run(in: place, { [self] in try pack(file, write: write) }, stopping: ProbeFailure.stopping, completion)
    }

    private func pack(_ file: SHA256Digest, write: (UnsafeRawBufferPointer) throws -> Void) throws -> PackedFile {
        guard let packer else { throw ProbeFailure("This server packs no files.") }
        guard let blob = try? blobs.open(file) else {
            throw ProbeFailure("The file is not on the server's disk; upload it again.", .model)
        }
        defer { close(blob.descriptor) }
        return try packer.pack(blob.descriptor, isCancelled: { !queue.isOpen }, write: write)
    }
}
