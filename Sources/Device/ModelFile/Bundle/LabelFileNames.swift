/// What files with a model's labels are usually called.
struct LabelFileNames {
    /// One label a line.
    let labelFiles: Set<String>
    /// TensorFlow's label maps. AutoML Video writes `traffic_label_map.pbtxt` beside `traffic_model.tflite`.
    let labelMaps: Set<String>

    private static let modelEnding = ".tflite"

    /// - Parameter modelName: the plain name of the model file.
    init(modelName: String) {
        let stem =
            modelName.hasSuffix(Self.modelEnding) ? String(modelName.dropLast(Self.modelEnding.count)) : modelName
        labelFiles = ["labels.txt", "dict.txt", "\(stem).txt", "\(stem)_labels.txt"]
        var maps: Set = ["label_map.pbtxt", "labelmap.pbtxt"]
        // What the model is of, without the word that only says that it is one.
        let subject = stem.hasSuffix("_model") ? String(stem.dropLast("_model".count)) : stem
        for start in [stem, subject] { maps.formUnion(["\(start).pbtxt", "\(start)_label_map.pbtxt"]) }
        labelMaps = maps
    }
}
