import Foundation
import HearthImaging

/// What the users of labelers and detectors may choose about how their model runs.
struct ModelSettings: Sendable {
    /// CPU threads for one run; nil for the usual.
    var threadCount: Int?
    /// How pictures are brought to the proportions of the model's input.
    var placement = ImagePlacement.stretch
    /// How larger pictures are brought to the input's size.
    var resampling = ImageResampling.antialiased
    /// Language of the display names, as the model's metadata writes it.
    var labelsLocale = "en"

    /// As many as there are processors, four at most: small models gain nothing from more.
    static let usualThreadCount = min(4, ProcessInfo.processInfo.activeProcessorCount)
}
