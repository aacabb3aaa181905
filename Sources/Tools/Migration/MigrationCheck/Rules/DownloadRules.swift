/// Models that Firebase hosts, in three generations of APIs. All of them stop on the same day.
extension APIRule {
    static let hostedModels = downloader + firebaseModels + mlKitModels

    static let hostedInSwift = """
        The same call works with Hearth on Linux. On iOS there is no client of Hearth yet: ship a model in the app before \
        that day.
        """
    static let hostedElsewhere = """
        Hearth has no client for this language. Ship a model in the app before that day; a later version can ask the server \
        over HTTP.
        """
    static let hostedOnApple = """
        Google stops the service behind it. On Linux replace it: docs/guides/migrate.md, section Packages. On iOS there is no \
        client of Hearth yet: ship a model in the app before that day.
        """
    static let hostedOnAndroid = "Google stops the service behind it. Ship a model in the app before that day."

    private static let downloader: [APIRule] = [
        APIRule(
            api: "Firebase ML, model downloads", languages: [.swift],
            modules: ["FirebaseMLModelDownloader", "Firebase", "FirebaseMLCommon", "FirebaseMLModelInterpreter"],
            otherModules: ["MLKit*"],
            names: [
                "ModelDownloader", "ModelDownloadConditions", "ModelDownloadType", "CustomModel", "DownloadError",
                "DownloadedModelError",
            ],
            members: ["getModel", "listDownloadedModels", "deleteDownloadedModel"],
            imports: ["FirebaseMLModelDownloader"], verdict: .stays, advice: hostedInSwift, ends: hostingEnds),
        // A file may use this library beside ML Kit, which has other types of the same names.
        APIRule(
            api: "Firebase ML, model downloads", languages: [.swift],
            modules: ["FirebaseMLModelDownloader", "Firebase"],
            names: ["ModelDownloader", "ModelDownloadType", "CustomModel", "DownloadError", "DownloadedModelError"],
            members: ["getModel", "listDownloadedModels"],
            imports: ["FirebaseMLModelDownloader"], verdict: .stays, advice: hostedInSwift, ends: hostingEnds),
        APIRule(
            api: "Firebase ML, model downloads", languages: [.objectiveC],
            names: ["FIRModelDownloader*", "FIRCustomModel", "FIRModelDownloadType*"],
            imports: ["FirebaseMLModelDownloader"], verdict: .noCounterpart, advice: hostedElsewhere,
            ends: hostingEnds),
        APIRule(
            api: "Firebase ML, model downloads", languages: android, modules: ["com.google.firebase.ml"],
            names: [
                "FirebaseModelDownloader", "CustomModelDownloadConditions", "CustomModel", "DownloadType",
                "FirebaseMlException",
            ],
            members: [
                "modelDownloader", "getModel", "getModelDownloadId", "listDownloadedModels", "deleteDownloadedModel",
            ],
            imports: ["com.google.firebase.ml.modeldownloader"],
            verdict: .noCounterpart, advice: hostedElsewhere, ends: hostingEnds),
        APIRule(
            api: "Firebase ML, model downloads", languages: appleManifests,
            libraries: ["Firebase/MLModelDownloader", "FirebaseMLModelDownloader"],
            verdict: .changes, advice: hostedOnApple, ends: hostingEnds),
        APIRule(
            api: "Firebase ML, model downloads", languages: androidManifests,
            libraries: ["com.google.firebase:firebase-ml-modeldownloader*"],
            verdict: .noCounterpart, advice: hostedOnAndroid, ends: hostingEnds),
    ]

    private static let androidDownloads = [
        "FirebaseModelManager", "FirebaseModelDownloadConditions", "FirebaseRemoteModel", "FirebaseCloudModelSource",
    ]
    private static let androidDownloadMembers = [
        "isModelDownloaded", "download", "deleteDownloadedModel", "getDownloadedModels", "getLatestModelFile",
    ]

