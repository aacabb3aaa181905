import Foundation
import HearthTestSupport
import Testing

@testable import HearthMigrationCheck

@Suite struct MigrationCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, _ path: String) throws {
        let place = URL(fileURLWithPath: folder.path + "/" + path)
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place)
    }

    /// `file:line call verdict`, with `!` for a call that stops working.
    private func check(_ text: String, _ path: String) throws -> [String] {
        try write(text, path)
        return try MigrationCheck(folder: folder.path).run().findings.map {
            "\($0.line) \($0.call) \($0.verdict.rawValue)\($0.ends == nil ? "" : "!")"
        }
    }

    @Test("Swift: the downloader's calls stay on Linux and end at Google")
    func swift() throws {
        let text = """
            import FirebaseMLModelDownloader
            // ModelDownloader in a comment /* and */ does not count
            let name = "ModelDownloader"
            /* ModelDownloader /* nested */ ModelDownloader */
            let model = try await ModelDownloader.modelDownloader()
                .getModel(name: "flowers", downloadType: .latestModel)
            """
        #expect(
            try check(text, "App/a.swift") == [
                "1 import FirebaseMLModelDownloader stays!", "5 ModelDownloader stays!", "6 .getModel stays!",
            ])
    }

    @Test("A name counts only where the right library is imported")
    func imports() throws {
        let own = "struct ModelManager {}\nlet interpreter = Interpreter()\n"
        #expect(try check(own, "a.swift") == [])
        #expect(try check("import FirebaseAuth\n" + own, "a.swift") == [])
        #expect(
            try check("import TensorFlowLite\n" + own, "a.swift") == [
                "1 import TensorFlowLite stays", "3 Interpreter stays",
            ])
        #expect(
            try check("import Firebase\n" + own, "a.swift").contains("2 ModelManager stays!"))
    }

    @Test("Objective-C, Kotlin and Java have no client of Hearth")
    func otherLanguages() throws {
        #expect(
            try check(
                "@import FirebaseMLModelDownloader;\n[FIRModelDownloader modelDownloader];\n#import <TensorFlowLiteC/a.h>\n",
                "a.m") == ["1 import FirebaseMLModelDownloader noCounterpart!", "2 FIRModelDownloader noCounterpart!"])
        try FileManager.default.removeItem(atPath: folder.path + "/a.m")
        #expect(
            try check(
                """
                import com.google.firebase.ml.modeldownloader.FirebaseModelDownloader
                import com.google.mlkit.vision.label.ImageLabeling
                FirebaseModelDownloader.getInstance().getModel("a", DownloadType.LOCAL_MODEL, conditions)
                ImageLabeling.getClient(CustomImageLabelerOptions.Builder(LocalModel.Builder().build()).build())
                """, "a.kt") == [
                    "1 import com.google.firebase.ml.modeldownloader.FirebaseModelDownloader noCounterpart!",
                    "2 import com.google.mlkit.vision.label.ImageLabeling noCounterpart",
                    "3 DownloadType noCounterpart!", "3 FirebaseModelDownloader noCounterpart!",
                    "4 CustomImageLabelerOptions stays", "4 ImageLabeling stays", "4 LocalModel stays",
                ])
    }

    @Test(
        "Libraries in manifests",
        arguments: [
            (
                "Podfile", "# pod 'Firebase/Auth'\npod 'Firebase/MLModelDownloader', '~> 8'",
                ["2 Firebase/MLModelDownloader changes!"]
            ),
            ("Podfile", "pod 'GoogleMLKit/FaceDetection'", ["1 GoogleMLKit/FaceDetection noCounterpart"]),
            (
                "app/build.gradle", "implementation 'com.google.mlkit:linkfirebase:17.0.0' // hosted",
                ["1 com.google.mlkit:linkfirebase:17.0.0 noCounterpart!"]
            ),
            (
                "app/build.gradle.kts", "implementation(\"com.google.mlkit:image-labeling-custom:17.0.3\")",
                ["1 com.google.mlkit:image-labeling-custom:17.0.3 stays"]
            ),
            (
                "gradle/libs.versions.toml",
                "a = { module = \"com.google.firebase:firebase-ml-modeldownloader\", version = \"1\" } # x",
                ["1 com.google.firebase:firebase-ml-modeldownloader noCounterpart!"]
            ),
            (
                "Package.swift", ".product(name: \"FirebaseMLModelDownloader\", package: \"firebase-ios-sdk\")",
                ["1 FirebaseMLModelDownloader changes!"]
            ),
        ])
    func manifests(_ file: String, _ text: String, _ expected: [String]) throws {
        #expect(try check(text, file) == expected)
    }

    @Test("The app's own packages are not Google's, even if they begin in the same way")
    func ownPackages() throws {
        try write("package com.google.mlkit.demo.views;\nclass A {}\n", "b/A.java")
        #expect(try check("package com.google.mlkit.demo\nimport com.google.mlkit.demo.views.A\n", "a.kt") == [])
    }

    @Test("A class that downloads Firebase's models and Google's own counts for Firebase only beside Firebase's")
    func companions() throws {
        let text = "import com.google.mlkit.common.model.RemoteModelManager;\nRemoteModelManager.getInstance();\n"
        #expect(try check(text, "a.java").allSatisfy { !$0.hasSuffix("!") })
        #expect(
            try check(text + "new CustomRemoteModel();\n", "a.java").contains("2 RemoteModelManager noCounterpart!"))
    }

    @Test("Libraries, builds, links and hidden folders are not the app")
    func skipped() throws {
        let text = "import FirebaseMLModelDownloader\n"
        for path in ["Pods/a.swift", "app/build/a.swift", ".git/a.swift", "DerivedData/a.swift"] {
            try write(text, path)
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/loop", withDestinationPath: folder.path)
        #expect(try check(text, "App/a.swift").count == 1)
    }

    @Test(
        "Broken files end at their end",
        arguments: [
            "import Firebase\n/* never closed", "\"\"\"\nModelManager", "'", "\"\\", "#import \"a", "import", "@", "",
        ])
    func broken(_ text: String) throws {
        for name in ["a.swift", "a.m", "a.kt", "a.gradle", "Podfile"] { _ = try check(text, name) }
        #expect(try MigrationCheck(folder: folder.path).run().filesRead == 5)
    }

    @Test("A file of megabytes is not read, and the report says so; a folder that is not there is an error")
    func limits() throws {
        try write(String(repeating: "x", count: 5 << 20), "a.swift")
        #expect(try MigrationCheck(folder: folder.path).run().unread.keys.sorted() == ["a.swift"])
        #expect(throws: (any Error).self) { try MigrationCheck(folder: folder.path + "/nothing").run() }
    }
}
