/// Whether pictures have to do with each other.
public struct ObjectDetectorMode: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Each picture for itself.
    public static let singleImage = ObjectDetectorMode(rawValue: 0)
    /// Frames of one video, in their order: the same object keeps its tracking id.
    public static let stream = ObjectDetectorMode(rawValue: 1)
}
