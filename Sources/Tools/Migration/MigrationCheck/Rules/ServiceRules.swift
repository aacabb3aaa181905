/// Services beside the models. Google announced no end of them, but they can move together.
extension APIRule {
    private static let keep = "Google continues it: keep Google's library. Hearth has no client for this language."
    private static let keepLibrary = "Google continues it: keep Google's library."
    private static let onLinux = "Google continues it. On Linux the package hearth/Compatibility takes its place."

    static let otherServices = remoteConfig + analytics + installations + core

    private static let remoteConfigInSwift =
        "Google continues it. The same call works with Hearth on Linux. Import the template: hearth import firebase."

    private static let remoteConfig: [APIRule] = [
        APIRule(
            api: "Firebase Remote Config", languages: [.swift],
            modules: ["FirebaseRemoteConfig", "FirebaseRemoteConfigSwift", "Firebase"],
            names: [
                "RemoteConfig", "RemoteConfigSettings", "RemoteConfigValue", "RemoteConfigFetchStatus",
                "RemoteConfigFetchAndActivateStatus", "RemoteConfigProperty", "RemoteConfigSource", "RemoteConfigError",
                "RemoteConfigUpdate", "RemoteConfigUpdateError", "ConfigUpdateListenerRegistration",
            ],
            members: [
                "remoteConfig", "fetchAndActivate", "addOnConfigUpdateListener", "setCustomSignals", "setDefaults",
                "configSettings", "configValue", "configUpdates", "lastFetchStatus", "lastFetchTime",
            ],
            imports: ["FirebaseRemoteConfig", "FirebaseRemoteConfigSwift"], verdict: .stays,
            advice: remoteConfigInSwift),
        APIRule(
            api: "Firebase Remote Config", languages: [.swift],
            modules: ["FirebaseRemoteConfig", "FirebaseRemoteConfigSwift", "Firebase"],
            companions: ["RemoteConfig", "remoteConfig"], members: ["fetch", "activate", "ensureInitialized"],
            verdict: .stays, advice: remoteConfigInSwift),
        APIRule(
            api: "Firebase Remote Config", languages: [.objectiveC],
            names: ["FIRRemoteConfig*"], imports: ["FirebaseRemoteConfig"], verdict: .noCounterpart, advice: keep),
        APIRule(
            api: "Firebase Remote Config", languages: [.objectiveC],
            companions: ["FIRRemoteConfig", "remoteConfig"],
            members: [
                "remoteConfig", "fetchWithCompletionHandler", "fetchWithExpirationDuration",
                "fetchAndActivateWithCompletionHandler", "activateWithCompletion", "activateWithCompletionHandler",
                "setDefaults", "setDefaultsFromPlistFileName", "configSettings", "configValueForKey",
                "addOnConfigUpdateListener",
            ],
            verdict: .noCounterpart, advice: keep),
        APIRule(
            api: "Firebase Remote Config", languages: android, modules: ["com.google.firebase.remoteconfig"],
            names: ["remoteConfigSettings"],
            members: [
                "remoteConfig", "fetch", "activate", "fetchAndActivate", "setConfigSettingsAsync", "setDefaultsAsync",
                "addOnConfigUpdateListener", "configUpdates",
            ],
            imports: ["com.google.firebase.remoteconfig"], verdict: .noCounterpart, advice: keep),
        APIRule(
            api: "Firebase Remote Config", languages: appleManifests,
            libraries: ["Firebase/RemoteConfig", "FirebaseRemoteConfig", "FirebaseRemoteConfigSwift"],
            verdict: .stays, advice: onLinux),
        APIRule(
            api: "Firebase Remote Config", languages: androidManifests,
            libraries: ["com.google.firebase:firebase-config", "com.google.firebase:firebase-config-ktx"],
            verdict: .stays, advice: keepLibrary),
    ]

