/// Models that Google keeps to itself. They go on with Google's libraries.
extension APIRule {
    private static let closed = "Google's model is closed, and continues with Google's library."
    private static let closedInSwift = "\(closed) On Linux, Hearth runs a TensorFlow Lite model of your own."

    static let googlesModels: [APIRule] = [
        APIRule(
            api: "ML Kit, Google's own models", languages: [.swift], modules: ["MLKit*"],
            names: [
                "ImageLabelerOptions", "ObjectDetectorOptions", "FaceDetector", "FaceDetectorOptions", "Face",
                "FaceLandmark", "FaceContour", "TextRecognizer", "TextRecognizerOptions", "CommonTextRecognizerOptions",
                "ChineseTextRecognizerOptions", "DevanagariTextRecognizerOptions", "JapaneseTextRecognizerOptions",
                "KoreanTextRecognizerOptions", "TextBlock", "TextLine", "TextElement", "BarcodeScanner",
                "BarcodeScannerOptions", "BarcodeFormat", "Barcode", "PoseDetector", "PoseDetectorOptions",
                "AccuratePoseDetectorOptions", "CommonPoseDetectorOptions", "Pose", "PoseLandmark", "PoseLandmarkType",
                "Segmenter", "SelfieSegmenterOptions", "SegmentationMask", "VisionPoint", "Vision3DPoint",
                "DigitalInkRecognizer", "DigitalInkRecognizerOptions", "DigitalInkRecognitionModel",
                "DigitalInkRecognitionModelIdentifier", "DigitalInkRecognitionResult", "Ink", "Stroke", "StrokePoint",
                "Translator", "TranslatorOptions", "TranslateLanguage", "TranslateRemoteModel",
                "LanguageIdentification",
                "LanguageIdentificationOptions", "IdentifiedLanguage", "SmartReply", "SmartReplySuggestion",
                "SmartReplySuggestionResult", "TextMessage", "EntityExtractor", "EntityExtractorOptions",
                "EntityExtractorRemoteModel", "EntityExtractionModelIdentifier", "EntityExtractionParams",
                "EntityAnnotation", "EntityType", "DateTimeEntity", "DateTimeGranularity", "IBANEntity", "ISBNEntity",
                "ParcelTrackingCarrier", "PaymentCardNetwork",
            ],
            imports: ["MLKit*"], verdict: .noCounterpart, advice: closedInSwift),
        APIRule(
            api: "ML Kit, Google's own models", languages: [.objectiveC],
            names: [
                "MLKImageLabelerOptions", "MLKObjectDetectorOptions", "MLKFace*", "MLKText*", "MLKCommonText*",
                "MLKChineseText*", "MLKDevanagariText*", "MLKJapaneseText*", "MLKKoreanText*", "MLKBarcode*",
                "MLKPose*", "MLKAccuratePose*", "MLKCommonPose*", "MLKSegment*", "MLKSelfieSegment*",
                "MLKVisionPoint", "MLKVision3DPoint", "MLKDigitalInk*", "MLKInk", "MLKStroke*", "MLKTranslat*",
                "MLKLanguageIdentification*", "MLKIdentifiedLanguage", "MLKUndeterminedLanguageTag", "MLKSmartReply*",
                "MLKEntit*", "MLKDateTime*", "MLKParcelTracking*", "MLKPaymentCard*", "MLKFlightNumber*", "MLKIBAN*",
                "MLKISBN*", "MLKMoney*",
            ],
            imports: ["MLKit*"], verdict: .noCounterpart, advice: closed),
        APIRule(
            api: "ML Kit, Google's own models", languages: android, modules: ["com.google.mlkit"],
            names: [
                "ImageLabelerOptions", "ObjectDetectorOptions", "FaceDetection", "FaceDetector", "FaceDetectorOptions",
                "Face", "TextRecognition", "TextRecognizer", "TextRecognizerOptions", "BarcodeScanning",
                "BarcodeScanner", "BarcodeScannerOptions", "Barcode", "PoseDetection", "PoseDetector", "Segmentation",
                "Segmenter", "DigitalInkRecognition", "DigitalInkRecognizer", "Translation", "Translator",
                "LanguageIdentification", "SmartReply", "EntityExtraction", "FaceMeshDetection", "SubjectSegmentation",
            ],
            imports: ["com.google.mlkit"], verdict: .noCounterpart, advice: closed),
        APIRule(
            api: "ML Kit, Google's own models", languages: [.podfile, .xcode, .androidManifest] + androidManifests,
            libraries: [
                "GoogleMLKit*", "MLKit*", "com.google.mlkit:*", "com.google.android.gms:play-services-mlkit*",
                "com.google.android.gms:play-services-code-scanner", "com.google.mlkit.vision.DEPENDENCIES",
            ],
            verdict: .noCounterpart, advice: closed),
    ]
}