    /// The first generation, with `CustomRemoteModel` and `AutoMLRemoteModel`.
    private static let firebaseModels: [APIRule] = [
        APIRule(
            api: "Firebase ML, models of 2018", languages: [.swift],
            modules: ["Firebase", "FirebaseMLCommon", "FirebaseMLModelInterpreter"], otherModules: ["MLKit*"],
            companions: ["allowsModelUpdates", "CloudModelSource", "LocalModelSource"],
            names: ["RemoteModel", "LocalModel", "CloudModelSource", "LocalModelSource", "ModelOptions"],
            members: ["register"], verdict: .changes,
            advice: """
                Google removed it in 2019. Use CustomRemoteModel(name:), CustomLocalModel(modelPath:) and \
                download(_:conditions:), which work with Hearth.
                """, ends: hostingEnds),
        APIRule(
            api: "Firebase ML, hosted models", languages: [.swift],
            modules: ["Firebase", "FirebaseMLCommon", "FirebaseMLModelInterpreter"], otherModules: ["MLKit*"],
            names: [
                "ModelManager", "CustomRemoteModel", "RemoteModel", "ModelDownloadUserInfoKey",
                "firebaseMLModelDownloadDidSucceed", "firebaseMLModelDownloadDidFail",
            ],
            members: ["isModelDownloaded", "getLatestModelFilePath"],
            verdict: .stays, advice: hostedInSwift, ends: hostingEnds),
        APIRule(
            api: "Firebase ML, hosted models", languages: [.swift],
            modules: ["Firebase", "FirebaseMLCommon", "FirebaseMLModelInterpreter"], otherModules: ["MLKit*"],
            companions: ["ModelManager", "CustomRemoteModel", "AutoMLRemoteModel"], members: ["download"],
            verdict: .stays, advice: hostedInSwift, ends: hostingEnds),
        APIRule(
            api: "Firebase ML, hosted models", languages: [.objectiveC],
            names: [
                "FIRModelManager", "FIRCustomRemoteModel", "FIRAutoMLRemoteModel", "FIRRemoteModel",
                "FIRModelDownload*", "FIRCloudModelSource",
            ],
            verdict: .noCounterpart, advice: hostedElsewhere, ends: hostingEnds),
        APIRule(
            api: "Firebase ML, hosted models", languages: [.objectiveC], companions: ["FIRModelManager"],
            members: ["isModelDownloaded", "downloadModel", "downloadRemoteModel", "deleteDownloadedModel"],
            verdict: .noCounterpart, advice: hostedElsewhere, ends: hostingEnds),
        APIRule(
            api: "Firebase ML, hosted models", languages: android, modules: ["com.google.firebase.ml"],
            companions: ["FirebaseCustomRemoteModel", "FirebaseAutoMLRemoteModel"],
            names: ["FirebaseCustomRemoteModel", "FirebaseAutoMLRemoteModel"] + androidDownloads,
            members: androidDownloadMembers, verdict: .noCounterpart, advice: hostedElsewhere, ends: hostingEnds),
        APIRule(
            api: "Firebase ML Natural Language", languages: android, modules: ["com.google.firebase.ml"],
            companions: ["FirebaseTranslateRemoteModel"], names: androidDownloads, members: androidDownloadMembers,
            verdict: .noCounterpart, advice: "Google replaced it by ML Kit, whose models are Google's own."),
        APIRule(
            api: "Firebase ML, hosted models", languages: android, modules: ["com.google.firebase.ml"],
            names: androidDownloads, members: androidDownloadMembers, verdict: .noCounterpart,
            advice: hostedElsewhere, ends: hostingEnds),
    ]

    private static let hostedSources = [
        "CustomRemoteModel", "FirebaseModelSource", "MLKCustomRemoteModel", "MLKFirebaseModelSource",
    ]
    private static let googlesSources = [
        "TranslateRemoteModel", "DigitalInkRecognitionModel", "EntityExtractorRemoteModel",
        "EntityExtractionRemoteModel", "MLKTranslateRemoteModel", "MLKDigitalInkRecognitionModel",
        "MLKEntityExtractionRemoteModel",
    ]
    private static let downloads = [
        "RemoteModel", "RemoteModelSource", "RemoteModelManager", "ModelManager", "DownloadConditions",
        "ModelDownloadConditions", "ModelDownloadUserInfoKey", "MLKRemoteModel", "MLKRemoteModelSource",
        "MLKModelManager", "MLKModelDownload*", "mlkitModelDownloadDidSucceed", "mlkitModelDownloadDidFail",
        "mlkitMLModelDownloadDidSucceed", "mlkitMLModelDownloadDidFail",
    ]
    private static let downloadMembers = ["isModelDownloaded", "deleteDownloadedModel", "getDownloadedModels"]
    private static let managers = ["ModelManager", "RemoteModelManager", "RemoteModel"]

