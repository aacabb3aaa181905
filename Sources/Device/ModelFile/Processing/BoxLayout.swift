/// The forms in which detection models return boxes. More may be added: use a `default` in a switch.
///
/// N is the number of boxes or places, C the number of classes. Shares are of the sides of the model's input. Where a
/// model may return shares or pixels of its input, the values of each run tell which.
public enum BoxLayout: String, Sendable, Hashable, Codable, CaseIterable {
    /// Boxes `[1, N, 4]`, classes `[1, N]`, scores `[1, N]` and maybe their count `[1]`. A box is top, left, bottom,
    /// right, in shares. The model has selected the boxes, as `TFLite_Detection_PostProcess` does.
    case ssd
    /// As ``ssd``, but a box is left, top, right, bottom: YOLOv5, exported with suppression.
    case yolov5NMS = "yolov5-nms"
    /// Boxes `[N, 4]`, classes `[N]` and scores `[N]` without a batch dimension. A box is left, top, right, bottom, in
    /// shares: Azure Custom Vision.
    case customVision = "custom-vision"
    /// Boxes `[1, N, 4]` and scores `[1, N, C]`, not yet selected. A box is top, left, bottom, right, in shares, unless
    /// the model's metadata says otherwise.
    case ssdScores = "ssd-scores"
    /// Offsets `[1, N, 4]` from anchors and scores `[1, N, C]`, not yet selected. The anchors are in the model's
    /// metadata (`DETECTOR_METADATA`): MediaPipe's detectors.
    case anchors
    /// Offsets `[1, N, 4 + 2 P]` from generated anchors, of boxes and P points, and scores `[1, N, 1]`: BlazeFace and
    /// MediaPipe's other detectors of this form. P is 6 for faces, 7 for palms and 4 for people.
    case blazeFace = "blazeface"
    /// `[1, N, 5 + C]`: centre x, centre y, width, height, the score of an object, and a score for each class.
    case yolov5
    /// As ``yolov5``, with offsets from the cells of three grids and logarithms of sizes, unless the model has decoded them:
    /// YOLOX.
    case yolox
    /// `[1, 4 + C, N]`: centre x, centre y, width, height, and a score for each class: YOLOv8, YOLO11 and later.
    case yolov8
    /// `[1, N, 6]`: left, top, right, bottom, score, class: YOLO, exported with suppression, or without need of it.
    case yoloNMS = "yolo-nms"
    /// `[N, 7]`: image, class, score, left, top, right, bottom.
    case detectionOutput = "detection-output"
    /// `[1, rows, columns, C]`: the scores of classes in each cell of a grid; class 0 is the background: Edge Impulse's
    /// FOMO. Touching cells of a class become one box.
    case fomo

    /// The detector's usual name.
    public var title: String {
        switch self {
        case .ssd: "SSD detector"
        case .yolov5NMS: "YOLOv5 detector with suppression"
        case .customVision: "Custom Vision detector"
        case .ssdScores: "detector without suppression"
        case .anchors: "SSD detector with anchors"
        case .blazeFace: "BlazeFace detector"
        case .yolov5: "YOLOv5 detector"
        case .yolox: "YOLOX detector"
        case .yolov8: "YOLOv8 detector"
        case .yoloNMS: "YOLO detector with suppression"
        case .detectionOutput: "detector with rows of seven numbers"
        case .fomo: "FOMO detector"
        }
    }
}
