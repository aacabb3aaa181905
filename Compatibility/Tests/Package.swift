// swift-tools-version: 6.2
import PackageDescription

// Apps as they were written against Google's libraries, one for each generation of the API, in a package of their own: what they
// get is what any app outside gets, in the language mode of such apps. The tests run them against a real server.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .swiftLanguageMode(.v6),
]

func compatibility(_ module: String) -> Target.Dependency { .product(name: module, package: "Compatibility") }

func hearth(_ product: String) -> Target.Dependency { .product(name: product, package: "Hearth") }

/// Warnings stay warnings, as in an app that nobody touches any more.
func app(_ name: String, _ dependencies: [Target.Dependency], _ mode: SwiftLanguageMode = .v5) -> Target {
    .executableTarget(
        name: "\(name)App", dependencies: dependencies, path: "Apps/\(name)", swiftSettings: [.swiftLanguageMode(mode)])
}

func tests(of name: String) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: ["Driving", .target(name: "\(name)App")], path: name, swiftSettings: strict)
}

let everyModule = [
    "Firebase", "FirebaseABTesting", "FirebaseAnalytics", "FirebaseCore", "FirebaseInstallations", "FirebaseMLCommon",
    "FirebaseMLModelInterpreter", "FirebaseMLModelDownloader", "FirebaseRemoteConfig", "FirebaseRemoteConfigSwift",
    "MLKit", "MLKitCommon",
    "MLKitLinkFirebase", "MLKitVision", "MLImage",
    "MLKitImageLabelingCommon", "MLKitImageLabelingCustom", "MLKitObjectDetectionCommon", "MLKitObjectDetectionCustom",
]

let package = Package(
    name: "ExistingApps",
    // Named, because the folder of a checkout may have any name.
    dependencies: [.package(name: "Hearth", path: "../.."), .package(name: "Compatibility", path: "..")],
    targets: [
        // With HearthVision only for its image decoder, in place of UIKit's.
        app("GenerationOne", [compatibility("Firebase"), hearth("TensorFlowLite"), hearth("HearthVision")]),
        app("GenerationTwo", [compatibility("Firebase"), hearth("TensorFlowLite"), hearth("HearthVision")]),
        app("GenerationThree", [compatibility("MLKit"), compatibility("FirebaseCore")]),
        // One line of the first generation's guide is legal only before Swift 5.
        app("EarlierSwift", [compatibility("Firebase")], .v4_2),
        .target(name: "Driving", path: "Driving", swiftSettings: strict),
        tests(of: "GenerationOne"),
        tests(of: "GenerationTwo"),
        tests(of: "GenerationThree"),
        tests(of: "EarlierSwift"),
        .target(name: "Neighbour", path: "Neighbour", swiftSettings: strict),
        .testTarget(
            name: "ModulesTests", dependencies: everyModule.map(compatibility) + ["Neighbour"],
            path: "Modules", swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "OwnNamesTests",
            dependencies: [compatibility("Firebase"), compatibility("FirebaseMLModelDownloader")],
            path: "OwnNames", swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
