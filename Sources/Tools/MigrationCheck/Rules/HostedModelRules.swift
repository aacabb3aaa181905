/// Models that Firebase hosts, in three generations of APIs. All of them stop on the same day.
extension APIRule {
    private static let swiftAdvice = """
        The same call works with Hearth on Linux. On iOS there is no client of Hearth yet: ship a model in the app before \
        that day.
        """
    private static let otherAdvice = """
        Hearth has no client for this language. Ship a model in the app before that day; a later version can ask the server \
        over HTTP.
        """
    private static let libraryAdvice = "Replace it: docs/guides/migrate.md, section Packages."
    private static let androidLibraryAdvice =
        "Google stops the service behind it. Ship a model in the app before that day."

    static let hostedModels = downloader + interpreter + remoteModels

    private static let downloader: [APIRule] = [
        APIRule(
            api: "Firebase ML, model downloads", languages: [.swift],
            modules: ["FirebaseMLModelDownloader", "Firebase"],
            names: [
                "ModelDownloader", "ModelDownloadConditions", "ModelDownloadType", "CustomModel", "DownloadError",
                "DownloadedModelError",
            ],
            members: ["getModel", "listDownloadedModels", "deleteDownloadedModel"],
            imports: ["FirebaseMLModelDownloader"], verdict: .stays, advice: swiftAdvice, ends: hostingEnds),
        APIRule(
            api: "Firebase ML, model downloads", languages: android,
            modules: ["com.google.firebase.ml"],
            names: [
                "FirebaseModelDownloader", "CustomModelDownloadConditions", "CustomModel", "DownloadType",
                "FirebaseMlException",
            ],
            members: ["modelDownloader", "getModelDownloadId", "listDownloadedModels", "deleteDownloadedModel"],
            imports: ["com.google.firebase.ml.modeldownloader"],
            verdict: .noCounterpart, advice: otherAdvice, ends: hostingEnds),
        APIRule(
            api: "Firebase ML, model downloads", languages: [.podfile, .package],
            libraries: ["Firebase/MLModelDownloader", "FirebaseMLModelDownloader"],
            verdict: .changes, advice: libraryAdvice, ends: hostingEnds),
        APIRule(
            api: "Firebase ML, model downloads", languages: [.gradle],
            libraries: ["com.google.firebase:firebase-ml-modeldownloader", "firebase-ml-modeldownloader"],
            verdict: .noCounterpart, advice: androidLibraryAdvice, ends: hostingEnds),
    ]

    private static let interpreter: [APIRule] = [
        APIRule(
            api: "Firebase ML, model interpreter", languages: [.swift],
            modules: ["Firebase"],
            names: [
                "ModelInterpreter", "ModelManager", "ModelInputs", "ModelOutputs", "ModelInputOutputOptions",
                "ModelElementType", "CustomLocalModel", "CustomRemoteModel", "RemoteModel", "ModelDownloadUserInfoKey",
            ],
            imports: ["FirebaseMLModelInterpreter", "FirebaseMLCommon"], verdict: .stays, advice: swiftAdvice,
            ends: hostingEnds),
        APIRule(
            api: "Firebase ML, model interpreter", languages: [.objectiveC],
            names: [
                "FIRModelInterpreter", "FIRModelManager", "FIRModelInputs", "FIRModelInputOutputOptions",
                "FIRCustomRemoteModel",
                "FIRCustomLocalModel", "FIRRemoteModel", "FIRModelDownloadConditions", "FIRModelDownloader",
                "FIRCustomModel",
            ],
            imports: ["FirebaseMLModelInterpreter", "FirebaseMLCommon", "FirebaseMLModelDownloader"],
            verdict: .noCounterpart, advice: otherAdvice, ends: hostingEnds),
        APIRule(
            api: "Firebase ML, model interpreter", languages: android,
            names: [
                "FirebaseModelInterpreter", "FirebaseModelManager", "FirebaseModelInputs", "FirebaseModelOutputs",
                "FirebaseModelInputOutputOptions", "FirebaseCustomRemoteModel", "FirebaseCustomLocalModel",
                "FirebaseModelDownloadConditions", "FirebaseModelInterpreterOptions", "FirebaseRemoteModel",
                "FirebaseLocalModel",
            ],
            imports: ["com.google.firebase.ml.custom", "com.google.firebase.ml.common"],
            verdict: .noCounterpart, advice: otherAdvice, ends: hostingEnds),
        APIRule(
            api: "Firebase ML, model interpreter", languages: [.podfile, .package],
            libraries: [
                "Firebase/MLModelInterpreter", "FirebaseMLModelInterpreter", "FirebaseMLCommon", "Firebase/MLCommon",
            ],
            verdict: .changes, advice: libraryAdvice, ends: hostingEnds),
        APIRule(
            api: "Firebase ML, model interpreter", languages: [.gradle],
            libraries: [
                "com.google.firebase:firebase-ml-model-interpreter", "firebase-ml-model-interpreter",
                "com.google.firebase:firebase-ml-common",
            ],
            verdict: .noCounterpart, advice: androidLibraryAdvice, ends: hostingEnds),
    ]

