import Foundation
import Glibc
package import HearthCatalog
import HearthConcurrency
import HearthCrypto
package import HearthStorage
package import HearthWire

/// The most that tries may use.
package struct TryLimits: Sendable, Hashable {
    /// The largest image file.
    package var imageBytes = 32 << 20
    /// The most tries whose images arrive, wait or run. Each may have an image in memory.
    package var places = 8
    /// The most of them that belong to one project.
    package var placesPerProject = 4
    /// Of the places, the last free ones that only a project without a try may take.
    package var reservedPlaces = 2
    /// The most that run at the same time: half of the processors, so that devices get answers meanwhile.
    package var runs = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
    /// The longest time in which an image must arrive.
    package var arrivalSeconds: Int64 = 60
    /// When a caller without a place should try again.
    package var retryAfterSeconds = 2
    /// What one run may use.
    package var run = RehearsalLimits()

    package init() {}
}

/// Runs versions on one image each, in the sandbox, and stores nothing. Projects take turns. Safe to call from any thread.
///
/// A caller takes a place before it reads an image, so the images in memory are limited.
package final class TryQueue: Sendable {
    package typealias Completion = @Sendable (Result<ImageProbeReport.Image, ValidationError>) -> Void

    private struct Job: Sendable {
        let version: ModelVersion
        let image: [UInt8]
        let place: TryPlace
        let completion: Completion
    }

    private struct State {
        /// How many places each project has.
        var taken: [String: Int] = [:]
        var line: FairQueue<Int>
        /// What waits, by its number in the line.
        var jobs: [Int: Job] = [:]
        var lastNumber = 0
        var isOpen = true
        var whenIdle: [@Sendable () -> Void] = []
    }

    package let limits: TryLimits
    private let blobs: any BlobStore
    private let runner: ImageRunner?
    private let scheduler: any WorkScheduler
    private let state: Lock<State>

    private static let stopping = ValidationError("The server is stopping.", .stop)

    /// - Parameter executable: the program of the probe; nil if this server runs no tries.
    package init(
        blobs: any BlobStore, executable: String?, limits: TryLimits = TryLimits(), scheduler: any WorkScheduler
    ) {
        self.blobs = blobs
        self.limits = limits
        runner = executable.map { ImageRunner(executable: $0, limits: limits.run) }
        self.scheduler = scheduler
        state = Lock(State(line: FairQueue(places: limits.runs)))
    }

    /// A place for one try of the project; nil if it must wait for others.
    package func place(of project: String) -> TryPlace? {
        let isFree = state.withLock { state in
            let own = state.taken[project, default: 0]
            let free = limits.places - state.taken.values.reduce(0, +)
            let least = own == 0 ? 1 : limits.reservedPlaces + 1
            guard free >= least, own < limits.placesPerProject else { return false }
            state.taken[project] = own + 1
            return true
        }
        return isFree ? TryPlace(project: project) { [weak self] in self?.giveUp(project) } : nil
    }

    private func giveUp(_ project: String) {
        state.withLock { state in
            let left = state.taken[project, default: 0] - 1
            state.taken[project] = left > 0 ? left : nil
        }
    }

    /// How many places are taken.
    package var takenPlaces: Int { state.withLock { $0.taken.values.reduce(0, +) } }

    /// Runs the version on the image when it is its turn, and then calls back once, from any thread. The place is free
    /// again before the call.
    package func run(
        _ version: ModelVersion, on image: [UInt8], in place: TryPlace, _ completion: @escaping Completion
    ) {
        let job = Job(version: version, image: image, place: place, completion: completion)
        let isQueued = state.withLock { state in
            guard state.isOpen else { return false }
            state.lastNumber += 1
            state.jobs[state.lastNumber] = job
            return state.line.add(state.lastNumber, of: place.project)
        }
        guard isQueued else { return finish(job, .failure(Self.stopping)) }
        startNext()
    }

    /// Ends what runs and waits. `completion` is called when nothing runs any more; at once if nothing does.
    package func stop(_ completion: @escaping @Sendable () -> Void) {
        let (waiting, isIdle) = state.withLock { state in
            state.isOpen = false
            state.line.removeAll()
            if !state.line.isIdle { state.whenIdle.append(completion) }
            defer { state.jobs = [:] }
            return (Array(state.jobs.values), state.line.isIdle)
        }
        for job in waiting { finish(job, .failure(Self.stopping)) }
        if isIdle { completion() }
    }

    private func startNext() {
        while let turn = state.withLock({ $0.isOpen ? $0.line.next() : nil }) {
            scheduler.run { [self] in run(turn.item, of: turn.project) }
        }
    }

    private func run(_ number: Int, of project: String) {
        if let job = state.withLock({ $0.jobs.removeValue(forKey: number) }) {
            finish(job, Result { () throws(ValidationError) in try report(job) })
        }
        let idle = state.withLock { state -> [@Sendable () -> Void] in
            state.line.finish(project)
            guard !state.isOpen, state.line.isIdle else { return [] }
            defer { state.whenIdle = [] }
            return state.whenIdle
        }
        for callback in idle { callback() }
        startNext()
    }

    private func finish(_ job: Job, _ result: Result<ImageProbeReport.Image, ValidationError>) {
        job.place.giveUp()
        job.completion(result)
    }

    private func report(_ job: Job) throws(ValidationError) -> ImageProbeReport.Image {
        guard let runner else { throw ValidationError("This server runs no models.") }
        guard let digest = SHA256Digest(hex: job.version.sha256), let model = try? blobs.open(digest) else {
            throw ValidationError("Its file is not on the server's disk; upload it again.", .model)
        }
        defer { close(model.descriptor) }
        do {
            let reports = try runner.run(
                model: model.descriptor,
                on: ImageRunner.Source(
                    count: 1, bytes: { _ in job.image }, isCancelled: { !self.state.withLock { $0.isOpen } }))
            if let report = reports.first { return report }
        } catch let error as ValidationError {
            throw error
        } catch {
            throw ValidationError("Cannot run the model: \(error)")
        }
        throw ValidationError("The probe gave no report.")
    }
}

/// The right to one try. It ends with `giveUp`, or when the place is released.
package final class TryPlace: Sendable {
    let project: String
    private let isHeld = Lock(true)
    private let onEnd: @Sendable () -> Void

    init(project: String, onEnd: @escaping @Sendable () -> Void) {
        self.project = project
        self.onEnd = onEnd
    }

    deinit { giveUp() }

    /// Has an effect once.
    package func giveUp() {
        let wasHeld = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { onEnd() }
    }
}
