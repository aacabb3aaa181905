import Foundation
import Glibc
import HearthArguments
import HearthConcurrency

/// Analyzes all images that the user named, and prints the results in the order of the images.
struct ImageBatch<Reader: ImageAnalyzer> {
    /// The name of the work in the progress bar.
    let label: String
    let asJSON: Bool
    /// A folder whose images are skipped; nil for none.
    var ignoredFolder: String?
    /// Makes an analyzer that uses this many threads.
    let makeReader: @Sendable (_ threadCount: Int) throws -> Reader

    /// - Throws: why no analyzer can be made, or `ExitCode` if an image failed or the user ended the run.
    func run(_ options: ImageOptions) throws {
        let (jobs, threads) = options.concurrency
        guard !options.isOneImage else {
            let reader = try makeReader(threads)
            for notice in reader.notices { Output.note(notice) }
            let outcome = reader.outcome(options.paths[0], asJSON: asJSON)
            if let note = outcome.note { Output.note(note) }
            if outcome.showsNumbers { Output.note(ImageOutput.numbersNotice) }
            _ = Output.write(outcome.output)
            if outcome.isFailure { throw ExitCode.failure }
            return
        }
        try runAll(options, jobs: jobs, threads: threads)
    }

    private func runAll(_ options: ImageOptions, jobs: Int, threads: Int) throws {
        // If the reader of the output is gone, the run ends as if there were no more images.
        signal(SIGPIPE, SIG_IGN)
        let interruption = Interruption()
        let first = try makeReader(threads)
        for notice in first.notices { Output.note(notice) }
        let tally = ImageBatchReporter(label: label, cancellation: interruption.cancellation)
        let list = SharedImageListing(
            options.source(ignoring: ignoredFolder, cancellation: interruption.cancellation))
        OrderedPipeline<SharedImageListing.Item, ImageBatchReporter.Item>(workerCount: jobs).run(
            cancellation: interruption.cancellation, next: { list.next() },
            makeWork: { worker in
                // The other threads load their model when there is an image for them.
                var reader = worker == 0 ? first : nil
                return { item in
                    ImageBatchReporter.Item(
                        outcome: outcome(of: item.entry, with: &reader, threads: threads), total: item.total)
                }
            },
            emit: { tally.count($0) })
        tally.finish()
        if let stop = interruption.stop { throw ExitCode(stop.exitCode) }
        if tally.hasFailures { throw ExitCode.failure }
    }

    private func outcome(
        of entry: ImageListing.Entry, with reader: inout Reader?, threads: Int
    ) -> ImageOutput {
        switch entry {
        case .failure(let path, let reason):
            return .failure(path, reason, asJSON: asJSON)
        case .image(let path):
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

/// An image source for several threads.
final class SharedImageListing: Sendable {
    struct Item: Sendable {
        let entry: ImageListing.Entry
        /// The total number of images, as far as it was known when this one was taken.
        let total: UInt64?
    }

    private let source: Lock<ImageListing>

    init(_ source: ImageListing) { self.source = Lock(source) }

    func next() -> Item? {
        source.withLock { source in
            source.next().map { Item(entry: $0, total: source.total) }
        }
    }
}

/// Prints the results of images, counts them, and shows the progress on a terminal.
final class ImageBatchReporter: Sendable {
    struct Item: Sendable {
        let outcome: ImageOutput
        /// The total number of images; nil while it is unknown.
        let total: UInt64?
    }

    private struct Counts {
        var done: UInt64 = 0
        var failed: UInt64 = 0
        var isReaderGone = false
        var hasExplainedNumbers = false
    }

    private let counts = Lock(Counts())
    private let bar: ProgressBar?
    private let start = ContinuousClock.now
    private let cancellation: Cancellation

    /// - Parameter cancellation: cancelled if nothing more can be printed.
    init(label: String, cancellation: Cancellation) {
        // Results on the terminal show the progress themselves.
        bar = Terminal.standardOutputIsInteractive ? nil : ProgressBar(label: label, unit: .pieces)
        self.cancellation = cancellation
    }

    var hasFailures: Bool { counts.withLock { $0.failed > 0 } }

    func count(_ item: Item) {
        counts.withLock { counts in
            guard !counts.isReaderGone else { return }
            counts.done += 1
            if item.outcome.isFailure { counts.failed += 1 }
            if let note = item.outcome.note {
                bar?.clear()
                Output.note(note)
            }
            if item.outcome.showsNumbers, !counts.hasExplainedNumbers {
                counts.hasExplainedNumbers = true
                bar?.clear()
                Output.note(ImageOutput.numbersNotice)
            }
            if !item.outcome.output.isEmpty, !Output.write(item.outcome.output) {
                counts.isReaderGone = true
                cancellation.cancel()
            }
            bar?.update(completed: counts.done, total: item.total)
        }
    }

    /// Ends the progress line and prints the summary, unless the reader of the output is gone.
    func finish() {
        bar?.finish()
        let counts = counts.withLock { $0 }
        guard !counts.isReaderGone else { return }
        Output.note(
            ImageBatchSummary(done: counts.done, failed: counts.failed, elapsed: ContinuousClock.now - start)
                .description)
    }
}

/// The line at the end of a run over many images.
struct ImageBatchSummary: CustomStringConvertible {
    let done: UInt64
    let failed: UInt64
    let elapsed: Duration

    var description: String {
        let parts = [
            "\(done.grouped) \(done == 1 ? "image" : "images")", failed > 0 ? "\(failed.grouped) failed" : nil,
            rate,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private var rate: String? {
        let seconds = elapsed / .seconds(1)
        guard done > 0, seconds > 0 else { return nil }
        // The limit is far above any real value, and keeps the conversion in range.
        let tenths = UInt64(min(Double(done) / seconds, 1e12) * 10)
        return "\((tenths / 10).grouped).\(tenths % 10) images/s"
    }
}

extension UInt64 {
    /// With a comma between groups of three digits.
    fileprivate var grouped: String {
        var text = ""
        for (index, digit) in String(self).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
