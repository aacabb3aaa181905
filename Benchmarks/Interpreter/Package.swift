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
        .package(name: "Hearth", path: "../..")
    ],
    targets: [
        // The C program to compare with. It has its own declarations of LiteRT's functions and uses nothing of Hearth.
        .target(
            name: "CEngineLoop",
            cSettings: [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")],
            linkerSettings: [.linkedLibrary("LiteRt")]),
        .executableTarget(
            name: "InterpreterBenchmark",
            dependencies: ["CEngineLoop", .product(name: "TensorFlowLite", package: "Hearth")],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
