import HearthModelFile

/// How a model writes down a box: which of four numbers is what, and in which unit. Pure.
struct BoxCoordinates: Sendable, Hashable {
    enum Form: Sendable, Hashable {
        /// left, top, right, bottom
        case boundaries
        /// left, top, width, height
        case upperLeft
        /// centre's x, centre's y, width, height
        case center
    }

    /// Where the form's numbers stand among the four, in the form's order.
    var order: SIMD4<UInt8>
    var form: Form
    /// What turns the model's x into shares of its input's width; 1 where they are that already.
    var xScale: Float = 1
    /// What turns the model's y into shares of its input's height.
    var yScale: Float = 1

    /// top, left, bottom, right as shares of the input's sides: what `TFLite_Detection_PostProcess` writes, and AutoML.
    static let detectionPostProcess = BoxCoordinates(order: [1, 0, 3, 2], form: .boundaries)

    init(order: SIMD4<UInt8>, form: Form, xScale: Float = 1, yScale: Float = 1) {
        self.order = order
        self.form = form
        self.xScale = xScale
        self.yScale = yScale
    }

    /// As the model's metadata describes them.
    /// - Parameter inputSize: Of the model's input, in pixels, which is what boxes in pixels count; nil where it is open.
    /// - Throws: for a description that cannot be, or is newer than this reader.
    init(_ properties: ModelMetadata.BoundingBoxProperties, inputSize: (width: Int, height: Int)?) throws {
        let index = properties.index.isEmpty ? [0, 1, 2, 3] : properties.index
        guard index.sorted() == [0, 1, 2, 3] else {
            throw VisionError.make(
                .failedPrecondition,
                "The model's metadata has the box layout \(index.prefix(8)), not 0 to 3 in some order.")
        }
        order = SIMD4(index.map { UInt8($0) })
        switch properties.form {
        case .boundaries, .unknown: form = .boundaries
        case .upperLeft: form = .upperLeft
        case .center: form = .center
        default:
            throw VisionError.make(
                .failedPrecondition, "The model's metadata has the unknown box type \(properties.form.rawValue).")
        }
        if properties.coordinates == .pixel {
            guard let inputSize else {
                throw VisionError.make(
                    .failedPrecondition,
                    "The model gives boxes in pixels of its input, but leaves the input's size open.")
            }
            xScale = 1 / Float(inputSize.width)
            yScale = 1 / Float(inputSize.height)
        }
    }

    /// The box that four numbers of the model stand for; nil when one of its sides is no finite number. A box whose
    /// sides come in the wrong order is turned the right way round.
    func box(_ numbers: SIMD4<Float>) -> Box? {
        let first = numbers[Int(order[0])] * xScale
        let second = numbers[Int(order[1])] * yScale
        let third = numbers[Int(order[2])] * xScale
        let fourth = numbers[Int(order[3])] * yScale
        let box =
            switch form {
            case .boundaries: Box(left: first, top: second, right: third, bottom: fourth)
            case .upperLeft: Box(left: first, top: second, right: first + third, bottom: second + fourth)
            case .center:
                Box(
                    left: first - third / 2, top: second - fourth / 2, right: first + third / 2,
                    bottom: second + fourth / 2)
            }
        guard box.left.isFinite, box.top.isFinite, box.right.isFinite, box.bottom.isFinite else { return nil }
        return Box(
            left: min(box.left, box.right), top: min(box.top, box.bottom), right: max(box.left, box.right),
            bottom: max(box.top, box.bottom))
    }
}
