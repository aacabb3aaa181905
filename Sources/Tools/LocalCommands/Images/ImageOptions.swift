import Foundation
import HearthArguments
import HearthConcurrency
import HearthImaging
import HearthModelFile

/// The options of every command about images.
struct ImageOptions: ParsableArguments {
    @Argument(
        help: """
            Image files, and folders, which are searched with all folders below them; - reads such paths from standard input, \
            one per line.
            """)
    var paths: [String]

    @Option(help: ArgumentHelp("Use only this part of each image, in pixels.", valueName: "x,y,width,height"))
    var region: RegionArgument?

    @Flag(name: .customLong("allow-partial"), help: "Use the readable part of damaged images.")
    var allowsPartial = false

    @Flag(
        name: .customLong("full-decode"),
        help: "Decode large JPEG files at full size. This takes longer and changes confidences a little.")
    var decodesInFull = false

    @Flag(
        name: .customLong("no-antialias"),
        help: """
            Compute each pixel of the model's input from four pixels of the image, as the TensorFlow Lite Task \
            Library does, at all image sizes.
            """
    )
    var samplesPlainly = false

    @Option(
        name: .customLong("image-memory"),
        help: ArgumentHelp(
            "Maximum MiB of memory for all images in progress; more images wait. Default: \(defaultMebibytes).",
            valueName: "MiB"))
    var memoryMebibytes: Int?

    @Option(
        help: ArgumentHelp(
            "Number of images in progress at the same time. Default: one for each processor.", valueName: "count"))
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

    /// More than any machine needs, and few enough that each can have its own memory.
    private static let maximumThreads = 256

    /// Enough for the largest accepted image, and for a hundred common ones.
    private static let defaultMebibytes = 1536
    /// The memory of a decoder before the first pixel, and some more.
    private static let minimumMebibytes = 16
    private static let maximumMebibytes = 1 << 20

    /// The path that means standard input.
    private static let standardInput = "-"

    /// The paths on the command line; empty if more come from standard input.
    var knownPaths: [String] { paths.contains(Self.standardInput) ? [] : paths }

    /// Whether there is only one image, for which the whole machine works.
    var isOneImage: Bool { paths.count == 1 && paths[0] != Self.standardInput && !ImageListing.isFolder(paths[0]) }

    /// How each image is read.
    var readingOptions: ImageReadingOptions {
        ImageReadingOptions(
            decoding: ImageDecodeOptions(allowPartial: allowsPartial, allowsScaledDecode: !decodesInFull),
            resampling: samplesPlainly ? .bilinear : .antialiased, region: region?.rect,
            memory: ImageMemoryBudget(
                byteCount: (memoryMebibytes ?? Self.defaultMebibytes) << 20, name: "--image-memory"))
    }

    /// - Parameters:
    ///   - ignored: a folder to leave out; nil for none.
    ///   - cancellation: ends the reading of standard input.
    func source(ignoring ignored: String?, cancellation: Cancellation) -> ImageListing {
        guard paths.contains(Self.standardInput) else { return ImageListing(paths, ignoring: ignored) }
        let lines = InputLines(cancellation: cancellation)
        return ImageListing(
            paths.filter { $0 != Self.standardInput }, ignoring: ignored, lines: { lines.next() })
    }

    /// The number of images in progress, and the threads that run the model for each.
    var concurrency: (jobs: Int, threads: Int) {
        let processors = max(1, ProcessInfo.processInfo.activeProcessorCount)
        if isOneImage { return (1, min(threads ?? processors, processors)) }
        let threads = min(threads ?? 1, processors)
        return (jobs ?? max(1, processors / threads), threads)
    }
}

/// A part of an image in the form of the command line: `x,y,width,height`.
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

/// How an image file is read.
struct ImageReadingOptions: Sendable {
    var decoding = ImageDecodeOptions()
    /// How large images are reduced to the model's size.
    var resampling = ImageResampling.antialiased
    /// The part to use; nil for the whole image.
    var region: PixelRect?
    /// The memory of all images together; nil for no limit.
    var memory: ImageMemoryBudget?
    /// What the user states about the model's images and answers.
    var processing = ImageProcessing()

    /// For one thread, with its own share of the memory.
    func shared(laterBytesPerPixel: Int = 0) -> ImageReadingOptions {
        var readingOptions = self
        readingOptions.decoding.memory = memory.map {
            ImageMemoryReservation(of: $0, extraBytesPerPixel: laterBytesPerPixel)
        }
        return readingOptions
    }

    /// This thread no longer uses its image.
    func giveBack() { decoding.memory?.release() }
}
