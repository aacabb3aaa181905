import HearthImaging
import HearthModelFile

/// How images go into models of a known family, where the file itself says nothing about it.
struct UsualInput: Sendable {
    var normalization: ImageProcessing.Normalization?
    var channels: ImageProcessing.Channels?
    var placement: ImagePlacement?
    var evidence = Evidence.usual

    /// Nothing is known.
    static let unknown = UsualInput()

    /// Of detectors with this layout.
    init(_ found: DetectionLayoutFinder.Found, inputSide: Int?) {
        switch found.layout.name {
        case .yolov5, .yolov8, .yoloNMS, .yolov5NMS:
            normalization = .zeroToOne
            placement = .fit(background: 114)
            evidence = found.evidence == .exporter ? .exporter : .usual
        case .yolox:
            normalization = .bytes
            channels = .bgr
            placement = .fit(background: 114)
        case .blazeFace:
            normalization = GeneratedAnchorModel.all.first { $0.inputSide == inputSide }?.normalization
            placement = .fit(background: 0)
        case .customVision: normalization = .bytes
        case .ssd, .ssdScores, .anchors, .detectionOutput, .fomo: break
        }
    }

    /// Of labelers.
    init(labelerBy exporter: ExporterDescription?) {
        guard exporter?.task == "classify" else { return }
        normalization = .zeroToOne
        placement = .crop
        evidence = .exporter
    }

    private init() {}
}
