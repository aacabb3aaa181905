/// Models in the app. Google does not switch anything off here.
extension APIRule {
    private static let swiftAdvice = "It needs no server. The same call works with Hearth on Linux."
    private static let androidAdvice = "It needs no server: keep Google's library."

    static let localModels: [APIRule] = [
        APIRule(
            api: "ML Kit, own models", languages: [.swift], modules: ["MLKit", "MLImage"],
            names: [
                "LocalModel", "CustomImageLabelerOptions", "ImageLabeler", "ImageLabel", "CommonImageLabelerOptions",
                "CustomObjectDetectorOptions", "ObjectDetector", "CommonObjectDetectorOptions", "VisionImage",
                "MLImage",
            ],
            imports: [
                "MLKitImageLabelingCustom", "MLKitObjectDetectionCustom", "MLKitVision", "MLKitImageLabelingCommon",
                "MLKitObjectDetectionCommon", "MLKitCommon", "MLKit", "MLImage",
            ],
            verdict: .stays, advice: swiftAdvice),
        APIRule(
            api: "ML Kit, own models", languages: [.objectiveC],
            names: [
                "MLKLocalModel", "MLKCommonImageLabelerOptions", "MLKCommonObjectDetectorOptions",
                "MLKCustomImageLabelerOptions", "MLKImageLabeler", "MLKImageLabel",
                "MLKCustomObjectDetectorOptions", "MLKObjectDetector", "MLKVisionImage",
            ],
            imports: [
                "MLKitImageLabelingCustom", "MLKitObjectDetectionCustom", "MLKitVision", "MLKitImageLabelingCommon",
                "MLKitObjectDetectionCommon", "MLKitCommon", "MLKit",
            ],
            verdict: .stays, advice: androidAdvice),
        APIRule(
            api: "ML Kit, own models", languages: android, modules: ["com.google.mlkit"],
            names: [
                "LocalModel", "CustomImageLabelerOptions", "ImageLabeling", "ImageLabeler", "ImageLabel",
                "ImageLabelerOptionsBase", "CustomObjectDetectorOptions", "ObjectDetection", "ObjectDetector",
                "DetectedObject", "InputImage",
            ],
            imports: [
                "com.google.mlkit.vision.label.custom", "com.google.mlkit.vision.objects.custom",
                "com.google.mlkit.common",
                "com.google.mlkit.vision.common",
            ],
            verdict: .stays, advice: androidAdvice),
        APIRule(
            api: "ML Kit, own models", languages: [.podfile],
            libraries: ["GoogleMLKit/ImageLabelingCustom", "GoogleMLKit/ObjectDetectionCustom"],
            verdict: .stays, advice: "It needs no server. On Linux the package hearth/Compatibility takes its place."),
        APIRule(
            api: "ML Kit, own models", languages: [.gradle],
            libraries: [
                "com.google.mlkit:image-labeling-custom", "com.google.mlkit:object-detection-custom",
                "com.google.android.gms:play-services-mlkit-image-labeling-custom",
            ],
            verdict: .stays, advice: androidAdvice),
        APIRule(
            api: "TensorFlow Lite", languages: [.swift], modules: ["TensorFlowLite"],
            names: ["Interpreter", "SignatureRunner", "Tensor", "CoreMLDelegate", "MetalDelegate", "XNNPackDelegate"],
            imports: ["TensorFlowLite"], verdict: .stays, advice: swiftAdvice),
        APIRule(
            api: "TensorFlow Lite", languages: [.objectiveC],
            names: ["TFLInterpreter", "TFLTensor", "TFLInterpreterOptions"],
            imports: ["TensorFlowLite", "TFLTensorFlowLite"], verdict: .stays, advice: androidAdvice),
        APIRule(
            api: "TensorFlow Lite", languages: android, modules: ["org.tensorflow.lite", "com.google.ai.edge.litert"],
            names: ["Interpreter", "InterpreterApi", "TensorImage", "TensorBuffer"],
            imports: ["org.tensorflow.lite", "com.google.ai.edge.litert"], verdict: .stays, advice: androidAdvice),
        APIRule(
            api: "TensorFlow Lite", languages: [.podfile, .package, .gradle],
            libraries: [
                "TensorFlowLiteSwift", "TensorFlowLiteC", "TensorFlowLiteObjC", "org.tensorflow:tensorflow-lite",
                "com.google.ai.edge.litert",
            ],
            verdict: .stays, advice: "It needs no server. On Linux the package hearth has the same API in Swift."),
    ]

    /// Models that Google keeps to itself. They go on with Google's libraries.
    static let googlesModels: [APIRule] = [
        APIRule(
            api: "ML Kit, Google's own models", languages: apple, modules: ["MLKit"],
            names: [
                "ImageLabelerOptions", "ObjectDetectorOptions", "FaceDetector", "FaceDetectorOptions", "TextRecognizer",
                "TextRecognizerOptions", "BarcodeScanner", "BarcodeScannerOptions", "PoseDetector",
                "PoseDetectorOptions",
                "Segmenter", "SelfieSegmenterOptions", "DigitalInkRecognizer", "Translator", "TranslatorOptions",
                "LanguageIdentification", "SmartReply", "EntityExtractor", "TranslateRemoteModel",
                "MLKImageLabelerOptions", "MLKObjectDetectorOptions",
                "MLKFaceDetector", "MLKTextRecognizer", "MLKBarcodeScanner", "MLKPoseDetector", "MLKSegmenter",
                "MLKDigitalInkRecognizer", "MLKTranslator", "MLKLanguageIdentification", "MLKSmartReply",
            ],
            imports: [
                "MLKitFaceDetection", "MLKitTextRecognition", "MLKitBarcodeScanning", "MLKitPoseDetection",
                "MLKitSegmentation", "MLKitTranslate", "MLKitLanguageID", "MLKitSmartReply", "MLKitDigitalInk",
                "MLKitEntityExtraction", "MLKitImageLabeling", "MLKitObjectDetection",
            ],
            verdict: .noCounterpart,
            advice:
                "Google's model is closed, and continues with Google's library. A TensorFlow Lite model of your own runs here."
        ),
        APIRule(
            api: "ML Kit, Google's own models", languages: android, modules: ["com.google.mlkit"],
            names: [
                "ImageLabelerOptions", "ObjectDetectorOptions", "FaceDetection", "FaceDetector", "TextRecognition",
                "TextRecognizer", "BarcodeScanning", "BarcodeScanner", "PoseDetection", "PoseDetector", "Segmentation",
                "Segmenter", "DigitalInkRecognition", "Translation", "Translator", "LanguageIdentification",
                "SmartReply",
                "EntityExtraction", "FaceMeshDetection", "SubjectSegmentation",
            ],
            imports: ["com.google.mlkit."], verdict: .noCounterpart,
            advice:
                "Google's model is closed, and continues with Google's library. A TensorFlow Lite model of your own runs here."
        ),
        APIRule(
            api: "ML Kit, Google's own models", languages: [.podfile, .gradle],
            libraries: ["GoogleMLKit/", "com.google.mlkit:", "com.google.android.gms:play-services-mlkit"],
            verdict: .noCounterpart, advice: "Google's models are closed, and continue with Google's library."),
    ]
}
