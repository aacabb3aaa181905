import HearthModelFile
import TensorFlowLite

/// The arrangement of an image in a model's input. Free of side effects.
struct ImageInputShape: Sendable, Hashable {
    /// Which dimension of the tensor has which meaning; nil for a meaning that no dimension has.
    private struct Places: Sendable, Hashable {
        var height: Int
        var width: Int
        var channels: Int?
    }

    let width: Int
    let height: Int
    let channelCount: Int
    /// Whether each channel is a plane of its own (NCHW).
    let isPlanar: Bool
    /// Whether the model takes images of any width, and of any height.
    let hasOpenWidth: Bool
    let hasOpenHeight: Bool

    private let dimensions: [Int]
    private let places: Places

    /// - Parameters:
    ///   - dimensions: `[1, height, width, channels]` or `[1, channels, height, width]` with 1, 3 or 4 channels. The first
    ///     1 may be absent, and so may be the 1 of a single channel.
    ///   - open: Which dimensions the model leaves open; empty for none.
    /// - Returns: nil when an input of this shape takes no image.
    init?(_ dimensions: [Int], open: [Bool] = []) {
        guard let places = Self.places(dimensions), dimensions.allSatisfy({ $0 > 0 }) else { return nil }
        self.dimensions = dimensions
        self.places = places
        width = dimensions[places.width]
        height = dimensions[places.height]
        channelCount = places.channels.map { dimensions[$0] } ?? 1
        isPlanar = places.channels.map { $0 < places.height } ?? false
        hasOpenWidth = open.count == dimensions.count && open[places.width]
        hasOpenHeight = open.count == dimensions.count && open[places.height]
    }

    private static func places(_ dimensions: [Int]) -> Places? {
        let isCount = { (size: Int) in [1, 3, 4].contains(size) }
        switch dimensions.count {
        case 4 where dimensions[0] == 1 && isCount(dimensions[3]): return Places(height: 1, width: 2, channels: 3)
        case 4 where dimensions[0] == 1 && isCount(dimensions[1]): return Places(height: 2, width: 3, channels: 1)
        case 3 where dimensions[0] == 1: return Places(height: 1, width: 2)
        case 3 where isCount(dimensions[2]): return Places(height: 0, width: 1, channels: 2)
        case 3 where isCount(dimensions[0]): return Places(height: 1, width: 2, channels: 0)
        default: return nil
        }
    }

    var hasOpenSize: Bool { hasOpenWidth || hasOpenHeight }

    /// The tensor's shape for images of another size.
    func shape(width: Int, height: Int) -> Tensor.Shape {
        var dimensions = dimensions
        dimensions[places.width] = width
        dimensions[places.height] = height
        return Tensor.Shape(dimensions)
    }

    /// The shape of a tensor of a file in which open dimensions have these sizes.
    /// - Parameter signature: The sizes, with a negative one for each open dimension.
    /// - Returns: nil when no dimension of an image is open.
    static func defaultShape(_ signature: [Int], width: Int, height: Int) -> [Int]? {
        // An open batch has one image. Open sizes are no number of channels, so the arrangement is known from the others.
        var dimensions = signature.map { $0 < 0 ? max(width, 5) : $0 }
        if signature.count == 4, signature[0] < 0 { dimensions[0] = 1 }
        guard let places = places(dimensions) else { return nil }
        let isOpen = { (place: Int) in signature[place] < 0 }
        guard isOpen(places.width) || isOpen(places.height) else { return nil }
        if isOpen(places.width) { dimensions[places.width] = width }
        if isOpen(places.height) { dimensions[places.height] = height }
        return dimensions
    }
}
