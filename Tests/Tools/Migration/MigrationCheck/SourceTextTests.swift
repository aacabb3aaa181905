import Foundation
import Testing

@testable import HearthMigrationCheck

/// What is code in a file.
@Suite struct SourceTextTests {
    private let app: AppFolder

    init() throws { app = try AppFolder() }

    private let found = ["1 import TensorFlowLite stays", "2 Interpreter stays"]

    @Test("Comments and texts are no calls")
    func comments() throws {
        let text = """
            import TensorFlowLite
            // Interpreter /* and */ Interpreter
            /* Interpreter /* nested */ Interpreter */
            let a = "Interpreter \\" Interpreter"
            let b = #"a"Interpreter"#
            let c = ##"x"# Interpreter"##
            let d = \"""
                " Interpreter
                \"""
            let e = Tensor()
            """
        #expect(try app.check(text, "a.swift") == ["1 import TensorFlowLite stays", "10 Tensor stays"])
    }

    @Test("Code in a text is code")
    func insertions() throws {
        let swift = """
            import TensorFlowLite
            print("a \\(f(Interpreter(), "b \\(Tensor.Shape()) Interpreter")) SignatureRunner")
            print(#"a \\(Interpreter()) \\#(Tensor())"#)
            """
        #expect(
            try app.check(swift, "a.swift") == [
                "1 import TensorFlowLite stays", "2 Interpreter stays", "2 Tensor stays", "3 Tensor stays",
            ])
        let kotlin =
            "import org.tensorflow.lite.Interpreter\nval a = \"${Interpreter(b)} Interpreter\"\nval c = \"Interpreter\"\n"
        #expect(
            try app.check(kotlin, "b.kt").suffix(2) == [
                "1 import org.tensorflow.lite.Interpreter stays", "2 Interpreter stays",
            ])
    }

    @Test("A quote as a character begins no text", arguments: ["java", "kt", "m"])
    func characters(_ ending: String) throws {
        let text =
            "char a = '\"'; /* no */ char b = '\\''; String c = \"/*\";\nFirebaseAutoMLRemoteModel m;\nMLKAutoMLRemoteModel n;\n"
        #expect(try app.check(text, "a.\(ending)").map { $0.prefix(1) } == ["2", "3"])
    }

    @Test(
        "Line ends and encodings",
        arguments: [
            Data("import TensorFlowLite\r\nlet a = Interpreter()\r\n".utf8),
            Data("import TensorFlowLite\rlet a = Interpreter()\r".utf8),
            Data([0xEF, 0xBB, 0xBF]) + Data("import TensorFlowLite\nlet a = Interpreter()".utf8),
            "import TensorFlowLite\nlet a = Interpreter()\n".data(using: .utf16) ?? Data(),
            Data([0xFE, 0xFF])
                + ("import TensorFlowLite\nlet a = Interpreter()\n".data(using: .utf16BigEndian) ?? Data()),
            Data("import TensorFlowLite\nlet a = Interpreter() // caf".utf8) + Data([0xE9, 0x0A]),
        ])
    func encodings(_ data: Data) throws {
        try app.write(data, "a.swift")
        #expect(try app.findings() == found)
    }

    @Test(
        "Forms of an import",
        arguments: [
            "import TensorFlowLite", "@testable import TensorFlowLite", "private import TensorFlowLite",
            "package import TensorFlowLite", "@preconcurrency import class TensorFlowLite.Interpreter",
            "import Foundation; import TensorFlowLite", "\timport TensorFlowLite // why",
        ])
    func imports(_ line: String) throws {
        #expect(try app.check(line + "\nInterpreter()", "a.swift").last == "2 Interpreter stays")
    }

    @Test("A member has something in front of its dot, in the same line or the one before")
    func members() throws {
        let text = """
            import Firebase
            let config: RemoteConfig
            config
                .fetch()
            call().fetch()
            return .fetch
            choose(.fetch, fetch)
            """
        #expect(
            try app.check(text, "a.swift").suffix(2) == ["4 .fetch stays", "5 .fetch stays"])
    }

    @Test(
        "Broken files end at their end",
        arguments: [
            "import Firebase\n/* never closed", "\"\"\"\nModelManager", "'", "\"\\", "#import \"a", "import", "@", "",
            "#",
            "\"\\(", "\"${", "##\"", "<!--", "package", "libs.", "a = {", "productName", "}}}}", "import a as",
        ])
    func broken(_ text: String) throws {
        let names = [
            "a.swift", "a.m", "a.kt", "a.java", "a.gradle", "a.versions.toml", "Podfile", "AndroidManifest.xml",
        ]
        for name in names { try app.write(text, name) }
        try app.write(text, "a.xcodeproj/project.pbxproj")
        #expect(try app.report().filesRead == 9)
    }
}
