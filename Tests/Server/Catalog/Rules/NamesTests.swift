import HearthCatalog
import HearthWire
import Testing

@Suite("Names") struct NamesTests {
    private static func text(_ count: Int, _ character: Character = "a") -> String {
        String(repeating: character, count: count)
    }

    @Test(
        "Display names and tags",
        arguments: [
            ("a", true), (text(32), true), (text(33), false), ("", false), ("my_model-2", true), ("A-Z_0", true),
            ("-", true), ("my model", false), ("modell\u{E9}", false), ("e\u{301}", false), ("a,b", false),
            ("a/b", false), ("a:b", false), ("a\0", false), ("a\n", false), ("🔥", false), ("a.b", false),
        ])
    func displayNames(name: String, isValid: Bool) {
        #expect(WireNames.isDisplayName(name) == isValid)
    }

    @Test(
        "Project ids",
        arguments: [
            (text(5), false), (text(6), true), (text(30), true), (text(31), false), ("demo-project-1", true),
            ("Demo-project", false), ("demo_project", false), ("demo.project", false), ("", false),
        ])
    func projectIDs(id: String, isValid: Bool) {
        #expect(Names.isProjectID(id) == isValid)
    }

    @Test(
        "Model ids are 1 to 18 digits",
        arguments: [
            ("1000001", 1_000_001), ("0", 0), ("00000000", 0), (text(18, "9"), 999_999_999_999_999_999),
            (text(19, "1"), nil), ("", nil), ("-1", nil), ("+1", nil), ("1a", nil), ("1 ", nil), ("\u{661}", nil),
            (text(400, "9"), nil),
        ] as [(String, Int64?)])
    func modelIDs(text: String, id: Int64?) {
        #expect(Names.modelID(text) == id)
    }

    @Test(
        "Addresses of stored files",
        arguments: [
            ("gs://bucket/Firebase/ML/Models/a.tflite", "bucket", "Firebase/ML/Models/a.tflite"),
            ("gs://a_b.c-1/x", "a_b.c-1", "x"), ("gs://abc/modell \u{E9}?x=1", "abc", "modell \u{E9}?x=1"),
            ("gs://\(text(63))/x", text(63), "x"), ("gs://abc/\(text(1024))", "abc", text(1024)),
            ("gs://abc//", "abc", "/"),
        ])
    func objects(uri: String, bucket: String, name: String) throws {
        let object = try #require(Names.gcsObject(uri))
        #expect(object.bucket == bucket && object.name == name)
    }

    @Test(
        "What is no address of a stored file",
        arguments: [
            "", "gs://", "gs:///x", "gs://bucket", "gs://bucket/", "gs://ab/x", "gs://\(text(64))/x", "GS://bucket/x",
            "gs://Bucket/x", "gs://buck et/x", "https://bucket/x", "gs:/bucket/x", "gs://abc/\(text(1025))",
            "gs://abc/a\nb", "gs://abc/a\0", "gs://abc/\u{7F}", "gs://b\u{FC}cket/x",
        ])
    func notObjects(uri: String) {
        #expect(Names.gcsObject(uri) == nil)
    }

    @Test("An object's name and address go together")
    func uri() throws {
        #expect(try Sample.upload("dir/a.tflite").object.uri == "gs://bucket/dir/a.tflite")
    }
}
