import Foundation

extension BoxTracker {
    /// The boxes of the next frame with their tracking ids. Compared in pixels, so that the region may move.
    mutating func tracked(_ boxes: [DetectedBox]) -> [DetectedBox] {
        let identifiers = identifiers(of: boxes.map(\.scoredBox))
        return zip(boxes, identifiers).map { box, identifier in
            var box = box
            box.trackingID = identifier
            return box
        }
    }
}

extension DetectedBox {
    fileprivate var scoredBox: ScoredBox {
        ScoredBox(
            box: Box(
                left: Float(unclippedFrame.minX), top: Float(unclippedFrame.minY),
                right: Float(unclippedFrame.maxX), bottom: Float(unclippedFrame.maxY)),
            classIndex: index, score: confidence)
    }
}
