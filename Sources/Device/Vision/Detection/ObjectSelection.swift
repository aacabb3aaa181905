import Foundation

/// Which of a detection model's boxes are the objects of a picture. Pure.
struct ObjectSelection: Sendable {
    /// Boxes whose score is not above it are no objects.
    var threshold: Float
    var maxCount: Int

    /// What holds where a model's metadata names no threshold.
    static let defaultThreshold: Float = 0.5
    static let largestCount = 5

    /// The most prominent first: the one with the highest product of confidence and area in the picture, of equal ones the
    /// earlier.
    func objects(_ boxes: [DetectedBox]) -> [DetectedBox] {
        let candidates = boxes.enumerated().filter { $0.element.confidence > threshold }
        let sorted = candidates.sorted { left, right in
            let (first, second) = (Self.prominence(left.element), Self.prominence(right.element))
            return first == second ? left.offset < right.offset : first > second
        }
        return sorted.prefix(maxCount).map(\.element)
    }

    private static func prominence(_ box: DetectedBox) -> Double {
        Double(box.confidence) * box.frame.width * box.frame.height
    }
}
