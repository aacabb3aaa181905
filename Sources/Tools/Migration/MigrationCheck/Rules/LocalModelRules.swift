/// Models in the app. Google does not switch anything off here.
extension APIRule {
    private static let inSwift = "It needs no server. The same call works with Hearth on Linux."
    static let noServer = "It needs no server: keep Google's library."
    private static let onLinux = "It needs no server. On Linux the package hearth/Compatibility takes its place."

    static let localModels: [APIRule] = [
        APIRule(
            api: "ML Kit, the library", languages: [.swift],
            imports: ["MLKit", "MLKitCommon", "MLKitVision", "MLImage"],
            verdict: .stays,
            advice: "On Linux, Hearth's module has image labeling and object detection with own models, and downloads."),
        APIRule(
            api: "ML Kit, own models", languages: [.swift], modules: ["MLKit*", "MLImage"],
            names: [
                "LocalModel", "CustomImageLabelerOptions", "ImageLabeler", "ImageLabel", "CommonImageLabelerOptions",
                "CustomObjectDetectorOptions", "ObjectDetector", "ObjectDetectorMode", "CommonObjectDetectorOptions",
                "ObjectLabel", "VisionImage", "MLImage", "MLKitCompatibleImage",
            ],
            imports: [
                "MLKitImageLabelingCustom", "MLKitObjectDetectionCustom", "MLKitImageLabelingCommon",
                "MLKitObjectDetectionCommon",
            ],
            verdict: .stays, advice: inSwift),
        APIRule(
            api: "ML Kit, own models", languages: [.swift], modules: ["MLKit*"], otherModules: ["RealmSwift"],
            names: ["Object"], verdict: .stays, advice: inSwift),
        APIRule(
            api: "ML Kit, own models", languages: [.swift], modules: ["MLKit*"],
            names: ["VisionImageMetadata", "VisionImageOrientation"], verdict: .changes,
            advice: "Google removed it: set the orientation of VisionImage."),
        APIRule(
            api: "ML Kit, own models", languages: [.objectiveC],
            names: [
                "MLKLocalModel", "MLKCommonImageLabelerOptions", "MLKCommonObjectDetectorOptions",
                "MLKCustomImageLabelerOptions", "MLKImageLabeler", "MLKImageLabel", "MLKCustomObjectDetectorOptions",
                "MLKObjectDetector", "MLKObjectDetectorMode*", "MLKObject", "MLKObjectLabel", "MLKVisionImage*",
                "MLKCompatibleImage", "GMLImage",
            ],
            imports: [
                "MLKitImageLabelingCustom", "MLKitObjectDetectionCustom", "MLKitVision", "MLKitImageLabelingCommon",
                "MLKitObjectDetectionCommon", "MLKitCommon", "MLKit", "MLImage",
            ],
            verdict: .stays, advice: noServer),
        APIRule(
            api: "ML Kit, own models", languages: android, modules: ["com.google.mlkit"],
            names: [
                "LocalModel", "CustomImageLabelerOptions", "ImageLabeling", "ImageLabeler", "ImageLabel",
                "ImageLabelerOptionsBase", "CustomObjectDetectorOptions", "ObjectDetection", "ObjectDetector",
                "ObjectDetectorOptionsBase", "DetectedObject", "InputImage",
            ],
            imports: [
                "com.google.mlkit.vision.label.custom", "com.google.mlkit.vision.objects.custom",
                "com.google.mlkit.vision.objects.DetectedObject", "com.google.mlkit.common",
                "com.google.mlkit.vision.objects.ObjectDetectorOptionsBase", "com.google.mlkit.vision.common",
                "com.google.android.odml.image",
            ],
            verdict: .stays, advice: noServer),
        APIRule(
            api: "ML Kit, own models", languages: [.podfile, .xcode],
            libraries: [
                "GoogleMLKit/ImageLabelingCustom", "GoogleMLKit/ObjectDetectionCustom", "GoogleMLKit/Common",
                "GoogleMLKit/Vision", "MLKitImageLabelingCustom", "MLKitObjectDetectionCustom", "MLKitCommon",
                "MLKitVision", "MLKit", "MLImage",
            ],
            verdict: .stays, advice: onLinux),
        APIRule(
            api: "ML Kit, own models", languages: androidManifests,
            libraries: [
                "com.google.mlkit:image-labeling-custom", "com.google.mlkit:object-detection-custom",
                "com.google.android.gms:play-services-mlkit-image-labeling-custom", "com.google.mlkit:camera",
            ],
            verdict: .stays, advice: noServer),
    ]

    static let tensorFlow: [APIRule] = [
        APIRule(
            api: "TensorFlow Lite", languages: [.swift], modules: ["TensorFlowLite"],
            names: [
                "Interpreter", "InterpreterError", "InterpreterOptions", "SignatureRunner", "SignatureRunnerError",
                "Tensor", "QuantizationParameters",
            ],
            imports: ["TensorFlowLite"], verdict: .stays, advice: inSwift),
        APIRule(
            api: "TensorFlow Lite, delegates", languages: [.swift], modules: ["TensorFlowLite"],
            names: ["CoreMLDelegate", "MetalDelegate", "ThreadWaitType"],
            imports: ["TensorFlowLiteCCoreML", "TensorFlowLiteCMetal"], verdict: .noCounterpart,
            advice:
                "It needs no server: keep Google's library on iOS. On Linux leave it out: Hearth runs on the processor."
        ),
        APIRule(
            api: "TensorFlow Lite, other libraries", languages: [.swift],
            imports: [
                "TensorFlowLiteTask*", "TensorFlowLiteSelectTfOps", "TensorFlowLiteC", "LiteRT", "MediaPipeTasks*",
            ],
            verdict: .noCounterpart,
            advice: "It needs no server: keep Google's library on iOS. Hearth has no counterpart on Linux."),
        APIRule(
            api: "TensorFlow Lite", languages: [.objectiveC],
            names: [
                "TFLInterpreter*", "TFLTensor*", "TFLQuantizationParameters", "TfLiteInterpreter*", "TfLiteModel*",
            ],
            imports: ["TensorFlowLite*", "TFLTensorFlowLite", "tensorflow/lite"], verdict: .stays, advice: noServer),
        APIRule(
            api: "TensorFlow Lite", languages: android,
            modules: ["org.tensorflow.lite", "com.google.ai.edge.litert", "com.google.android.gms.tflite"],
            names: ["Interpreter", "InterpreterApi", "TensorImage", "TensorBuffer"],
            imports: ["org.tensorflow.lite", "com.google.ai.edge.litert", "com.google.android.gms.tflite"],
            verdict: .stays, advice: noServer),
        APIRule(
            api: "TensorFlow Lite", languages: appleManifests,
            libraries: ["TensorFlowLiteSwift", "TensorFlowLite", "TensorFlowLiteC", "TensorFlowLiteObjC"],
            verdict: .stays, advice: "It needs no server. On Linux the package hearth has the same API in Swift."),
        APIRule(
            api: "TensorFlow Lite, other libraries", languages: appleManifests,
            libraries: ["TensorFlowLite*", "LiteRT"], verdict: .noCounterpart,
            advice: "It needs no server: keep Google's library on iOS. Hearth has no counterpart on Linux."),
        APIRule(
            api: "TensorFlow Lite", languages: androidManifests,
            libraries: [
                "org.tensorflow:tensorflow-lite*", "com.google.ai.edge.litert*",
                "com.google.android.gms:play-services-tflite*",
            ],
            verdict: .stays, advice: noServer),
    ]
}
