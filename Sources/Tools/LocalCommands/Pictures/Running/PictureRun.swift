import Foundation
import Glibc
import HearthArguments
import Synchronization

/// Has readers say something about all pictures that the user named, and prints it in the order of the pictures.
struct PictureRun<Reader: PictureReader> {
    /// What the progress bar calls the work.
    let label: String
    let asJSON: Bool
    /// A folder that holds no pictures to look at, wherever it lies; nil for none.
    var ignoredFolder: String?
    /// Makes a reader that uses so many threads.
    let makeReader: @Sendable (_ threadCount: Int) throws -> Reader

    /// - Throws: why no reader can be made, or `ExitCode` when a picture failed or the user ended the run.
    func run(_ options: PictureOptions) throws {
        let (jobs, threads) = options.concurrency
        guard !options.isOnePicture else {
            let outcome = try makeReader(threads).outcome(options.paths[0], asJSON: asJSON)
            if let note = outcome.note { Output.note(note) }
            _ = Output.write(outcome.output)
            if outcome.isFailure { throw ExitCode.failure }
            return
        }
        try runAll(options, jobs: jobs, threads: threads)
    }

    private func runAll(_ options: PictureOptions, jobs: Int, threads: Int) throws {
        // A reader that goes away ends the run as if there were no more pictures.
        signal(SIGPIPE, SIG_IGN)
        let interruption = Interruption()
        let first = try makeReader(threads)
        let tally = PictureTally(label: label, cancellation: interruption.cancellation)
        let list = PictureList(
            options.source(ignoring: ignoredFolder, cancellation: interruption.cancellation))
        OrderedPipeline<PictureList.Item, PictureTally.Item>(workerCount: jobs).run(
            cancellation: interruption.cancellation, next: { list.next() },
            makeWork: { worker in
                // The others load their model once there is a picture for them.
                var reader = worker == 0 ? first : nil
                return { item in
                    PictureTally.Item(
                        outcome: outcome(of: item.entry, with: &reader, threads: threads), total: item.total)
                }
            },
            emit: { tally.count($0) })
        tally.finish()
        if let stop = interruption.stop { throw ExitCode(stop.exitCode) }
        if tally.hasFailures { throw ExitCode.failure }
    }

    private func outcome(
        of entry: PictureListing.Entry, with reader: inout Reader?, threads: Int
    ) -> PictureOutcome {
        switch entry {
        case .failure(let path, let reason):
            return .failure(path, reason, asJSON: asJSON)
        case .picture(let path):
            do {
                let present = try reader ?? makeReader(threads)
                reader = present
                return present.outcome(path, asJSON: asJSON)
            } catch {
                return .failure(path, ErrorText.describe(error), asJSON: asJSON)
            }
        }
    }
}
