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

    /// The part of a frame inside the picture; nil when it has no area.
    func clipped(_ frame: CGRect) -> CGRect? {
        let visible = frame.intersection(picture)
        return visible.width > 0 && visible.height > 0 ? visible : nil
    }
}
