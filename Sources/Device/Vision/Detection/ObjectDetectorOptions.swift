public import Foundation

/// Options of every object detector. Fill them in on one thread; a detector keeps a copy.
open class CommonObjectDetectorOptions: NSObject {
    /// Whether objects get labels; off by default.
    public var shouldEnableClassification = false

    /// Whether the detector returns up to five objects; off by default, for only the most prominent one.
    public var shouldEnableMultipleObjects = false

    /// Whether images are frames of one video; `.stream` by default.
    public var detectorMode = ObjectDetectorMode.stream

    override init() {}
}

/// Whether a detector's images belong together.
public struct ObjectDetectorMode: RawRepresentable, Sendable, Hashable {
    /// The number that ML Kit uses for the mode.
    public let rawValue: Int

    /// Creates a mode from ML Kit's number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Images are independent of each other.
    public static let singleImage = ObjectDetectorMode(rawValue: 0)
    /// Images are frames of one video, in their order: the same object keeps its tracking id.
    public static let stream = ObjectDetectorMode(rawValue: 1)
}
