import Testing

@testable import HearthMigrationCheck

/// The same services in four languages.
@Suite struct LanguageTests {
    private let app: AppFolder

    init() throws { app = try AppFolder() }

    @Test("Swift: the downloader's calls stay on Linux and end at Google")
    func swift() throws {
        let text = """
            import FirebaseMLModelDownloader
            let model = try await ModelDownloader.modelDownloader()
                .getModel(name: "flowers", downloadType: .latestModel)
            """
        #expect(
            try app.check(text, "App/a.swift") == [
                "1 import FirebaseMLModelDownloader stays!", "2 ModelDownloader stays!", "3 .getModel stays!",
            ])
    }

    @Test("A name counts only where the right library is imported")
    func imports() throws {
        let own = "let manager: ModelManager\nlet interpreter = Interpreter()\n"
        #expect(try app.check(own, "a.swift") == [])
        #expect(try app.check("import FirebaseAuth\n" + own, "a.swift") == [])
        #expect(
            try app.check("import TensorFlowLite\n" + own, "a.swift") == [
                "1 import TensorFlowLite stays", "3 Interpreter stays",
            ])
        #expect(
            try app.check("import Firebase\n" + own, "a.swift") == ["1 import Firebase stays", "2 ModelManager stays!"])
    }

    @Test("A bridging header imports for all Swift files of its project, and @_exported for all files of its module")
    func sharedImports() throws {
        try app.write("", "One/Podfile")
        try app.write("", "Two/Podfile")
        try app.write("let a: ModelInterpreter\n", "One/Screens/a.swift")
        try app.write("let a: ModelInterpreter\n", "Two/a.swift")
        #expect(try app.findings() == [])
        try app.write("#import <Firebase/Firebase.h>\n", "One/App-Bridging-Header.h")
        try app.write("@_exported import TensorFlowLite\n", "One/Exports.swift")
        try app.write("let b: Tensor\n", "One/b.swift")
        let files = try app.report().findings.map { "\($0.file) \($0.call)" }
        #expect(files.contains("One/Screens/a.swift ModelInterpreter"))
        #expect(files.contains("One/b.swift Tensor"))
        #expect(!files.contains { $0.hasPrefix("Two") })
    }

    @Test("Objective-C has no client of Hearth: types, constants, messages and properties")
    func objectiveC() throws {
        let text = """
            @import FirebaseMLModelDownloader;
            #  import <TensorFlowLiteC/c_api.h>
            \t#import "FirebaseRemoteConfig.h"
            [FIRModelDownloader modelDownloader];
            FIRModelManager *manager = [FIRModelManager modelManager];
            [manager downloadModel:model conditions:conditions];
            if ([manager isModelDownloaded:model]) { use(FIRModelDownloadDidFailNotification); }
            FIRVisionTextElement *word = FIRVisionCloudModelTypeLatest;
            """
        #expect(
            try app.check(text, "a.m") == [
                "1 import FirebaseMLModelDownloader noCounterpart!", "2 import TensorFlowLiteC/c_api.h stays",
                "3 import FirebaseRemoteConfig.h noCounterpart", "4 FIRModelDownloader noCounterpart!",
                "5 FIRModelManager noCounterpart!", "6 .downloadModel noCounterpart!",
                "7 .isModelDownloaded noCounterpart!", "7 FIRModelDownloadDidFailNotification noCounterpart!",
                "8 FIRVisionCloudModelTypeLatest noCounterpart", "8 FIRVisionTextElement noCounterpart",
            ])
    }

    @Test("Kotlin: what an import names counts in the file, under its alias too; names of other libraries do not")
    func kotlin() throws {
        let text = """
            import com.google.firebase.ml.modeldownloader.FirebaseModelDownloader as Downloads
            import com.google.mlkit.vision.label.ImageLabeling
            import com.google.mlkit.vision.pose.PoseLandmark
            import org.other.LocalModel
            Downloads.getInstance().getModel("a", type, conditions)
            ImageLabeling.getClient(LocalModel())
            show(PoseLandmark.NOSE)
            Segmenter()
            """
        #expect(
            try app.check(text, "a.kt") == [
                "1 import com.google.firebase.ml.modeldownloader.FirebaseModelDownloader noCounterpart!",
                "2 import com.google.mlkit.vision.label.ImageLabeling stays",
                "3 import com.google.mlkit.vision.pose.PoseLandmark noCounterpart",
                "5 .getModel noCounterpart!", "5 Downloads noCounterpart!", "6 ImageLabeling stays",
                "7 PoseLandmark noCounterpart",
            ])
    }

    @Test("Java: an import of all classes of a package; Kotlin's extensions count only as members")
    func java() throws {
        let text = "import com.google.mlkit.common.model.*;\nLocalModel m = b.build();\nInterpreter i;\n"
        #expect(
            try app.check(text, "a.java") == ["1 import com.google.mlkit.common.model.* stays", "2 LocalModel stays"])
        let kotlin = """
            import com.google.firebase.remoteconfig.get
            import com.google.firebase.analytics.logEvent
            val logEvent = map.get(1)
            tracker.logEvent("a") { }
            """
        #expect(
            try app.check(kotlin, "b.kt").suffix(3) == [
                "1 import com.google.firebase.remoteconfig.get noCounterpart",
                "2 import com.google.firebase.analytics.logEvent noCounterpart", "4 .logEvent noCounterpart",
            ])
    }

    @Test("Remote Config, Analytics and Installations have a verdict in each language")
    func services() throws {
        let apps = [
            ("a.swift", "import FirebaseAnalytics\nimport FirebaseInstallations\n"),
            ("a.m", "#import <FirebaseAnalytics/FIRAnalytics.h>\n@import FirebaseInstallations;\n"),
            ("a.kt", "import com.google.firebase.analytics.A\nimport com.google.firebase.installations.B\n"),
        ]
        for (name, text) in apps {
            let app = try AppFolder()
            #expect(try app.check(text, name).count == 2, "\(name)")
        }
        let calls = "import Firebase\nlet a: RemoteConfig\na.fetch { }\nb.activate()\nc.lastFetchStatus\n"
        #expect(
            try app.check(calls, "a.swift") == [
                "1 import Firebase stays", "2 RemoteConfig stays", "3 .fetch stays", "4 .activate stays",
                "5 .lastFetchStatus stays",
            ])
        // Other classes have such methods too.
        #expect(try app.check("import Firebase\nrequest.fetch()\n", "a.swift") == ["1 import Firebase stays"])
    }
}
