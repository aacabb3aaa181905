import Foundation
import HearthModelFile

/// The boxes from which a detection model's numbers are offsets. Free of side effects.
///
/// The formula is that of `TFLite_Detection_PostProcess` and of MediaPipe's detectors: a centre is the anchor's centre
/// plus offset / scale x the anchor's side; a side is the anchor's side x exp(number / scale), or x number / scale.
struct Anchors: Sendable, Hashable {
    /// The order of a model's four numbers.
    enum Order: Sendable, Hashable {
        /// Centre y, centre x, height, width.
        case yFirst
        /// Centre x, centre y, width, height.
        case xFirst
    }

    /// One for each place, in shares of the input's sides.
    var anchors: [DetectorMetadata.Anchor]
    var order = Order.yFirst
    var xScale: Float = 1
    var yScale: Float = 1
    var widthScale: Float = 1
    var heightScale: Float = 1
    var hasExponentialSize = false

    /// The box of a place; nil when the place has no anchor, or when a side is not a finite number.
    func box(_ numbers: SIMD4<Float>, place: Int) -> Box? {
        guard anchors.indices.contains(place) else { return nil }
        let anchor = anchors[place]
        let (x, y, w, h) =
            switch order {
            case .yFirst: (numbers[1], numbers[0], numbers[3], numbers[2])
            case .xFirst: (numbers[0], numbers[1], numbers[2], numbers[3])
            }
        let centerX = x / xScale * anchor.width + anchor.centerX
        let centerY = y / yScale * anchor.height + anchor.centerY
        let width = side(w / widthScale) * anchor.width
        let height = side(h / heightScale) * anchor.height
        return Box(
            left: centerX - width / 2, top: centerY - height / 2, right: centerX + width / 2,
            bottom: centerY + height / 2
        ).upright
    }

    private func side(_ number: Float) -> Float { hasExponentialSize ? exp(number) : number }
}

extension Anchors {
    /// Those in the metadata of a model.
    init(_ metadata: DetectorMetadata) {
        self.init(
            anchors: metadata.anchors, xScale: metadata.xScale, yScale: metadata.yScale,
            widthScale: metadata.widthScale, heightScale: metadata.heightScale,
            hasExponentialSize: metadata.hasExponentialSizes)
    }

    /// The anchors of a detector of MediaPipe's whose model file does not contain them.
    ///
    /// Each is a square of the input's size around the centre of a cell. A layer of the network has two of them in each
    /// cell, and layers of one stride share their cells. The numbers are those of MediaPipe's published graphs.
    static func generated(inputSide: Int, strides: [Int], perCellAndLayer: Int = 2) -> [DetectorMetadata.Anchor] {
        var anchors: [DetectorMetadata.Anchor] = []
        var layer = 0
        while layer < strides.count {
            let stride = strides[layer]
            let layerCount = strides[layer...].prefix { $0 == stride }.count
            let cells = (inputSide + stride - 1) / stride
            for row in 0..<cells {
                for column in 0..<cells {
                    let anchor = DetectorMetadata.Anchor(
                        centerX: (Float(column) + 0.5) / Float(cells), centerY: (Float(row) + 0.5) / Float(cells),
                        width: 1, height: 1)
                    anchors += Array(repeating: anchor, count: layerCount * perCellAndLayer)
                }
            }
            layer += layerCount
        }
        return anchors
    }
}

extension Anchors {
    /// One anchor for each cell of grids over an input, as in YOLOX: its upper left corner, and its size.
    static func cells(of inputSize: (width: Int, height: Int), strides: [Int]) -> Anchors {
        var anchors: [DetectorMetadata.Anchor] = []
        for stride in strides {
            let (width, height) = (Float(stride) / Float(inputSize.width), Float(stride) / Float(inputSize.height))
            for row in 0..<inputSize.height / stride {
                for column in 0..<inputSize.width / stride {
                    anchors.append(
                        DetectorMetadata.Anchor(
                            centerX: Float(column) * width, centerY: Float(row) * height, width: width, height: height))
                }
            }
        }
        return Anchors(anchors: anchors, order: .xFirst, hasExponentialSize: true)
    }
}

/// A detector of MediaPipe's whose anchors are generated, known by the size of its input and its number of places.
struct GeneratedAnchorModel {
    let inputSide: Int
    let placeCount: Int
    let strides: [Int]
    var perCellAndLayer = 2
    /// The numbers of a place: four of the box, and two for each key point.
    let numberCount: Int
    let normalization: ImageProcessing.Normalization

    static let all = [
        // Faces: short range, back camera, full range.
        GeneratedAnchorModel(
            inputSide: 128, placeCount: 896, strides: [8, 16, 16, 16], numberCount: 16, normalization: .minusOneToOne),
        GeneratedAnchorModel(
            inputSide: 256, placeCount: 896, strides: [16, 32, 32, 32], numberCount: 16, normalization: .minusOneToOne),
        GeneratedAnchorModel(
            inputSide: 192, placeCount: 2304, strides: [4], perCellAndLayer: 1, numberCount: 16,
            normalization: .minusOneToOne),
        // Palms: of the first and the second generation.
        GeneratedAnchorModel(
            inputSide: 256, placeCount: 2944, strides: [8, 16, 32, 32, 32], numberCount: 18,
            normalization: .minusOneToOne),
        GeneratedAnchorModel(
            inputSide: 192, placeCount: 2016, strides: [8, 16, 16, 16], numberCount: 18, normalization: .zeroToOne),
        // People.
        GeneratedAnchorModel(
            inputSide: 224, placeCount: 2254, strides: [8, 16, 32, 32, 32], numberCount: 12,
            normalization: .minusOneToOne),
    ]

    static func known(inputSide: Int, placeCount: Int) -> GeneratedAnchorModel? {
        all.first { $0.inputSide == inputSide && $0.placeCount == placeCount }
    }

    /// The numbers are in pixels of the input.
    var anchors: Anchors {
        let side = Float(inputSide)
        return Anchors(
            anchors: Anchors.generated(inputSide: inputSide, strides: strides, perCellAndLayer: perCellAndLayer),
            order: .xFirst, xScale: side, yScale: side, widthScale: side, heightScale: side)
    }
}
