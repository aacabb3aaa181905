// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "CrashGuardBenchmark",
    dependencies: [
        // Named, because the folder of a checkout may have any name.
        .package(name: "Hearth", path: "../.."), .package(path: "../Parts"),
    ],
    targets: [
        // The floor to compare with: the guard's two functions in C, which come with Hearth.
        .target(
            name: "CMarkLoop",
            cSettings: [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]),
        .executableTarget(
            name: "CrashGuardBenchmark",
            dependencies: [
                "CMarkLoop", .product(name: "BenchmarkParts", package: "Parts"),
                .product(name: "Hearth", package: "Hearth"),
                .product(name: "HearthDeliveryTesting", package: "Hearth"),
                .product(name: "HearthModelInterpreter", package: "Hearth"),
                .product(name: "TensorFlowLite", package: "Hearth"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
