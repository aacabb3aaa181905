/// Services beside the models. Google announced no end of them, but they can move together.
extension APIRule {
    private static let keep = "Google continues it: keep Google's library. Hearth has no client for this language."

    static let otherServices: [APIRule] = [
        APIRule(
            api: "Firebase Remote Config", languages: [.swift], modules: ["FirebaseRemoteConfig", "Firebase"],
            names: [
                "RemoteConfig", "RemoteConfigSettings", "RemoteConfigValue", "RemoteConfigFetchStatus",
                "RemoteConfigProperty",
                "RemoteConfigFetchAndActivateStatus", "RemoteConfigUpdate", "ConfigUpdateListenerRegistration",
            ],
            members: [
                "fetchAndActivate", "addOnConfigUpdateListener", "setCustomSignals", "setDefaults", "configSettings",
                "configValue",
            ],
            imports: ["FirebaseRemoteConfig"], verdict: .stays,
            advice: "The same call works with Hearth on Linux. Import the template: hearth import firebase."),
        APIRule(
            api: "Firebase Remote Config", languages: [.objectiveC] + android,
            names: [
                "FIRRemoteConfig", "FIRRemoteConfigSettings", "FirebaseRemoteConfig", "FirebaseRemoteConfigSettings",
                "FirebaseRemoteConfigException", "remoteConfigSettings",
            ],
            members: [
                "remoteConfig", "fetchAndActivate", "setConfigSettingsAsync", "setDefaultsAsync",
                "addOnConfigUpdateListener",
            ],
            imports: ["FirebaseRemoteConfig", "com.google.firebase.remoteconfig"], verdict: .noCounterpart, advice: keep
        ),
        APIRule(
            api: "Firebase Remote Config", languages: [.podfile, .package, .gradle],
            libraries: ["Firebase/RemoteConfig", "FirebaseRemoteConfig", "com.google.firebase:firebase-config"],
            verdict: .stays,
            advice: "Google continues it. On Linux the package hearth/Compatibility takes its place."),
        APIRule(
            api: "Firebase Analytics", languages: [.swift], modules: ["FirebaseAnalytics", "Firebase"],
            names: ["Analytics"], imports: ["FirebaseAnalytics"], verdict: .stays,
            advice: """
                With Hearth, events measure A/B tests on your own server. There are no reports, and user properties do nothing.
                """),
        APIRule(
            api: "Firebase Installations", languages: [.swift], modules: ["FirebaseInstallations", "Firebase"],
            names: ["Installations"], imports: ["FirebaseInstallations"], verdict: .stays,
            advice: "The same call works with Hearth on Linux."),
        APIRule(
            api: "Firebase, the app itself", languages: [.swift], modules: ["FirebaseCore", "Firebase"],
            names: ["FirebaseApp", "FirebaseOptions"], imports: ["FirebaseCore"], verdict: .changes,
            advice: "The call stays; replace GoogleService-Info.plist by the one that your Hearth server wrote."),
    ]
}
