// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "VisionBenchmark",
    dependencies: [
        // Named, because the folder of a checkout may have any name.
        .package(name: "Hearth", path: "../.."), .package(path: "../Parts"),
    ],
    targets: [
        // The decoder by itself, as fast as it can be used. Uses nothing of Hearth.
        .target(
            name: "CDecodeLoop",
            cSettings: [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")],
            linkerSettings: [.linkedLibrary("turbojpeg")]),
        .executableTarget(
            name: "VisionBenchmark",
            dependencies: [
                "CDecodeLoop", .product(name: "BenchmarkParts", package: "Parts"),
                .product(name: "CEngineLoop", package: "Parts"),
                .product(name: "HearthVision", package: "Hearth"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
