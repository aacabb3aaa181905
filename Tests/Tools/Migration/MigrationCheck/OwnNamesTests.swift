import Testing

@testable import HearthMigrationCheck

/// Names that the app gave itself.
@Suite struct OwnNamesTests {
    private let app: AppFolder

    init() throws { app = try AppFolder() }

    @Test("A type of the app hides Google's in its project, and in no other one")
    func types() throws {
        let use = "import Firebase\nlet a = ModelDownloader()\n"
        try app.write(use, "One/Screens/a.swift")
        try app.write(use, "Two/a.swift")
        try app.write("", "One/Podfile")
        try app.write("", "Two/Podfile")
        func files() throws -> [String] { try app.report().findings.filter { $0.line == 2 }.map(\.file) }
        #expect(try files() == ["One/Screens/a.swift", "Two/a.swift"])
        try app.write("public final class ModelDownloader: NSObject {\n}\n", "One/Models/b.swift")
        #expect(try files() == ["Two/a.swift"])
    }

    @Test("A type in a type hides Google's in its file only")
    func innerTypes() throws {
        let use = "import FirebaseMLModelDownloader\nlet a: DownloadError\n"
        try app.write(use, "b.swift")
        try app.write(use + "extension Loader { enum DownloadError { case late } }\n", "a.swift")
        #expect(try app.report().findings.filter { $0.call == "DownloadError" }.map(\.file) == ["b.swift"])
    }

    @Test("An extension or an Objective-C category declares nothing new")
    func extensions() throws {
        #expect(
            try app.check("import MLKit\nextension LocalModel { }\n", "a.swift").contains("2 LocalModel stays"))
        #expect(
            try app.check("@interface FIRVisionText (Size)\n@end\n", "b.m").contains("1 FIRVisionText noCounterpart"))
    }

    @Test("Constants and classes of the app with a prefix of Google's")
    func prefixes() throws {
        let text = "static CGFloat const MLKFaceRadius = 4;\nuse(MLKFaceRadius, MLKFaceContour, MLKPoseList);\n"
        try app.write("@interface MLKPoseList : NSObject\n@end\n", "b.h")
        #expect(try app.check(text, "a.m") == ["2 MLKFaceContour noCounterpart"])
    }

    @Test("The app's own packages are not Google's, even if they begin in the same way")
    func packages() throws {
        try app.write("package com.google.mlkit.demo.views;\nclass A {}\n", "b/A.java")
        let text = """
            package com.google.mlkit.demo
            import com.google.mlkit.demo.views.A
            import com.google.mlkit.demo.views.A.Inner
            import com.google.mlkit.other.databinding.ScreenBinding
            import com.google.mlkit.other.R
            A(Inner(), R.id)
            """
        #expect(try app.check(text, "a.kt") == [])
    }
}
