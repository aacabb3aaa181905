// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "InterpreterBenchmark",
    dependencies: [
        // Named, because the folder of a checkout may have any name.
        .package(name: "Hearth", path: "../.."), .package(path: "../Parts"),
    ],
    targets: [
        // Apart, because a program that links it has its own malloc.
        .target(
            name: "CAllocationCounter",
            cSettings: [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]),
        .executableTarget(
            name: "InterpreterBenchmark",
            dependencies: [
                "CAllocationCounter", .product(name: "BenchmarkParts", package: "Parts"),
                .product(name: "CEngineLoop", package: "Parts"),
                .product(name: "TensorFlowLite", package: "Hearth"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