    private static let analytics: [APIRule] = [
        APIRule(
            api: "Firebase Analytics", languages: [.swift], modules: ["FirebaseAnalytics*", "Firebase"],
            members: ["analyticsScreen"], verdict: .noCounterpart,
            advice: "Google continues it. Hearth knows no screens: on Linux leave it out."),
        APIRule(
            api: "Firebase Analytics", languages: [.swift], modules: ["FirebaseAnalytics*", "Firebase"],
            names: ["Analytics", "AnalyticsEvent*", "AnalyticsParameter*", "AnalyticsUserProperty*"],
            members: ["logEvent"], imports: ["FirebaseAnalytics*"], verdict: .stays,
            advice: """
                Google continues it. With Hearth on Linux, events measure A/B tests on your own server. There are no reports, and \
                user properties do nothing.
                """),
        APIRule(
            api: "Firebase Analytics", languages: [.objectiveC], names: ["FIRAnalytics"],
            imports: ["FirebaseAnalytics"], verdict: .noCounterpart, advice: keep),
        APIRule(
            api: "Firebase Analytics", languages: android, modules: ["com.google.firebase.analytics"],
            members: ["logEvent"], imports: ["com.google.firebase.analytics"], verdict: .noCounterpart, advice: keep),
        APIRule(
            api: "Firebase Analytics", languages: appleManifests,
            libraries: ["Firebase/Analytics", "FirebaseAnalytics*"], verdict: .stays, advice: onLinux),
        APIRule(
            api: "Firebase Analytics", languages: androidManifests,
            libraries: ["com.google.firebase:firebase-analytics", "com.google.firebase:firebase-analytics-ktx"],
            verdict: .stays, advice: keepLibrary),
    ]

    private static let installations: [APIRule] = [
        APIRule(
            api: "Firebase Installations", languages: [.swift], modules: ["FirebaseInstallations", "Firebase"],
            names: [
                "Installations", "InstallationsAuthTokenResult", "InstallationsErrorCode", "InstallationIDDidChange",
                "InstallationIDDidChangeAppNameKey",
            ],
            members: ["installationID", "authToken", "authTokenForcingRefresh"],
            imports: ["FirebaseInstallations"], verdict: .stays,
            advice: "Google continues it. The same call works with Hearth on Linux."),
        APIRule(
            api: "Firebase Installations", languages: [.objectiveC], names: ["FIRInstallation*"],
            imports: ["FirebaseInstallations"], verdict: .noCounterpart, advice: keep),
        APIRule(
            api: "Firebase Installations", languages: android, names: ["FirebaseInstallations"],
            imports: ["com.google.firebase.installations"], verdict: .noCounterpart, advice: keep),
        APIRule(
            api: "Firebase Installations", languages: appleManifests,
            libraries: ["Firebase/Installations", "FirebaseInstallations"], verdict: .stays, advice: onLinux),
        APIRule(
            api: "Firebase Installations", languages: androidManifests,
            libraries: [
                "com.google.firebase:firebase-installations", "com.google.firebase:firebase-installations-ktx",
            ],
            verdict: .stays, advice: keepLibrary),
    ]

    private static let core: [APIRule] = [
        APIRule(
            api: "Firebase, the app itself", languages: [.swift], imports: ["Firebase"], verdict: .stays,
            advice: """
                With Hearth on Linux, this module has models, Remote Config, Analytics and Installations. An app that needs other \
                parts of Firebase keeps Google's package: docs/guides/migrate.md, section Packages.
                """),
        APIRule(
            api: "Firebase, the app itself", languages: [.swift], modules: ["FirebaseCore", "Firebase"],
            names: ["FirebaseApp", "FirebaseOptions"], imports: ["FirebaseCore"], verdict: .changes,
            advice: """
                The call stays. For Hearth on Linux, replace GoogleService-Info.plist by the one that your server wrote.
                """),
        APIRule(
            api: "Firebase, the app itself", languages: [.objectiveC], names: ["FIRApp", "FIROptions"],
            imports: ["Firebase", "FirebaseCore"], verdict: .noCounterpart, advice: keep),
        APIRule(
            api: "Firebase, the app itself", languages: appleManifests,
            libraries: ["Firebase/Core", "Firebase/CoreOnly", "FirebaseCore"], verdict: .stays,
            advice: onLinux),
    ]
}
