import HearthModelFile

/// How a model describes a box: the meaning of its four numbers, and their unit. Free of side effects.
struct BoxCoordinates: Sendable, Hashable {
    enum Form: Sendable, Hashable {
        /// Left, top, right, bottom.
        case boundaries
        /// Left, top, width, height.
        case upperLeft
        /// The centre's x, the centre's y, width, height.
        case center
    }

    /// The position of each of the form's numbers among the model's four, in the form's order.
    var order: SIMD4<UInt8>
    var form: Form
    /// Converts the model's x into a share of its input's width; 1 where the model returns shares.
    var xScale: Float = 1
    /// Converts the model's y into a share of its input's height; 1 where the model returns shares.
    var yScale: Float = 1

    /// Top, left, bottom, right as shares of the input's sides, as `TFLite_Detection_PostProcess` and AutoML models
    /// write them.
    static let detectionPostProcess = BoxCoordinates(order: [1, 0, 3, 2], form: .boundaries)

    init(order: SIMD4<UInt8>, form: Form, xScale: Float = 1, yScale: Float = 1) {
        self.order = order
        self.form = form
        self.xScale = xScale
        self.yScale = yScale
    }

    /// Reads the form from the model's metadata.
    /// - Parameter inputSize: The size of the model's input in pixels, which converts boxes in pixels; nil where it is
    ///   open.
    /// - Throws: When the description is impossible, or newer than this reader.
    init(_ properties: ModelMetadata.BoundingBoxProperties, inputSize: (width: Int, height: Int)?) throws {
        let index = properties.index.isEmpty ? [0, 1, 2, 3] : properties.index
        guard index.sorted() == [0, 1, 2, 3] else {
            throw VisionError.make(
                .failedPrecondition,
                "The model's metadata has the box layout \(index.prefix(8)), but a box layout must be the numbers 0 to 3 in any order."
            )
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
                    "The model returns boxes in pixels of its input, but leaves the input's size open.")
            }
            xScale = 1 / Float(inputSize.width)
            yScale = 1 / Float(inputSize.height)
        }
    }

    /// Left, top, right, bottom, as shares of the input's sides.
    static let corners = BoxCoordinates(order: [0, 1, 2, 3], form: .boundaries)

    /// Centre x, centre y, width, height, as shares of the input's sides.
    static let center = BoxCoordinates(order: [0, 1, 2, 3], form: .center)

    /// This form in pixels of an input of this size.
    func inPixels(of size: (width: Int, height: Int)) -> BoxCoordinates {
        BoxCoordinates(order: order, form: form, xScale: 1 / Float(size.width), yScale: 1 / Float(size.height))
    }

    /// The box that four numbers of the model describe; nil when one of its sides is not a finite number. Sides in the
    /// wrong order are swapped.
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
        return box.upright
    }
}
