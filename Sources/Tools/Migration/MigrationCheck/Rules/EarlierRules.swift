/// APIs that Google removed from newer versions of its libraries: the model interpreter, AutoML's own classes, Firebase ML
/// Vision and Natural Language. Of these only hosted models have a last day.
extension APIRule {
    static let earlierAPIs = interpreter + autoML + vision + naturalLanguage

    private static let interpreterInSwift =
        "The same call works with Hearth on Linux. A model in the app needs no server; a hosted one stops on \(hostingEnds)."
    private static let interpreterElsewhere = """
        Google removed it. Use TensorFlow Lite's interpreter, with a model in the app. Hearth has no client for this language.
        """

    private static let interpreter: [APIRule] = [
        APIRule(
            api: "Firebase ML, model interpreter", languages: [.swift],
            modules: ["Firebase", "FirebaseMLCommon", "FirebaseMLModelInterpreter"],
            names: [
                "ModelInterpreter", "ModelInputs", "ModelOutputs", "ModelInputOutputOptions", "ModelElementType",
                "CustomLocalModel",
            ],
            imports: ["FirebaseMLModelInterpreter", "FirebaseMLCommon"], verdict: .stays, advice: interpreterInSwift),
        APIRule(
            api: "Firebase ML, model interpreter", languages: [.objectiveC],
            names: [
                "FIRModelInterpreter*", "FIRModelInput*", "FIRModelOutputs", "FIRModelElementType*",
                "FIRCustomLocalModel", "FIRLocalModel*", "FIRModelOptions",
            ],
            imports: ["FirebaseMLModelInterpreter", "FirebaseMLCommon"],
            verdict: .noCounterpart, advice: interpreterElsewhere),
        APIRule(
            api: "Firebase ML, errors", languages: android, names: ["FirebaseMLException"],
            imports: ["com.google.firebase.ml.common.FirebaseMLException"], verdict: .noCounterpart,
            advice: "It goes with the calls that throw it."),
        APIRule(
            api: "Firebase ML, model interpreter", languages: android,
            names: [
                "FirebaseModelInterpreter", "FirebaseModelInputs", "FirebaseModelOutputs",
                "FirebaseModelInputOutputOptions", "FirebaseModelDataType", "FirebaseCustomLocalModel",
                "FirebaseModelInterpreterOptions", "FirebaseLocalModel", "FirebaseModelOptions",
            ],
            imports: ["com.google.firebase.ml.custom", "com.google.firebase.ml.common"],
            verdict: .noCounterpart, advice: interpreterElsewhere),
        APIRule(
            api: "Firebase ML, model interpreter", languages: appleManifests,
            libraries: [
                "Firebase/MLModelInterpreter", "FirebaseMLModelInterpreter", "FirebaseMLCommon", "Firebase/MLCommon",
            ],
            verdict: .changes, advice: hostedOnApple, ends: hostingEnds),
        APIRule(
            api: "Firebase ML, model interpreter", languages: androidManifests,
            libraries: ["com.google.firebase:firebase-ml-model-interpreter", "com.google.firebase:firebase-ml-common"],
            verdict: .noCounterpart, advice: hostedOnAndroid, ends: hostingEnds),
    ]

    private static let autoMLInSwift = """
        Use LocalModel(manifestPath:), CustomRemoteModel(remoteModelSource:) and CustomImageLabelerOptions, which work with \
        Hearth.
        """
    private static let autoMLElsewhere =
        "Google removed it. Use ML Kit's CustomImageLabelerOptions with a model in the app. Hearth has no client for this language."

    private static let autoML: [APIRule] = [
        APIRule(
            api: "AutoML, hosted models", languages: [.swift],
            names: ["AutoMLImageLabelerRemoteModel", "AutoMLRemoteModel"], verdict: .changes, advice: autoMLInSwift,
            ends: hostingEnds),
        APIRule(
            api: "AutoML's own classes", languages: [.swift],
            names: [
                "AutoMLImageLabelerLocalModel", "AutoMLImageLabelerOptions", "AutoMLLocalModel",
                "AutoMLImageClassifierOptions", "VisionOnDeviceAutoMLImageLabelerOptions",
            ],
            members: ["onDeviceAutoMLImageLabeler"],
            imports: ["MLKitImageLabelingAutoML", "MLKitImageClassificationAutoML", "FirebaseMLVisionAutoML"],
            verdict: .changes, advice: autoMLInSwift),
        APIRule(
            api: "AutoML's own classes", languages: [.swift], modules: ["MLKitImageClassificationAutoML"],
            names: ["ImageClassifier", "ImageClassification"], verdict: .changes,
            advice: "Use ImageLabeler and ImageLabel, which work with Hearth."),
        APIRule(
            api: "AutoML, hosted models", languages: [.objectiveC] + android,
            names: [
                "AutoMLImageLabelerRemoteModel", "FirebaseAutoMLRemoteModel", "MLKAutoMLRemoteModel",
                "MLKAutoMLImageLabelerRemoteModel", "FIRAutoMLRemoteModel",
            ],
            verdict: .noCounterpart, advice: hostedElsewhere, ends: hostingEnds),
        APIRule(
            api: "AutoML's own classes", languages: [.objectiveC] + android,
            names: [
                "AutoMLImageLabelerLocalModel", "AutoMLImageLabelerOptions", "FirebaseAutoMLLocalModel",
                "FirebaseVisionOnDeviceAutoMLImageLabelerOptions", "MLKAutoMLLocalModel",
                "MLKAutoMLImageClassifierOptions", "MLKAutoMLImageLabelerLocalModel", "MLKAutoMLImageLabelerOptions",
                "MLKImageClassifier", "MLKImageClassification", "FIRAutoMLLocalModel",
                "FIRVisionOnDeviceAutoMLImageLabelerOptions",
            ],
            members: ["getOnDeviceAutoMLImageLabeler"],
            imports: [
                "MLKitImageLabelingAutoML", "MLKitImageClassificationAutoML", "FirebaseMLVisionAutoML",
                "com.google.firebase.ml.vision.automl", "com.google.mlkit.vision.label.automl",
            ],
            verdict: .noCounterpart, advice: autoMLElsewhere),
        APIRule(
            api: "AutoML's own classes", languages: [.podfile, .xcode] + androidManifests,
            libraries: [
                "Firebase/MLVisionAutoML", "FirebaseMLVisionAutoML", "GoogleMLKit/ImageLabelingAutoML",
                "MLKitImageLabelingAutoML", "MLKitImageClassificationAutoML",
                "com.google.firebase:firebase-ml-vision-automl", "com.google.mlkit:image-labeling-automl",
            ],
            verdict: .changes,
            advice: """
                Google removed it: take ML Kit's library for image labeling with own models. A model that Firebase hosts stops \
                on that day; one in the app continues.
                """, ends: hostingEnds),
    ]

