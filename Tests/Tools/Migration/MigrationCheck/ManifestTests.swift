import Testing

@testable import HearthMigrationCheck

/// Libraries in the files that name them.
@Suite struct ManifestTests {
    private let app: AppFolder

    init() throws { app = try AppFolder() }

    @Test(
        "Libraries",
        arguments: [
            (
                "Podfile", "# pod 'Firebase/Auth'\npod 'Firebase/MLModelDownloader', '~> 8'",
                ["2 Firebase/MLModelDownloader changes!"]
            ),
            ("Podfile", "pod 'GoogleMLKit/FaceDetection'", ["1 GoogleMLKit/FaceDetection noCounterpart"]),
            ("Podfile", "pod 'Firebase/MLVisionAutoML'", ["1 Firebase/MLVisionAutoML changes!"]),
            ("Podfile", "pod 'Firebase/MLVisionTextModel'", ["1 Firebase/MLVisionTextModel changes"]),
            ("Podfile", "pod 'Firebase/Auth'\npod 'FirebaseAuth'", []),
            (
                "app/build.gradle", "implementation 'com.google.mlkit:linkfirebase:17.0.0' // hosted",
                ["1 com.google.mlkit:linkfirebase:17.0.0 noCounterpart!"]
            ),
            (
                "app/build.gradle",
                "implementation group: 'com.google.firebase', name: 'firebase-ml-vision', version: '24'",
                ["1 com.google.firebase:firebase-ml-vision changes"]
            ),
            (
                "app/build.gradle", "compile 'com.google.firebase:firebase-ml-natural-language-translate-model:20'",
                ["1 com.google.firebase:firebase-ml-natural-language-translate-model:20 changes"]
            ),
            ("app/build.gradle", "applicationId 'com.google.mlkit.shop'\nnamespace \"org.tensorflow.lite.shop\"", []),
            (
                "app/build.gradle.kts", "implementation(\"com.google.mlkit:image-labeling-custom:17.0.3\")",
                ["1 com.google.mlkit:image-labeling-custom:17.0.3 stays"]
            ),
            (
                "Package.swift", ".product(name: \"FirebaseMLModelDownloader\", package: \"firebase-ios-sdk\")",
                ["1 FirebaseMLModelDownloader changes!"]
            ),
            (
                "App.xcodeproj/project.pbxproj",
                "/* FirebaseRemoteConfig */\nname = FirebaseRemoteConfig;\n\tproductName = FirebaseRemoteConfig;\nproductName = \"FirebaseMLModelDownloader\";",
                ["3 FirebaseRemoteConfig stays", "4 FirebaseMLModelDownloader changes!"]
            ),
            (
                "app/AndroidManifest.xml",
                "<!-- \"com.google.mlkit.vision.DEPENDENCIES\" don't -->\n<a b=\"com.google.firebase.ml.vision.DEPENDENCIES\" c=\"ocr\"/>",
                ["2 com.google.firebase.ml.vision.DEPENDENCIES:ocr changes"]
            ),
        ])
    func manifests(_ file: String, _ text: String, _ expected: [String]) throws {
        #expect(try app.check(text, file) == expected)
    }

    @Test("A version catalog, and the build files that take a library from it")
    func catalog() throws {
        try app.write(
            """
            [libraries]
            firebase-ml_models = { module = "com.google.firebase:firebase-ml-modeldownloader", version = "1" } # hosted
            labels = { group = "com.google.mlkit", name = "image-labeling-custom", version.ref = "x" }
            #old = { module = "com.google.mlkit:linkfirebase" }
            """, "gradle/libs.versions.toml")
        #expect(
            try app.check(
                "dependencies {\n implementation(libs.firebase.ml.models)\n api libs.labels // libs.old\n api(libs.other)\n}\n",
                "app/build.gradle.kts") == [
                    "2 libs.firebase.ml.models noCounterpart!", "3 libs.labels stays",
                    "2 com.google.firebase:firebase-ml-modeldownloader noCounterpart!",
                    "3 com.google.mlkit:image-labeling-custom stays",
                ])
    }
}
