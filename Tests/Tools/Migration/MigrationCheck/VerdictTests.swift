import Testing

@testable import HearthMigrationCheck

/// Which day, and which advice.
@Suite struct VerdictTests {
    private let app: AppFolder

    init() throws { app = try AppFolder() }

    @Test(
        "Only what Firebase hosts has a last day: a model in the app goes on", arguments: ["swift", "m", "kt", "java"])
    func lastDay(_ ending: String) throws {
        let names = [
            "swift": ("import Firebase\n", "CustomRemoteModel", "CustomLocalModel", "ModelInterpreter"),
            "m": ("@import Firebase;\n", "FIRCustomRemoteModel", "FIRCustomLocalModel", "FIRModelInterpreter"),
            "kt": (
                "import com.google.firebase.ml.custom.*\n", "FirebaseCustomRemoteModel", "FirebaseCustomLocalModel",
                "FirebaseModelInterpreter"
            ),
            "java": ("", "AutoMLImageLabelerRemoteModel", "AutoMLImageLabelerLocalModel", "AutoMLImageLabelerOptions"),
        ]
        let (head, remote, local, third) = try #require(names[ending])
        try app.write(head + "x(\(remote)(), \(local)(), \(third)())\n", "a.\(ending)")
        let ends = try app.report().findings.filter { !$0.call.hasPrefix("import") }
            .map { "\($0.call) \($0.ends ?? "")" }
        #expect(ends.sorted() == ["\(local) ", "\(third) ", "\(remote) 2027-06-15"].sorted())
    }

    @Test("A class that downloads hosted models and Google's own: the file's other words decide")
    func companions() throws {
        let text = "import com.google.mlkit.common.model.RemoteModelManager;\nRemoteModelManager.getInstance();\n"
        func advice(_ more: String) throws -> String {
            try app.write(text + more, "a.java")
            let finding = try app.report().findings.first { $0.line == 2 }
            return "\(finding?.ends ?? "none"): \(finding?.advice ?? "")"
        }
        #expect(try advice("").hasPrefix("none: Look which model"))
        #expect(try advice("new TranslateRemoteModel();\n").hasPrefix("none: It downloads Google's own"))
        #expect(try advice("new CustomRemoteModel();\n").hasPrefix("2027-06-15"))
    }

    @Test("Firebase's own manager too serves Google's translations")
    func translations() throws {
        let text = """
            import com.google.firebase.ml.common.modeldownload.FirebaseModelManager
            val manager = FirebaseModelManager.getInstance()

            """
        #expect(try app.check(text, "a.kt").contains("2 FirebaseModelManager noCounterpart!"))
        #expect(
            try app.check(text + "FirebaseTranslateRemoteModel.Builder(1)", "a.kt")
                .contains("2 FirebaseModelManager noCounterpart"))
    }

    @Test("ML Kit and Firebase ML have types of the same names")
    func twoLibraries() throws {
        let text = "import Firebase\nlet image = VisionImage(image: photo)\nlet manager = ModelManager.modelManager()\n"
        try app.write(text, "a.swift")
        #expect(try app.report().findings.map(\.api).suffix(2) == ["Firebase ML Vision", "Firebase ML, hosted models"])
        try app.write("import MLKit\n" + text, "a.swift")
        #expect(
            try app.report().findings.map(\.api).suffix(2) == ["ML Kit, own models", "ML Kit, downloads of models"])
    }

    @Test("Hearth has no delegates, screens and other libraries of TensorFlow Lite, and does not promise them")
    func noPromises() throws {
        let text = """
            import TensorFlowLite
            import TensorFlowLiteTaskVision
            import FirebaseAnalytics
            let delegate = MetalDelegate()
            view.analyticsScreen(name: "a")
            """
        #expect(
            try app.check(text, "a.swift") == [
                "1 import TensorFlowLite stays", "2 import TensorFlowLiteTaskVision noCounterpart",
                "3 import FirebaseAnalytics stays", "4 MetalDelegate noCounterpart", "5 .analyticsScreen noCounterpart",
            ])
    }

    @Test("Classes of 2018 change, by their old arguments")
    func models2018() throws {
        let new = "import FirebaseMLCommon\nlet a = RemoteModel()\n"
        #expect(try app.check(new, "a.swift").contains("2 RemoteModel stays!"))
        #expect(try app.check(new + "f(allowsModelUpdates: true)\n", "a.swift").contains("2 RemoteModel changes!"))
    }

    @Test("Every rule has advice, and no two rules contradict each other about a day")
    func rules() {
        for rule in APIRule.all {
            #expect(rule.advice.hasSuffix("."))
            #expect(rule.ends == nil || rule.ends == APIRule.hostingEnds)
            #expect(!rule.languages.isEmpty)
        }
    }
}
