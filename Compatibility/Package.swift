// swift-tools-version: 6.2
import PackageDescription

// The modules that apps written for Google's libraries import. Each makes visible, name by name, what the original of its
// name declares, and declares nothing itself.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func hearth(_ product: String) -> Target.Dependency { .product(name: product, package: "Hearth") }

func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

let modules: [Target] = [
    module("FirebaseCore", [hearth("Hearth")]),
    module("FirebaseInstallations", [hearth("HearthApp")]),
    module("FirebaseMLCommon", [hearth("Hearth")]),
    // Linked with what fetches models, so that remote ones are found.
    module("FirebaseMLModelInterpreter", [hearth("HearthModelInterpreter"), hearth("Hearth")]),
    module("FirebaseMLModelDownloader", [hearth("Hearth")]),
    module("FirebaseRemoteConfig", [hearth("HearthRemoteConfig")]),
    module("FirebaseRemoteConfigSwift", ["FirebaseRemoteConfig"]),
    module("FirebaseABTesting", [hearth("HearthRemoteConfig")]),
    module("FirebaseAnalytics", [hearth("HearthEvents")]),
    module(
        "Firebase",
        [
            "FirebaseCore", "FirebaseInstallations", "FirebaseMLCommon", "FirebaseMLModelInterpreter",
            "FirebaseMLModelDownloader", "FirebaseRemoteConfig", "FirebaseAnalytics", hearth("HearthPlatform"),
        ]),
    module("MLKitCommon", [hearth("Hearth")]),
    module("MLKitLinkFirebase", [hearth("Hearth")]),
    module("MLKitVision", [hearth("HearthVision"), hearth("HearthPlatform")]),
    module("MLImage", [hearth("HearthVision"), hearth("HearthPlatform")]),
    module("MLKitImageLabelingCommon", [hearth("HearthVision")]),
    module("MLKitImageLabelingCustom", ["MLKitImageLabelingCommon", hearth("HearthVision")]),
    module("MLKitObjectDetectionCommon", [hearth("HearthVision")]),
    module("MLKitObjectDetectionCustom", ["MLKitObjectDetectionCommon", hearth("HearthVision")]),
    module(
        "MLKit",
        [
            "MLKitCommon", "MLKitLinkFirebase", "MLKitVision", "MLImage", "MLKitImageLabelingCommon",
            "MLKitImageLabelingCustom", "MLKitObjectDetectionCommon", "MLKitObjectDetectionCustom",
        ]),
]

let package = Package(
    name: "Compatibility",
    products: modules.map { .library(name: $0.name, targets: [$0.name]) },
    // Named, because the folder of a checkout may have any name.
    dependencies: [.package(name: "Hearth", path: "..")],
    targets: modules,
    swiftLanguageModes: [.v6]
)
