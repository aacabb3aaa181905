import HearthCatalog
import HearthTestSupport
import Testing

@Suite("List filter") struct ListFilterTests {
    private static let invalid = CatalogError(.invalidArgument, "Request contains an invalid argument.")

    /// name, tags, published; in the order of the letters that `matches` answers with.
    private static let models: [(letter: Character, model: Model)] = [
        ("a", model("experimental_cat", ["t1", "face_detector"], isPublished: true)),
        ("b", model("experimental_dog", ["t1"], isPublished: false)),
        ("c", model("my_model", ["tag_1"], isPublished: true)),
        ("d", model("Plain", [], isPublished: false)),
    ]

    private static func model(_ name: String, _ tags: [String], isPublished: Bool) -> Model {
        Model(
            id: 1, projectID: "p", displayName: name, tags: tags, newestVersion: 1, isPublished: isPublished,
            revision: 1, createdMicroseconds: 0, updatedMicroseconds: 0)
    }

    private func matches(_ text: String) throws -> String {
        let filter = try ListFilter(text)
        return String(Self.models.filter { filter.matches($0.model) }.map(\.letter))
    }

    @Test(
        "What each filter finds",
        arguments: [
            ("displayName = my_model", "c"), ("displayName=my_model", "c"), ("display_name = my_model", "c"),
            ("displayName = 'my_model'", "c"), ("displayName=\"my_model\"", "c"), ("displayName = MY_MODEL", ""),
            ("displayName : experimental_*", "ab"), ("displayName:experimental_*", "ab"), ("display_name:ex*", "ab"),
            ("displayName:my_model", "c"), ("displayName:my", ""), ("displayName:*", "abcd"),
            ("displayName = experimental_*", ""), ("displayName:'experimental_*'", "ab"),
            ("tags: face_detector", "a"), ("tags:t1", "ab"), ("tags:'tag_1'", "c"), ("tags:\"tag_1\"", "c"),
            ("tags : none", ""), ("tags:t", ""), ("tags:''", ""),
            ("state.published = true", "ac"), ("state.published=false", "bd"),
            ("displayName = my_model OR displayName = Plain", "cd"), ("tags:t1 AND state.published=true", "a"),
            ("tags:t1 state.published=true", "a"), ("(tags:t1)", "ab"), ("((tags:t1))", "ab"),
            ("  tags:t1\t", "ab"), ("displayName = AND", ""), ("tags:OR", ""),
        ])
    func finds(filter: String, letters: String) throws {
        #expect(try matches(filter) == letters)
    }

    @Test(
        "OR binds tighter than AND, parentheses tighter than both",
        arguments: [
            // c is found by the first term; were AND tighter, b would drop out or c come in differently.
            ("displayName=my_model OR tags:t1 AND state.published=true", "ac"),
            ("displayName=Plain OR tags:t1 AND state.published=false", "bd"),
            ("state.published=true AND displayName=my_model OR tags:t1", "ac"),
            ("displayName=Plain OR (tags:t1 AND state.published=true)", "ad"),
            ("(displayName=my_model OR displayName=Plain) state.published=false", "d"),
            ("tags:t1 OR displayName=Plain state.published=false", "bd"),
        ])
    func precedence(filter: String, letters: String) throws {
        #expect(try matches(filter) == letters)
    }

    @Test(
        "Everything else is refused with the text that tools compare",
        arguments: [
            "InvalidFilterParam=123", "", " ", "displayName", "displayName=", "=x", "displayName==x", "tags=t1",
            "state.published:true", "state.published=True", "state.published=1", "state.published='yes'",
            "displayname=x", "state=true", "published=true", "createTime>1", "displayName>x", "createTime!=1",
            "tags!=t1", "tags!:t1", "NOT", "NOT NOT tags:t1", "NOT -tags:t1", "--tags:t1", "- tags:t1", "-",
            "tags:t1 NOT",
            "-(tags:t1", "not tags:t1", "!tags:t1", "displayName! = x", "displayName!=", "state.published!=1",
            "tags:t1 AND", "AND tags:t1", "tags:t1 OR", "OR tags:t1",
            "tags:t1 AND AND tags:t1",
            "tags:t1 or tags:t2", "(tags:t1", "tags:t1)", "()", ")(", "tags:(t1)", "tags:'t1", "tags:t1\"", "'tags':t1",
            "displayName = a b", "tags:=t1", "\0", "(((", "tags", ":", "'", "\"",
        ])
    func refuses(filter: String) {
        #expect(throws: Self.invalid) { try ListFilter(filter) }
    }

    @Test(
        "NOT, a hyphen and != turn one term round",
        arguments: [
            ("NOT tags:t1", "cd"), ("-tags:t1", "cd"), ("displayName != my_model", "abd"),
            ("displayName!=my_model", "abd"),
            ("display_name!='my_model'", "abd"), ("state.published != true", "bd"), ("state.published!=false", "ac"),
            ("NOT (tags:t1 OR displayName=Plain)", "c"), ("-(tags:t1 OR displayName=Plain)", "c"),
            ("NOT tags:t1 OR state.published=true", "acd"), ("NOT tags:t1 AND state.published=true", "c"),
            ("tags:t1 -displayName:experimental_c*", "b"), ("NOT displayName != Plain", "d"),
            ("displayName=-my_model", ""), ("displayName=NOT", ""), ("tags:a!b", ""), ("NOT (NOT tags:t1)", "ab"),
            ("-state.published=true", "bd"), ("displayName:-*", ""),
        ])
    func negation(filter: String, letters: String) throws {
        #expect(try matches(filter) == letters)
    }

    @Test("Parentheses nest 15 deep, not 16")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "tags:t1" + String(repeating: ")", count: depth)
        }
        #expect(try matches(nested(15)) == "ab")
        #expect(throws: Self.invalid) { try ListFilter(nested(16)) }
        #expect(throws: Self.invalid) { try ListFilter(String(repeating: "(", count: 2048)) }
    }

    @Test("A filter has at most 2048 bytes")
    func length() throws {
        let filter = "tags:t1"
        let padded = filter + String(repeating: " ", count: 2048 - filter.utf8.count)
        #expect(try matches(padded) == "ab")
        #expect(throws: Self.invalid) { try ListFilter(padded + " ") }
    }

    @Test("Random text gives a filter or the one refusal", arguments: 0..<4 as Range<UInt64>)
    func randomText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            do throws(CatalogError) {
                _ = try ListFilter(text).matches(Self.models[0].model)
            } catch {
                #expect(error == Self.invalid, "\(text)")
            }
        }
    }

    @Test("Random tokens give a filter or the one refusal", arguments: 0..<8 as Range<UInt64>)
    func randomTokens(seed: UInt64) {
        let tokens = [
            "displayName", "display_name", "tags", "state.published", "=", ":", "(", ")", "AND", "OR", "NOT", "true",
            "false", "t1", "ex*", "*", "'", "\"", "'q'", " ", "\t", "-", "!=", "🔥", "\u{301}", "\0", "\r\n", ",", "9",
        ]
        var random = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            let count = Int.random(in: 0...24, using: &random)
            let text = (0..<count).map { _ in tokens.randomElement(using: &random) ?? "" }
                .joined(separator: Bool.random(using: &random) ? " " : "")
            do throws(CatalogError) {
                _ = try ListFilter(text).matches(Self.models[0].model)
            } catch {
                #expect(error == Self.invalid, "\(text)")
            }
        }
    }
}