    private static let replaced = "Google replaced it by ML Kit."

    private static let vision: [APIRule] = [
        APIRule(
            api: "Firebase ML Vision", languages: [.swift], modules: ["Firebase", "FirebaseMLVision*"],
            otherModules: ["MLKit*"],
            names: [
                "VisionImage", "VisionImageMetadata", "VisionImageLabeler", "VisionImageLabel", "VisionObjectDetector",
                "VisionObjectDetectorOptions", "VisionObject", "VisionObjectCategory",
                "VisionOnDeviceImageLabelerOptions", "VisionDetectorImageOrientation",
            ],
            members: ["onDeviceImageLabeler", "objectDetector"],
            imports: ["FirebaseMLVision", "FirebaseMLVisionObjectDetection", "FirebaseMLVisionLabelModel"],
            verdict: .changes,
            advice: "Use ImageLabeler or ObjectDetector of ML Kit with a model of your own, which work with Hearth."),
        APIRule(
            api: "Firebase ML Vision", languages: [.swift], modules: ["Firebase", "FirebaseMLVision*"],
            otherModules: ["MLKit*"],
            names: [
                "Vision", "VisionPoint", "VisionLatitudeLongitude", "VisionFace*", "VisionText*", "VisionDocumentText*",
                "VisionBarcode*", "VisionCloud*",
            ],
            members: [
                "vision", "onDeviceTextRecognizer", "cloudTextRecognizer", "cloudDocumentTextRecognizer",
                "faceDetector", "barcodeDetector", "cloudLandmarkDetector", "cloudImageLabeler",
            ],
            imports: ["FirebaseMLVision*"], verdict: .noCounterpart,
            advice: """
                Google replaced it by ML Kit on the device and by the Cloud Vision API on a server. Of these, Hearth has image \
                labeling and object detection with your own model.
                """),
        APIRule(
            api: "Firebase ML Vision", languages: [.objectiveC],
            names: ["FIRVision*", "FIRFaceContourType*", "FIRFaceLandmarkType*"],
            imports: ["FirebaseMLVision*"], verdict: .noCounterpart,
            advice: "\(replaced) Hearth has no client for this language."),
        APIRule(
            api: "Firebase ML Vision", languages: android, names: ["FirebaseVision*"],
            imports: ["com.google.firebase.ml.vision"], verdict: .noCounterpart,
            advice: "\(replaced) Hearth has no client for this language."),
        APIRule(
            api: "Firebase ML Vision", languages: [.podfile, .xcode, .androidManifest] + androidManifests,
            libraries: [
                "Firebase/MLVision*", "FirebaseMLVision*", "com.google.firebase:firebase-ml-vision*",
                "com.google.firebase.ml.vision.DEPENDENCIES",
            ],
            verdict: .changes, advice: replaced),
    ]

    private static let naturalLanguage: [APIRule] = [
        APIRule(
            api: "Firebase ML Natural Language", languages: [.swift],
            modules: ["Firebase", "FirebaseMLNaturalLanguage"],
            otherModules: ["MLKit*", "NaturalLanguage"],
            names: ["NaturalLanguage", "LanguageIdentification", "TranslatorOptions", "TranslateRemoteModel"],
            members: ["naturalLanguage"], imports: ["FirebaseMLNaturalLanguage", "FirebaseMLNL*"],
            verdict: .noCounterpart, advice: replaced),
        APIRule(
            api: "Firebase ML Natural Language", languages: [.objectiveC],
            names: ["FIRNaturalLanguage", "FIRLanguageIdentification", "FIRTranslat*", "FIRSmartReply*"],
            imports: ["FirebaseMLNaturalLanguage", "FirebaseMLNL*"], verdict: .noCounterpart, advice: replaced),
        APIRule(
            api: "Firebase ML Natural Language", languages: android,
            names: [
                "FirebaseNaturalLanguage", "FirebaseTranslat*", "FirebaseLanguageIdentification*", "FirebaseSmartReply",
            ],
            imports: ["com.google.firebase.ml.naturallanguage"], verdict: .noCounterpart, advice: replaced),
        APIRule(
            api: "Firebase ML Natural Language", languages: [.podfile, .xcode] + androidManifests,
            libraries: [
                "Firebase/MLNaturalLanguage", "Firebase/MLNL*", "FirebaseMLNaturalLanguage", "FirebaseMLNL*",
                "com.google.firebase:firebase-ml-natural-language*",
            ],
            verdict: .changes, advice: replaced),
    ]
}
