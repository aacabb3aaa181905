import HearthImaging
import HearthModelFile

extension UsualInput {
    /// Of detectors with this layout.
    init(of found: DetectionLayoutFinder.Found, inputSide: Int?) {
        self.init()
        switch found.layout.name {
        case .yolov5, .yolov8, .yoloNMS, .yolov5NMS:
            normalization = .zeroToOne
            placement = .fit(background: 114)
            evidence = found.evidence == .exporter ? .exporter : .usual
        case .yolox:
            normalization = .bytes
            channels = .bgr
            placement = .fit(background: 114, isCentered: false)
        case .blazeFace:
            if let inputSide, case .anchored(let anchors) = found.layout.decoding {
                normalization =
                    GeneratedAnchorModel.known(inputSide: inputSide, placeCount: anchors.anchors.count)?.normalization
            }
            placement = .fit(background: 0)
        case .customVision: normalization = .bytes
        case .ssd, .ssdScores, .anchors, .detectionOutput, .fomo: break
        }
    }
}
