// swift-tools-version: 6.2
import PackageDescription

// The floors of the house: Tools -> Server | Device -> Shared -> Native. Imports run downward only;
// scripts/check-architecture holds every `import` against the dependencies declared here.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The commit that `hearth --version` names: scripts/package sets it. Other builds name none, so that a commit alone does not
/// make them build again.
let commit = (Context.environment["HEARTH_COMMIT"] ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber) }

func native(_ name: String, pkgConfig: String? = nil, apt: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Sources/Native/\(name)", pkgConfig: pkgConfig,
        providers: apt.map { [.apt([$0])] })
}

func library(_ name: String, _ path: String, _ dependencies: Target.Dependency...) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(path)", swiftSettings: strict)
}

func program(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/Tools/\(name)", swiftSettings: strict)
}

func tests(_ name: String, _ path: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["HearthTestSupport"], path: "Tests/\(path)",
        swiftSettings: strict)
}

func testProgram(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

func testSupport(_ name: String, _ path: String, _ dependencies: Target.Dependency...) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/\(path)", swiftSettings: strict)
}

let nativeTargets: [Target] = [
    native("CLiteRT", pkgConfig: "litert"),
    native("CTurboJPEG", pkgConfig: "libturbojpeg", apt: "libturbojpeg0-dev"),
    native("CPNG", pkgConfig: "libpng", apt: "libpng-dev"),
    native("CWebP", pkgConfig: "libwebp", apt: "libwebp-dev"),
    native("CGIF", pkgConfig: "libgif", apt: "libgif-dev"),
    // Not libraries of the system but loops of our own: see docs/decisions/0014-sampling-in-c.md.
    .target(name: "CSampling", path: "Sources/Native/CSampling"),
    .target(name: "CCRC32C", path: "Sources/Native/CCRC32C"),
    // Handlers of signals, which Swift cannot have.
    .target(name: "CCrashGuard", path: "Sources/Native/CCrashGuard"),
    // Swift has no texts that a build sets: see HEARTH_COMMIT below.
    .target(
        name: "CBuildInfo", path: "Sources/Native/CBuildInfo",
        cSettings: [.define("HEARTH_COMMIT", to: "\"\(commit)\"")]),
    // RE2 is C++; the shim gives it a door of C.
    .target(name: "CRE2", path: "Sources/Native/CRE2", linkerSettings: [.linkedLibrary("re2")]),
    // Boost's headers are C++ too.
    .target(name: "CBoostMath", path: "Sources/Native/CBoostMath"),
    native("CFreeType", pkgConfig: "freetype2", apt: "libfreetype-dev"),
    native("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    native("COpenSSL", pkgConfig: "libcrypto", apt: "libssl-dev"),
    native("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
    native("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
    native("CPostgres", pkgConfig: "libpq", apt: "libpq-dev"),
    native("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    native("CSeccomp", pkgConfig: "libseccomp", apt: "libseccomp-dev"),
    native("CSpawn"),
    native("CScheduling"),
]

let sharedTargets: [Target] = [
    library("HearthErrors", "Shared/Errors"),
    library("HearthConcurrency", "Shared/Concurrency"),
    library("HearthCrypto", "Shared/Crypto", "CCRC32C", "COpenSSL", "HearthErrors", "HearthConcurrency"),
    library("HearthCompression", "Shared/Compression", "CZlib", "HearthErrors"),
    library("HearthFiles", "Shared/Files", "HearthErrors", "HearthCrypto"),
    library("HearthTransport", "Shared/Transport", "CCurl", "HearthErrors", "HearthConcurrency", "HearthCrypto"),
    library("HearthWire", "Shared/Wire"),
    library("HearthCalls", "Shared/Calls", "HearthWire"),
]

let deviceTargets: [Target] = [
    library("HearthPlatform", "Device/Platform", "HearthConcurrency"),
    library("HearthModelFile", "Device/ModelFile", "HearthConcurrency", "HearthCompression"),
    library("HearthKernels", "Device/Kernels", "HearthErrors", "HearthConcurrency", "HearthModelFile"),
    library(
        "TensorFlowLite", "Device/TensorFlowLite", "CLiteRT", "HearthConcurrency", "HearthCrypto", "HearthPlatform",
        "HearthModelFile", "HearthKernels"),
    library(
        "HearthImaging", "Device/Imaging", "CTurboJPEG", "CPNG", "CWebP", "CGIF", "CSampling", "HearthConcurrency",
        "HearthFiles"),
    library("HearthDrawing", "Device/Drawing", "CFreeType", "HearthImaging"),
    library("HearthClient", "Device/Client", "HearthConcurrency", "HearthTransport", "HearthWire"),
    library("HearthModelSource", "Device/ModelSource", "HearthConcurrency", "HearthModelFile"),
    library(
        "HearthVision", "Device/Vision", "HearthConcurrency", "HearthPlatform", "HearthModelFile", "TensorFlowLite",
        "HearthImaging", "HearthModelSource"),
    library(
        "HearthModelInterpreter", "Device/ModelInterpreter", "HearthConcurrency", "HearthModelFile", "TensorFlowLite",
        "HearthModelSource"),
    library(
        "HearthApp", "Device/App", "HearthConcurrency", "HearthCrypto", "HearthFiles", "HearthTransport", "HearthWire",
        "HearthClient"),
    library(
        "HearthEvents", "Device/Events", "HearthConcurrency", "HearthCrypto", "HearthFiles", "HearthTransport",
        "HearthWire", "HearthClient", "HearthApp"),
    library(
        "HearthCrashGuard", "Device/CrashGuard", "CCrashGuard", "HearthConcurrency", "HearthCrypto", "HearthFiles",
        "HearthWire"),
    library(
        "HearthDelivery", "Device/Delivery", "HearthConcurrency", "HearthCrypto", "HearthFiles", "HearthTransport",
        "HearthWire", "HearthClient", "HearthModelSource", "HearthApp", "HearthEvents", "HearthCrashGuard"),
    library(
        "HearthDeliveryTesting", "Device/DeliveryTesting", "HearthConcurrency", "HearthCrypto", "HearthFiles",
        "HearthTransport", "HearthWire", "HearthClient", "HearthApp", "HearthDelivery"),
    library(
        "HearthRemoteConfig", "Device/RemoteConfig", "HearthConcurrency", "HearthCrypto", "HearthFiles",
        "HearthTransport", "HearthWire", "HearthClient", "HearthApp", "HearthEvents"),
    library(
        "Hearth", "Device/Hearth", "HearthApp", "HearthEvents", "HearthDelivery", "HearthModelSource",
        "HearthRemoteConfig"),
]

let serverTargets: [Target] = [
    library("HearthCatalog", "Server/Catalog", "HearthErrors", "HearthWire"),
    library(
        "HearthTargeting", "Server/Targeting", "CRE2", "HearthConcurrency", "HearthCrypto", "HearthWire",
        "HearthCatalog"),
    library(
        "HearthRemoteConfigTemplates", "Server/RemoteConfigTemplates", "HearthCrypto", "HearthWire", "HearthCatalog",
        "HearthTargeting"),
    library(
        "HearthExperiments", "Server/Experiments", "CBoostMath", "HearthCrypto", "HearthWire", "HearthCatalog",
        "HearthTargeting"),
    library("HearthRollouts", "Server/Rollouts", "HearthCatalog", "HearthExperiments"),
    library(
        "HearthStorage", "Server/Storage", "HearthErrors", "HearthConcurrency", "HearthCrypto", "HearthFiles",
        "HearthWire", "HearthCatalog"),
    library("HearthStorageSQL", "Server/StorageSQL", "HearthWire", "HearthCatalog", "HearthStorage"),
    library(
        "HearthStorageSQLite", "Server/StorageSQLite", "CSQLite", "HearthConcurrency", "HearthStorage",
        "HearthStorageSQL"),
    library(
        "HearthStoragePostgres", "Server/StoragePostgres", "CPostgres", "HearthConcurrency", "HearthStorage",
        "HearthStorageSQL"),
    library(
        "HearthStorageS3", "Server/StorageS3", "HearthConcurrency", "HearthCrypto", "HearthFiles", "HearthTransport",
        "HearthWire", "HearthStorage"),
    library("HearthWork", "Server/Work", "CScheduling", "HearthConcurrency", "HearthStorage"),
    library(
        "HearthValidation", "Server/Validation", "CSpawn", "HearthConcurrency", "HearthCrypto", "HearthWire",
        "HearthCatalog", "HearthStorage", "HearthWork"),
    library(
        "HearthMaintenance", "Server/Maintenance", "HearthCrypto", "HearthFiles", "HearthWire", "HearthCatalog",
        "HearthStorage", "HearthWork"),
    library(
        "HearthIdentity", "Server/Identity", "HearthConcurrency", "HearthCrypto", "HearthFiles", "HearthWire",
        "HearthCatalog", "HearthStorage"),
    library("HearthHTTP", "Server/HTTP", "CMicroHTTPD", "HearthErrors", "HearthConcurrency"),
    library("HearthMetrics", "Server/Metrics", "HearthConcurrency"),
    library(
        "HearthBackup", "Server/Backup", "HearthErrors", "HearthCrypto", "HearthFiles", "HearthWire", "HearthCatalog",
        "HearthStorage", "HearthStorageSQL", "HearthStorageSQLite", "HearthStoragePostgres", "HearthStorageS3"),
    library(
        "HearthServing", "Server/Serving", "HearthConcurrency", "HearthCrypto", "HearthWire", "HearthCatalog",
        "HearthTargeting", "HearthRemoteConfigTemplates", "HearthExperiments", "HearthStorage", "HearthIdentity"),
    library(
        "HearthRouting", "Server/Routing", "HearthConcurrency", "HearthCrypto", "HearthCompression", "HearthWire",
        "HearthCalls", "HearthCatalog", "HearthRemoteConfigTemplates", "HearthStorage", "HearthWork", "HearthIdentity",
        "HearthHTTP", "HearthServing"),
    library(
        "HearthDevicePlane", "Server/DevicePlane", "HearthConcurrency", "HearthCrypto", "HearthCompression",
        "HearthWire", "HearthCalls", "HearthCatalog", "HearthTargeting", "HearthRemoteConfigTemplates",
        "HearthExperiments", "HearthRollouts", "HearthStorage", "HearthWork", "HearthIdentity", "HearthHTTP",
        "HearthMetrics", "HearthServing", "HearthRouting"),
    library(
        "HearthManagement", "Server/Management", "HearthConcurrency", "HearthCrypto", "HearthWire", "HearthCalls",
        "HearthCatalog", "HearthTargeting", "HearthRemoteConfigTemplates", "HearthExperiments", "HearthRollouts",
        "HearthStorage", "HearthWork", "HearthValidation", "HearthIdentity", "HearthHTTP", "HearthMetrics",
        "HearthServing", "HearthRouting", "HearthDevicePlane"),
    .target(
        name: "HearthConsole",
        dependencies: [
            "HearthConcurrency", "HearthCrypto", "HearthCompression", "HearthWire", "HearthCalls", "HearthCatalog",
            "HearthRemoteConfigTemplates", "HearthWork", "HearthIdentity", "HearthHTTP", "HearthRouting",
        ],
        path: "Sources/Server/Console", resources: [.embedInCode("Assets/Files")], swiftSettings: strict),
    library(
        "HearthServer", "Server/Server", "HearthConcurrency", "HearthCrypto", "HearthFiles", "HearthTransport",
        "HearthWire", "HearthCalls", "HearthCatalog", "HearthStorage", "HearthStorageSQLite", "HearthStoragePostgres",
        "HearthStorageS3", "HearthWork", "HearthValidation", "HearthMaintenance", "HearthIdentity", "HearthHTTP",
        "HearthMetrics", "HearthRouting", "HearthDevicePlane", "HearthManagement", "HearthConsole"),
]

let toolTargets: [Target] = [
    library("HearthArguments", "Tools/Arguments", "HearthConcurrency"),
    library(
        "HearthProbe", "Tools/Probe", "CSeccomp", "HearthCrypto", "HearthFiles", "HearthWire", "HearthModelFile",
        "TensorFlowLite", "HearthImaging", "HearthVision"),
    library(
        "HearthLocalCommands", "Tools/LocalCommands", "CBuildInfo", "HearthConcurrency", "HearthCrypto", "HearthFiles",
        "HearthWire",
        "HearthModelFile", "TensorFlowLite", "HearthImaging", "HearthDrawing", "HearthModelSource", "HearthVision",
        "HearthArguments"),
    library(
        "HearthAdmin", "Tools/Admin", "HearthConcurrency", "HearthCrypto", "HearthFiles", "HearthTransport",
        "HearthWire", "HearthCalls"),
    // The commands of hearth-full, by what they need. Only the last of these waits for the server's code.
    library(
        "HearthManagementCommands", "Tools/ManagementCommands", "HearthConcurrency", "HearthCrypto", "HearthFiles",
        "HearthTransport", "HearthWire", "HearthCalls", "HearthModelFile", "HearthVision", "HearthCatalog",
        "HearthTargeting", "HearthRemoteConfigTemplates", "HearthArguments", "HearthLocalCommands", "HearthAdmin"),
    library(
        "HearthDeviceCommands", "Tools/DeviceCommands", "HearthConcurrency", "HearthWire", "HearthCalls",
        "HearthModelSource", "HearthApp", "HearthDelivery", "HearthArguments", "HearthLocalCommands", "HearthAdmin",
        "HearthManagementCommands"),
    library(
        "HearthOperatorCommands", "Tools/OperatorCommands", "HearthConcurrency", "HearthFiles", "HearthTransport",
        "HearthWire", "HearthModelFile", "HearthStorage", "HearthValidation", "HearthMaintenance", "HearthBackup",
        "HearthServer", "HearthArguments", "HearthProbe", "HearthLocalCommands", "HearthAdmin",
        "HearthManagementCommands"),
    // To be deleted after Firebase ML has been switched off: see Sources/Tools/Migration/README.md.
    library("HearthMigrationCheck", "Tools/Migration/MigrationCheck", "HearthFiles"),
    library(
        "HearthFirebaseImport", "Tools/Migration/FirebaseImport", "HearthErrors", "HearthConcurrency", "HearthCrypto",
        "HearthFiles", "HearthTransport", "HearthWire", "HearthCalls", "HearthTargeting", "HearthRemoteConfigTemplates",
        "HearthAdmin"),
    library(
        "HearthMigrationCommands", "Tools/Migration/Commands", "HearthConcurrency", "HearthFiles", "HearthWire",
        "HearthArguments", "HearthLocalCommands", "HearthAdmin", "HearthManagementCommands", "HearthMigrationCheck",
        "HearthFirebaseImport"),
    library(
        "HearthCommandLine", "Tools/CommandLine", "HearthArguments", "HearthLocalCommands", "HearthManagementCommands",
        "HearthDeviceCommands", "HearthOperatorCommands", "HearthMigrationCommands"),
    program("hearth", "HearthLocalCommands"),
    program("hearth-full", "HearthCommandLine"),
]

let testTargets: [Target] = [
    testSupport("HearthTestSupport", "Support", "HearthFiles"),
    tests("HearthErrorsTests", "Shared/Errors", "HearthErrors"),
    tests("HearthConcurrencyTests", "Shared/Concurrency", "HearthConcurrency"),
    tests("HearthCryptoTests", "Shared/Crypto", "HearthCrypto"),
    tests("HearthCompressionTests", "Shared/Compression", "HearthCompression"),
    tests("HearthFilesTests", "Shared/Files", "HearthFiles", "HearthCrypto"),
    tests("HearthTransportTests", "Shared/Transport", "HearthCompression", "HearthConcurrency", "HearthTransport"),
    tests("HearthWireTests", "Shared/Wire", "HearthWire"),
    tests("HearthCallsTests", "Shared/Calls", "HearthCalls", "HearthWire"),
    tests("HearthPlatformTests", "Device/Platform", "HearthPlatform"),
    tests("HearthModelFileTests", "Device/ModelFile", "HearthModelFile"),
    tests("HearthKernelsTests", "Device/Kernels", "HearthKernels", "HearthModelFile"),
    tests("TensorFlowLiteTests", "Device/TensorFlowLite", "TensorFlowLite", "HearthModelFile"),
    tests("HearthImagingTests", "Device/Imaging", "HearthImaging", "HearthFiles"),
    tests("HearthDrawingTests", "Device/Drawing", "HearthDrawing", "HearthImaging"),
    .target(name: "HearthCampaignInput", path: "Tests/CampaignInput", swiftSettings: strict),
    // Programs for scripts/soak. It builds ImageFuzzer with the address sanitizer, and FleetDevice is an app whose model
    // may crash it.
    testProgram("ImageFuzzer", "HearthImaging", "HearthCampaignInput"),
    testProgram("ModelExerciser", "HearthModelFile", "TensorFlowLite", "HearthCampaignInput"),
    testProgram("ExperimentSimulator", "HearthExperiments", "HearthCampaignInput"),
    testProgram("RolloutSimulator", "HearthCatalog", "HearthRollouts", "HearthCampaignInput"),
    testProgram(
        "AdoptionSimulator", "HearthCatalog", "HearthIdentity", "HearthStorage", "HearthStorageSQLite",
        "HearthDevicePlane"),
    testProgram("FleetDevice", "Hearth", "HearthModelInterpreter", "HearthCampaignInput"),
    // For the end-to-end tests, which run it: calls at the top level of main.swift.
    testProgram("TopLevelApp", "Hearth"),
    tests(
        "HearthVisionTests", "Device/Vision", "HearthVision", "HearthImaging", "HearthModelSource", "HearthModelFile"),
    .testTarget(
        // As apps are that were written against the original libraries, the language mode included.
        name: "HearthExistingAppTests",
        dependencies: ["HearthVision", "TensorFlowLite", "HearthModelInterpreter", "HearthTestSupport"],
        path: "Tests/Device/ExistingApps",
        swiftSettings: [.treatAllWarnings(as: .error), .swiftLanguageMode(.v5)]),
    tests("HearthModelSourceTests", "Device/ModelSource", "HearthModelSource", "HearthModelFile"),
    tests("HearthModelInterpreterTests", "Device/ModelInterpreter", "HearthModelInterpreter", "HearthModelSource"),
    // What the tests of an app's services share.
    testSupport("HearthDeviceTestSupport", "DeviceSupport", "HearthConcurrency", "HearthTransport", "HearthApp"),
    tests(
        "HearthClientTests", "Device/Client", "HearthConcurrency", "HearthTransport", "HearthWire", "HearthClient",
        "HearthDeliveryTesting"),
    tests(
        "HearthAppTests", "Device/App", "HearthConcurrency", "HearthFiles", "HearthTransport", "HearthWire",
        "HearthClient", "HearthApp", "HearthDeliveryTesting", "HearthDeviceTestSupport"),
    tests(
        "HearthEventsTests", "Device/Events", "HearthFiles", "HearthTransport", "HearthWire", "HearthApp",
        "HearthEvents", "HearthDeliveryTesting", "HearthDeviceTestSupport"),
    tests("HearthCrashGuardTests", "Device/CrashGuard", "HearthCrashGuard", "HearthCrypto", "HearthFiles"),
    tests(
        "HearthDeliveryTests", "Device/Delivery", "HearthConcurrency", "HearthCrypto", "HearthFiles", "HearthTransport",
        "HearthWire", "HearthClient", "HearthModelSource", "HearthVision", "HearthModelInterpreter", "HearthApp",
        "HearthEvents", "HearthDelivery", "HearthDeliveryTesting"),
    tests(
        "HearthDeliveryTestingTests", "Device/DeliveryTesting", "HearthConcurrency", "HearthCrypto", "HearthTransport",
        "HearthWire", "HearthClient", "HearthModelSource", "HearthApp", "HearthDelivery", "HearthDeliveryTesting",
        "Hearth"),
    tests(
        "HearthRemoteConfigTests", "Device/RemoteConfig", "HearthConcurrency", "HearthFiles", "HearthTransport",
        "HearthWire", "HearthClient", "HearthApp", "HearthEvents", "HearthDeliveryTesting", "HearthRemoteConfig",
        "HearthDeviceTestSupport"),
    tests("HearthCatalogTests", "Server/Catalog", "HearthCatalog", "HearthWire"),
    tests("HearthTargetingTests", "Server/Targeting", "HearthTargeting", "HearthCatalog", "HearthWire", "HearthCrypto"),
    tests(
        "HearthRemoteConfigTemplatesTests", "Server/RemoteConfigTemplates", "HearthRemoteConfigTemplates",
        "HearthTargeting", "HearthWire"),
    tests("HearthRolloutsTests", "Server/Rollouts", "HearthCatalog", "HearthRollouts"),
    tests("HearthExperimentsTests", "Server/Experiments", "HearthExperiments", "HearthCatalog"),
    testSupport(
        // The real stores that the environment names.
        "HearthStorageS3TestSupport", "Server/StorageS3Support", "HearthStorageS3", "HearthStorage", "HearthTransport",
        "HearthTestSupport"),
    tests(
        // A database and records to test with, and no tests.
        "HearthStorageTestSupport", "Server/StorageSupport", "HearthStoragePostgres", "HearthStorage", "HearthCatalog",
        "HearthCrypto", "HearthWire"),
    tests(
        "HearthStorageTests", "Server/Storage", "HearthStorageTestSupport", "HearthStorageS3TestSupport",
        "HearthConcurrency", "HearthStorage", "HearthStorageSQL", "HearthStorageSQLite", "HearthStoragePostgres",
        "HearthStorageS3", "HearthWire", "HearthCatalog", "HearthFiles", "HearthCrypto", "HearthIdentity"),
    tests(
        // What only PostgreSQL does. The suites that both engines must pass are in the target above.
        "HearthStoragePostgresTests", "Server/StoragePostgres", "HearthStorageTestSupport", "HearthConcurrency",
        "HearthStorage", "HearthStorageSQL", "HearthStoragePostgres", "HearthWire", "HearthCatalog"),
    tests(
        "HearthStorageS3Tests", "Server/StorageS3", "HearthStorageS3TestSupport", "HearthStorageS3", "HearthStorage",
        "HearthTransport", "HearthFiles", "HearthCrypto", "HearthWire"),
    tests("HearthWorkTests", "Server/Work", "HearthWork"),
    tests(
        "HearthMaintenanceTests", "Server/Maintenance", "HearthMaintenance", "HearthCrypto", "HearthFiles",
        "HearthWire", "HearthCatalog", "HearthStorage", "HearthStorageSQLite", "HearthWork", "HearthStorageTestSupport",
        "HearthValidation"),
    tests("HearthIdentityTests", "Server/Identity", "HearthIdentity", "HearthCatalog", "HearthCrypto", "HearthFiles"),
    tests("HearthHTTPTests", "Server/HTTP", "HearthHTTP"),
    tests("HearthMetricsTests", "Server/Metrics", "HearthMetrics"),
    tests(
        "HearthBackupTests", "Server/Backup", "HearthStorageTestSupport", "HearthStorageS3TestSupport", "HearthBackup",
        "HearthCrypto", "HearthFiles", "HearthWire", "HearthCatalog", "HearthStorage", "HearthStorageSQL",
        "HearthStorageSQLite", "HearthStoragePostgres", "HearthStorageS3"),
    tests(
        "HearthValidationTests", "Server/Validation", "HearthStorageTestSupport", "HearthWork", "HearthValidation",
        "HearthCrypto", "HearthWire", "HearthCatalog", "HearthStorage", "HearthStoragePostgres", "HearthStorageSQLite"),
    tests(
        // A service to test, and no tests.
        "HearthManagementTestSupport", "Server/ManagementSupport", "HearthStorageTestSupport", "HearthManagement",
        "HearthCrypto", "HearthCompression", "HearthWire", "HearthCatalog", "HearthStorage", "HearthStoragePostgres",
        "HearthStorageSQLite", "HearthWork", "HearthValidation", "HearthIdentity", "HearthHTTP", "HearthServing",
        "HearthRouting", "HearthDevicePlane"),
    tests(
        "HearthManagementTests", "Server/Management", "HearthManagementTestSupport", "HearthCrypto", "HearthWire",
        "HearthCalls", "HearthCatalog", "HearthTargeting", "HearthStorage", "HearthStorageSQLite", "HearthValidation",
        "HearthIdentity", "HearthHTTP", "HearthServing", "HearthRouting", "HearthDevicePlane", "HearthManagement"),
    tests(
        "HearthDevicePlaneTests", "Server/DevicePlane", "HearthManagementTestSupport", "HearthCrypto", "HearthWire",
        "HearthCatalog", "HearthStorage", "HearthIdentity", "HearthHTTP", "HearthServing", "HearthRouting",
        "HearthDevicePlane", "HearthManagement"),
    tests(
        "HearthRoutingTests", "Server/Routing", "HearthManagementTestSupport", "HearthCrypto", "HearthCompression",
        "HearthWire", "HearthCalls", "HearthCatalog", "HearthStorage", "HearthIdentity", "HearthHTTP", "HearthServing",
        "HearthRouting", "HearthDevicePlane", "HearthManagement"),
    tests(
        "HearthServingTests", "Server/Serving", "HearthManagementTestSupport", "HearthCatalog", "HearthStorage",
        "HearthStorageSQLite", "HearthIdentity", "HearthHTTP", "HearthServing", "HearthRouting", "HearthDevicePlane",
        "HearthManagement"),
    tests(
        // What hands requests from thread to thread: apart from the others, so that a sanitizer's build has these alone.
        "HearthManagementThreadTests", "Server/ManagementThreads", "HearthManagementTestSupport", "HearthCrypto",
        "HearthFiles", "HearthWire", "HearthCalls", "HearthCatalog", "HearthRollouts", "HearthStorage", "HearthWork",
        "HearthValidation", "HearthIdentity", "HearthHTTP", "HearthServing", "HearthRouting", "HearthDevicePlane",
        "HearthManagement", "HearthStorageTestSupport"),
    tests(
        // Likewise.
        "HearthDevicePlaneThreadTests", "Server/DevicePlaneThreads", "HearthManagementTestSupport", "HearthCrypto",
        "HearthWire", "HearthCatalog", "HearthStorage", "HearthIdentity", "HearthHTTP", "HearthServing",
        "HearthRouting", "HearthDevicePlane", "HearthManagement", "HearthStorageTestSupport"),
    tests(
        "HearthConsoleTests", "Server/Console", "HearthManagementTestSupport", "HearthConsole", "HearthManagement",
        "HearthCrypto", "HearthWire", "HearthCatalog", "HearthRemoteConfigTemplates", "HearthStorage", "HearthIdentity",
        "HearthHTTP", "HearthCalls", "HearthRouting"),
    tests(
        "HearthServerTests", "Server/Server", "HearthStorageTestSupport", "HearthStorageS3TestSupport",
        "HearthStorageS3", "HearthConcurrency", "HearthCrypto", "HearthFiles", "HearthTransport", "HearthWire",
        "HearthMetrics", "HearthCatalog", "HearthStorage", "HearthStorageSQL", "HearthStorageSQLite",
        "HearthValidation", "HearthMaintenance", "HearthIdentity", "HearthHTTP", "HearthBackup", "HearthManagement",
        "HearthServer", "HearthCalls", "HearthRouting", "HearthDevicePlane"),
    tests("HearthArgumentsTests", "Tools/Arguments", "HearthArguments"),
    tests(
        "HearthLocalCommandsTests", "Tools/LocalCommands", "HearthConcurrency", "HearthWire", "HearthModelFile",
        "HearthModelSource", "HearthImaging", "HearthDrawing", "HearthVision", "HearthArguments",
        "HearthLocalCommands"),
    tests(
        // Runs the program itself, so it has to be built.
        "HearthProbeTests", "Tools/Probe", "hearth-full", "HearthProbe", "HearthValidation", "HearthWire",
        "HearthCatalog", "HearthCrypto", "HearthModelFile", "HearthVision"),
    // A server that answers from a list of rules, for the tests of the client and of the commands.
    testSupport("HearthAdminTestSupport", "Tools/AdminSupport", "HearthAdmin", "HearthTransport", "HearthWire"),
    tests(
        "HearthAdminTests", "Tools/Admin", "HearthAdmin", "HearthAdminTestSupport", "HearthCrypto", "HearthTransport",
        "HearthWire", "HearthCalls"),
    tests(
        "HearthManagementCommandsTests", "Tools/ManagementCommands", "HearthManagementCommands", "HearthAdmin",
        "HearthAdminTestSupport", "HearthArguments", "HearthLocalCommands", "HearthCrypto", "HearthTransport",
        "HearthWire", "HearthCatalog", "HearthRemoteConfigTemplates", "HearthCalls"),
    tests("HearthDeviceCommandsTests", "Tools/DeviceCommands", "HearthDeviceCommands", "HearthApp", "HearthArguments"),
    tests(
        "HearthOperatorCommandsTests", "Tools/OperatorCommands", "HearthOperatorCommands", "HearthBackup",
        "HearthServer", "HearthArguments", "HearthModelFile"),
    // To be deleted after Firebase ML has been switched off: see Sources/Tools/Migration/README.md.
    tests("HearthMigrationCheckTests", "Tools/Migration/MigrationCheck", "HearthMigrationCheck"),
    tests(
        "HearthFirebaseImportTests", "Tools/Migration/FirebaseImport", "HearthConcurrency", "HearthCrypto",
        "HearthFiles", "HearthTransport", "HearthWire", "HearthFirebaseImport", "HearthCalls"),
    tests(
        "HearthMigrationCommandsTests", "Tools/Migration/Commands", "HearthMigrationCommands", "HearthFirebaseImport",
        "HearthArguments"),
    tests(
        "HearthCommandLineTests", "Tools/CommandLine", "HearthCommandLine", "HearthManagementCommands",
        "HearthDeviceCommands", "HearthOperatorCommands", "HearthArguments", "HearthLocalCommands"),
    testSupport("EndToEndDriving", "EndToEnd/Driving", "HearthWire", "HearthTestSupport"),
    tests(
        // To be deleted with the commands above that bring what Firebase has. Runs the program, so it has to be built.
        "EndToEndMigrationTests", "Tools/Migration/EndToEnd", "hearth-full", "EndToEndDriving", "HearthWire",
        "HearthCalls"),
    testProgram(
        // For the tests of the crash guard and for scripts/soak: a program that runs a model and is killed.
        "CrashGuardProgram", "HearthWire", "HearthClient", "HearthCrypto", "HearthFiles", "HearthModelSource",
        "HearthApp", "HearthEvents", "HearthCrashGuard", "HearthDelivery", "HearthDeliveryTesting", "TensorFlowLite"),
    tests(
        // Runs a program, so it has to be built. Without a sanitizer, because the program replaces signal handlers.
        "EndToEndCrashGuardTests", "EndToEnd/CrashGuard", "CrashGuardProgram", "EndToEndDriving"),
    tests(
        // Runs the programs themselves, so they have to be built.
        "EndToEndCommandTests", "EndToEnd/Commands", "hearth", "hearth-full", "EndToEndDriving", "HearthWire",
        "HearthCrypto", "HearthCalls"),
    tests(
        // Likewise.
        "EndToEndServerTests", "EndToEnd/Server", "hearth", "hearth-full", "TopLevelApp", "EndToEndDriving",
        "HearthWire", "HearthCrypto", "HearthTransport", "HearthApp", "HearthEvents", "HearthDelivery",
        "HearthModelSource", "HearthRemoteConfig", "HearthVision", "HearthCalls"),
]

// A run with a sanitizer and `scripts/test NAME` build the few test targets that they name; everything else builds all.
let namedTests = Context.environment["HEARTH_TEST_TARGETS"]?.split(separator: " ").map(String.init)

/// Of the test targets those with these names, and those that they depend on: some only support others.
func keeping(_ names: [String], of targets: [Target]) -> [Target] {
    var kept: Set<String> = []
    var waiting = names
    while let name = waiting.popLast() {
        guard kept.insert(name).inserted, let target = targets.first(where: { $0.name == name }) else { continue }
        for case .byNameItem(let dependency, _) in target.dependencies { waiting.append(dependency) }
    }
    // Programs stay: a campaign may build one.
    return targets.filter { $0.type != .test || kept.contains($0.name) }
}

let package = Package(
    name: "Hearth",
    products: [
        .library(name: "Hearth", targets: ["Hearth"]),
        .library(name: "HearthDeliveryTesting", targets: ["HearthDeliveryTesting"]),
        .library(name: "HearthApp", targets: ["HearthApp"]),
        .library(name: "HearthEvents", targets: ["HearthEvents"]),
        .library(name: "HearthRemoteConfig", targets: ["HearthRemoteConfig"]),
        .library(name: "HearthPlatform", targets: ["HearthPlatform"]),
        .library(name: "HearthVision", targets: ["HearthVision"]),
        .library(name: "HearthDrawing", targets: ["HearthDrawing"]),
        .library(name: "HearthModelInterpreter", targets: ["HearthModelInterpreter"]),
        .library(name: "TensorFlowLite", targets: ["TensorFlowLite"]),
        .library(name: "HearthModelFile", targets: ["HearthModelFile"]),
        .library(name: "HearthAdmin", targets: ["HearthAdmin"]),
        .executable(name: "hearth", targets: ["hearth"]),
        .executable(name: "hearth-full", targets: ["hearth-full"]),
    ],
    targets: nativeTargets + sharedTargets + deviceTargets + serverTargets + toolTargets
        + (namedTests.map { keeping($0, of: testTargets) } ?? testTargets),
    swiftLanguageModes: [.v6]
)
