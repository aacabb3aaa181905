import Foundation
import HearthImaging

/// Turns boxes, as shares of a model's input, into frames in pixels of the upright original. Pure.
struct FrameMapping {
    private let mapping: ImageMapping
    private let picture: CGRect

    init(_ mapping: ImageMapping, pictureSize: (width: Int, height: Int)) {
        self.mapping = mapping
        picture = CGRect(x: 0, y: 0, width: Double(pictureSize.width), height: Double(pictureSize.height))
    }

    /// Not clipped.
    func frame(of box: Box) -> CGRect {
        let left = mapping.x(Double(box.left))
        let top = mapping.y(Double(box.top))
        return CGRect(
            x: left, y: top, width: mapping.x(Double(box.right)) - left, height: mapping.y(Double(box.bottom)) - top)
    }

    /// The part of a frame inside the picture.
    func clipped(_ frame: CGRect) -> CGRect {
        frame.intersection(picture)
    }

    /// Whether any of the box lies inside the picture.
    func shows(_ box: Box) -> Bool {
        let frame = frame(of: box)
        return frame.minX < picture.maxX && frame.maxX > 0 && frame.minY < picture.maxY && frame.maxY > 0
            && frame.width > 0 && frame.height > 0
    }

    /// The same box in pixels, so that it can be compared with those of other regions.
    func inPixels(_ box: ScoredBox) -> ScoredBox {
        let frame = frame(of: box.box)
        return ScoredBox(
            box: Box(
                left: Float(frame.minX), top: Float(frame.minY), right: Float(frame.maxX), bottom: Float(frame.maxY)),
            classIndex: box.classIndex, score: box.score)
    }
}