    private static let downloadsGooglesOwn = "It downloads Google's own model, and continues with Google's library."
    private static let downloadsUnknown = """
        Look which model it downloads. One that you host with Firebase stops on \(hostingEnds). Google's own, as for \
        translation, continue.
        """

    /// The third generation. Its classes download Google's own models too.
    private static let mlKitModels: [APIRule] = [
        APIRule(
            api: "ML Kit, hosted models", languages: [.swift], modules: ["MLKit*"], companions: hostedSources,
            names: hostedSources + downloads, members: downloadMembers + ["download"], verdict: .stays,
            advice: hostedInSwift,
            ends: hostingEnds),
        APIRule(
            api: "ML Kit, hosted models", languages: [.swift], imports: ["MLKitLinkFirebase"], verdict: .stays,
            advice: hostedInSwift, ends: hostingEnds),
        APIRule(
            api: "ML Kit, hosted models", languages: [.objectiveC], companions: hostedSources,
            names: hostedSources + downloads, members: downloadMembers + ["downloadModel"], verdict: .noCounterpart,
            advice: hostedElsewhere, ends: hostingEnds),
        APIRule(
            api: "ML Kit, hosted models", languages: [.objectiveC], imports: ["MLKitLinkFirebase"],
            verdict: .noCounterpart, advice: hostedElsewhere, ends: hostingEnds),
        APIRule(
            api: "ML Kit, hosted models", languages: android, modules: ["com.google.mlkit"], companions: hostedSources,
            names: hostedSources + downloads, members: downloadMembers + ["download"],
            imports: ["com.google.mlkit.linkfirebase"], verdict: .noCounterpart, advice: hostedElsewhere,
            ends: hostingEnds),
        APIRule(
            api: "ML Kit, Google's own models", languages: [.swift] + android, modules: ["MLKit*", "com.google.mlkit"],
            companions: googlesSources, names: downloads, members: downloadMembers + ["download"],
            verdict: .noCounterpart, advice: downloadsGooglesOwn),
        APIRule(
            api: "ML Kit, Google's own models", languages: [.objectiveC], companions: googlesSources, names: downloads,
            members: downloadMembers + ["downloadModel"], verdict: .noCounterpart, advice: downloadsGooglesOwn),
        APIRule(
            api: "ML Kit, downloads of models", languages: [.swift] + android, modules: ["MLKit*", "com.google.mlkit"],
            names: downloads, members: downloadMembers, verdict: .noCounterpart, advice: downloadsUnknown),
        APIRule(
            api: "ML Kit, downloads of models", languages: [.swift] + android, modules: ["MLKit*", "com.google.mlkit"],
            companions: managers, members: ["download"], verdict: .noCounterpart, advice: downloadsUnknown),
        APIRule(
            api: "ML Kit, downloads of models", languages: [.objectiveC], names: downloads, members: downloadMembers,
            verdict: .noCounterpart, advice: downloadsUnknown),
        APIRule(
            api: "ML Kit, downloads of models", languages: [.objectiveC], companions: ["MLKModelManager"],
            members: ["downloadModel"], verdict: .noCounterpart, advice: downloadsUnknown),
        APIRule(
            api: "ML Kit, hosted models", languages: [.podfile, .xcode],
            libraries: ["GoogleMLKit/LinkFirebase", "MLKitLinkFirebase"],
            verdict: .changes, advice: hostedOnApple, ends: hostingEnds),
        APIRule(
            api: "ML Kit, hosted models", languages: androidManifests, libraries: ["com.google.mlkit:linkfirebase"],
            verdict: .noCounterpart, advice: hostedOnAndroid, ends: hostingEnds),
    ]
}
