import Foundation
import HearthArguments
import HearthConcurrency
import HearthImaging

/// What every command that looks at images is told.
struct ImageOptions: ParsableArguments {
    @Argument(
        help: """
            Image files, and folders to look through, with all below them; - reads such paths from standard input, one \
            a line.
            """)
    var paths: [String]

    @Option(help: ArgumentHelp("Look only at this part of each image, in pixels.", valueName: "x,y,width,height"))
    var region: RegionArgument?

    @Flag(name: .customLong("allow-partial"), help: "Use what could be read of damaged images.")
    var allowsPartial = false

    @Flag(
        name: .customLong("full-decode"),
        help: "Decode large JPEG files in full, which takes longer and changes scores a little.")
    var decodesInFull = false

    @Flag(
        name: .customLong("no-antialias"),
        help:
            "Sample four pixels for each of the model's, as the TensorFlow Lite Task Library does, however large an image is."
    )
    var samplesPlainly = false

    @Option(
        name: [.customLong("image-memory"), .former("picture-memory")],
        help: ArgumentHelp(
            "MiB that the images worked on may take together; those that do not fit wait. Default: \(defaultMebibytes).",
            valueName: "MiB"))
    var memoryMebibytes: Int?

    @Option(help: ArgumentHelp("Images to work on at a time. Default: one for each processor.", valueName: "count"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Processor threads that run the model. Default: all for one image, 1 for several.", valueName: "count"))
    var threads: Int?

    @Flag(help: "Print JSON, one line for each image.")
    var json = false

    func validate() throws {
        let most = Self.maximumThreads
        if let jobs, !(1...most).contains(jobs) { throw ValidationError("--jobs must be 1 to \(most).") }
        let memory = Self.minimumMebibytes...Self.maximumMebibytes
        if let memoryMebibytes, !memory.contains(memoryMebibytes) {
            throw ValidationError("--image-memory must be \(memory.lowerBound) to \(memory.upperBound).")
        }
        if let threads, !(1...most).contains(threads) { throw ValidationError("--threads must be 1 to \(most).") }
    }

    /// More than any machine has use for, and few enough that each can have memory of its own.
    private static let maximumThreads = 256

    /// Enough for the largest image that is accepted at all, and for a hundred common ones.
    private static let defaultMebibytes = 1536
    /// What a decoder needs before the first pixel, and some.
    private static let minimumMebibytes = 16
    private static let maximumMebibytes = 1 << 20

    /// Where a path in the list of paths stands for standard input.
    private static let standardInput = "-"

    /// The paths that are named on the command line; none when more come from standard input.
    var knownPaths: [String] { paths.contains(Self.standardInput) ? [] : paths }

    /// Whether this is about one image, which the whole machine then works on.
    var isOneImage: Bool { paths.count == 1 && paths[0] != Self.standardInput && !ImageListing.isFolder(paths[0]) }

    /// How to look at each image.
    var readingOptions: ImageReadingOptions {
        ImageReadingOptions(
            decoding: ImageDecodeOptions(allowPartial: allowsPartial, allowsScaledDecode: !decodesInFull),
            resampling: samplesPlainly ? .bilinear : .antialiased, region: region?.rect,
            memory: ImageMemoryBudget(
                byteCount: (memoryMebibytes ?? Self.defaultMebibytes) << 20, name: "--image-memory"))
    }

    /// - Parameters:
    ///   - ignored: A folder to leave out; nil for none.
    ///   - cancellation: Ends the reading of standard input.
    func source(ignoring ignored: String?, cancellation: Cancellation) -> ImageListing {
        guard paths.contains(Self.standardInput) else { return ImageListing(paths, ignoring: ignored) }
        let lines = InputLines(cancellation: cancellation)
        return ImageListing(
            paths.filter { $0 != Self.standardInput }, ignoring: ignored, lines: { lines.next() })
    }

    /// Images to work on at a time, and threads that run the model for each.
    var concurrency: (jobs: Int, threads: Int) {
        let processors = max(1, ProcessInfo.processInfo.activeProcessorCount)
        if isOneImage { return (1, min(threads ?? processors, processors)) }
        let threads = min(threads ?? 1, processors)
        return (jobs ?? max(1, processors / threads), threads)
    }
}

/// A part of an image as it is written on the command line: `x,y,width,height`.
struct RegionArgument: ExpressibleByArgument {
    let rect: PixelRect

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3],
            x >= 0, y >= 0, width >= 1, height >= 1
        else { return nil }
        rect = PixelRect(x: x, y: y, width: width, height: height)
    }

    var defaultValueDescription: String { "\(rect.x),\(rect.y),\(rect.width),\(rect.height)" }
}

/// How to look at an image file.
struct ImageReadingOptions: Sendable {
    var decoding = ImageDecodeOptions()
    /// How large ones are brought to the model's size.
    var resampling = ImageResampling.antialiased
    /// The part to look at; nil for all of it.
    var region: PixelRect?
    /// What all images together may take; nil for any amount.
    var memory: ImageMemoryBudget?

    /// For one thread, with a share of the memory of its own.
    func shared(laterBytesPerPixel: Int = 0) -> ImageReadingOptions {
        var readingOptions = self
        readingOptions.decoding.memory = memory.map {
            ImageMemoryReservation(of: $0, extraBytesPerPixel: laterBytesPerPixel)
        }
        return readingOptions
    }

    /// The image that this thread looked at is no longer used.
    func giveBack() { decoding.memory?.release() }
}