    private static let hostedSources = [
        "CustomRemoteModel", "FirebaseModelSource", "MLKCustomRemoteModel", "MLKFirebaseModelSource",
    ]
    private static let downloads = [
        "RemoteModel", "RemoteModelSource", "RemoteModelManager", "ModelManager", "DownloadConditions",
        "ModelDownloadConditions", "ModelDownloadUserInfoKey", "MLKRemoteModel", "MLKRemoteModelSource",
        "MLKModelManager",
        "MLKModelDownloadConditions", "MLKModelDownloadDidSucceedNotification", "MLKModelDownloadDidFailNotification",
        "MLKModelDownloadUserInfoKeyRemoteModel", "MLKModelDownloadUserInfoKeyError",
    ]
    private static let downloadMembers = [
        "isModelDownloaded", "download", "deleteDownloadedModel", "getDownloadedModels", "mlkitModelDownloadDidSucceed",
        "mlkitModelDownloadDidFail",
    ]

    private static let remoteModels: [APIRule] = [
        APIRule(
            api: "ML Kit, hosted models", languages: [.swift], modules: ["MLKit"], companions: hostedSources,
            names: hostedSources + downloads, members: downloadMembers, imports: ["MLKitLinkFirebase"], verdict: .stays,
            advice: swiftAdvice, ends: hostingEnds),
        APIRule(
            api: "ML Kit, hosted models", languages: [.objectiveC], companions: hostedSources,
            names: hostedSources + downloads, members: downloadMembers, imports: ["MLKitLinkFirebase"],
            verdict: .noCounterpart, advice: otherAdvice, ends: hostingEnds),
        APIRule(
            api: "ML Kit, hosted models", languages: android, modules: ["com.google.mlkit"], companions: hostedSources,
            names: hostedSources + downloads, members: downloadMembers,
            imports: ["com.google.mlkit.linkfirebase", "com.google.mlkit.common.model.CustomRemoteModel"],
            verdict: .noCounterpart, advice: otherAdvice, ends: hostingEnds),
        APIRule(
            api: "ML Kit, downloads of models", languages: [.swift, .objectiveC] + android,
            modules: ["MLKit", "com.google.mlkit"], names: downloads, members: downloadMembers,
            imports: downloads.map { "com.google.mlkit.common.model.\($0)" }, verdict: .noCounterpart,
            advice: """
                Look which model it downloads. One that you host with Firebase stops on \(hostingEnds). Google's own, as for \
                translation, continue.
                """),
        APIRule(
            api: "ML Kit, hosted models", languages: [.podfile],
            libraries: ["GoogleMLKit/LinkFirebase", "MLKitLinkFirebase"],
            verdict: .changes, advice: libraryAdvice, ends: hostingEnds),
        APIRule(
            api: "ML Kit, hosted models", languages: [.gradle],
            libraries: ["com.google.mlkit:linkfirebase"],
            verdict: .noCounterpart, advice: androidLibraryAdvice, ends: hostingEnds),
    ]

    /// Classes of older versions, which other classes have replaced.
    static let removedClasses: [APIRule] = [
        APIRule(
            api: "AutoML's own classes", languages: [.swift],
            names: [
                "AutoMLImageLabelerLocalModel", "AutoMLImageLabelerRemoteModel", "AutoMLImageLabelerOptions",
                "AutoMLLocalModel", "AutoMLRemoteModel", "VisionOnDeviceAutoMLImageLabelerOptions",
            ],
            verdict: .changes,
            advice: """
                Use LocalModel(manifestPath:), CustomRemoteModel(remoteModelSource:) and CustomImageLabelerOptions, which work \
                with Hearth.
                """, ends: hostingEnds),
        APIRule(
            api: "AutoML's own classes", languages: [.objectiveC] + android,
            names: [
                "AutoMLImageLabelerLocalModel", "AutoMLImageLabelerRemoteModel", "AutoMLImageLabelerOptions",
                "FirebaseAutoMLLocalModel", "FirebaseAutoMLRemoteModel",
                "FirebaseVisionOnDeviceAutoMLImageLabelerOptions",
                "MLKAutoMLLocalModel", "MLKAutoMLRemoteModel", "MLKAutoMLImageClassifierOptions",
                "MLKAutoMLImageLabelerLocalModel", "MLKAutoMLImageLabelerRemoteModel", "MLKAutoMLImageLabelerOptions",
                "FIRAutoMLLocalModel", "FIRAutoMLRemoteModel",
            ],
            verdict: .noCounterpart, advice: otherAdvice, ends: hostingEnds),
        APIRule(
            api: "Firebase ML Vision", languages: [.swift], modules: ["Firebase"],
            names: ["VisionImageLabeler", "VisionObjectDetector", "VisionImageMetadata"], members: ["vision"],
            imports: ["FirebaseMLVision"], verdict: .changes,
            advice: "Use ImageLabeler or ObjectDetector of ML Kit with a model of your own, which work with Hearth."),
        APIRule(
            api: "Firebase ML Vision", languages: [.objectiveC] + android,
            names: ["FIRVision", "FIRVisionImage", "FirebaseVision", "FirebaseVisionImage"],
            imports: ["FirebaseMLVision", "com.google.firebase.ml.vision"],
            verdict: .noCounterpart, advice: "Google replaced it by ML Kit. Hearth has no client for this language."),
        APIRule(
            api: "Firebase ML Vision", languages: [.podfile, .gradle],
            libraries: ["Firebase/MLVision", "FirebaseMLVision", "com.google.firebase:firebase-ml-vision"],
            verdict: .changes, advice: "Google replaced it by ML Kit."),
    ]
}
