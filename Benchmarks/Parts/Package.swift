// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// What several benchmarks use.
let package = Package(
    name: "Parts",
    products: [
        .library(name: "CEngineLoop", targets: ["CEngineLoop"]),
        .library(name: "BenchmarkParts", targets: ["BenchmarkParts"]),
    ],
    targets: [
        // The C program to compare with. It has its own declarations of LiteRT's functions and uses nothing of Hearth.
        .target(
            name: "CEngineLoop",
            cSettings: [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")],
            linkerSettings: [.linkedLibrary("LiteRt")]),
        .target(name: "BenchmarkParts", swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
