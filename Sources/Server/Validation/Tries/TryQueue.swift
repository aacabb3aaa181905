import Foundation
import Glibc
package import HearthCatalog
import HearthConcurrency
import HearthCrypto
package import HearthStorage
package import HearthWire
package import HearthWork

/// The most that tries may use.
package struct TryLimits: Sendable, Hashable {
    /// The largest image file.
    package var imageBytes = 32 << 20
    /// The tries whose images arrive, wait or run: each may have an image in memory. They run on half of the processors, so
    /// that devices get answers meanwhile.
    package var queue = PlaceLimits(
        places: 8, placesPerProject: 4, reservedPlaces: 2,
        runs: max(1, ProcessInfo.processInfo.activeProcessorCount / 2))
    /// The longest time in which an image must arrive.
    package var arrivalSeconds: Int64 = 60
    /// When a caller without a place should try again.
    package var retryAfterSeconds = 2
    /// What one run may use.
    package var run = RehearsalLimits()
    /// The most answers of a run with a threshold, and the longest line with them.
    package var answersWithThreshold = 100
    package var lineBytesWithThreshold = 256 << 10

    package init() {}

    var runWithThreshold: RehearsalLimits {
        var limits = run
        (limits.answers, limits.lineBytes) = (answersWithThreshold, lineBytesWithThreshold)
        return limits
    }
}

/// Runs versions on one image each, in the sandbox, and stores nothing. Projects take turns. Safe to call from any thread.
package final class TryQueue: QueueWithPlaces {
    /// What a version answered.
    package struct Answer: Sendable {
        package let report: ImageProbeReport.Image
        /// How images went in and what came out; nil if the probe did not say it.
        package let vision: ModelContract.Vision?
    }

    package typealias Completion = @Sendable (Result<Answer, ProbeFailure>) -> Void

    package let limits: TryLimits
    private let blobs: any BlobStore
    private let executable: String?
    package let queue: PlaceQueue

    /// - Parameter executable: the program of the probe; nil if this server runs no tries.
    package init(
        blobs: any BlobStore, executable: String?, limits: TryLimits = TryLimits(), scheduler: any WorkScheduler
    ) {
        self.blobs = blobs
        self.limits = limits
        self.executable = executable
        queue = PlaceQueue(limits: limits.queue, scheduler: scheduler)
    }

    /// Runs the version on the image when it is its turn, and then calls back once, from any thread. The place is free
    /// again before the call.
    ///
    /// - Parameter options: with a threshold, there are up to 100 answers; without one 20, of which boxes have a
    ///   confidence above 0.5, unless the file or the options state another threshold.
    package func run(
        _ version: ModelVersion, on image: [UInt8], _ options: ImageRunOptions = ImageRunOptions(),
        in place: QueuePlace, _ completion: @escaping Completion
    ) {
        run(
            in: place, { [self] () throws(ProbeFailure) in try answer(version, image, options) },
            stopping: .stopping, completion)
    }

    private func answer(
        _ version: ModelVersion, _ image: [UInt8], _ options: ImageRunOptions
    ) throws(ProbeFailure) -> Answer {
        guard let executable else { throw ProbeFailure("This server runs no models.") }
        let runner = ImageRunner(
            executable: executable, limits: options.threshold == nil ? limits.run : limits.runWithThreshold,
            options: options)
        guard let digest = SHA256Digest(hex: version.sha256), let model = try? blobs.open(digest) else {
            throw ProbeFailure("Its file is not on the server's disk; upload it again.", .model)
        }
        defer { close(model.descriptor) }
        var vision: ModelContract.Vision?
        do {
            let reports = try runner.run(
                model: model.descriptor,
                on: ImageRunner.Source(
                    count: 1, bytes: { _ in image }, started: { vision = $0 },
                    isCancelled: { [queue] in !queue.isOpen }))
            if let report = reports.first { return Answer(report: report, vision: vision) }
        } catch let error as ProbeFailure {
            throw error
        } catch {
            throw ProbeFailure("Cannot run the model: \(error)")
        }
        throw ProbeFailure("The probe gave no report.")
    }
}
