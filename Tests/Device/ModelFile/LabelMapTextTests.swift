import HearthModelFile
import Testing

/// Label maps as TensorFlow's detection tools write them.
@Suite struct LabelMapTextTests {
    private func map(_ text: String) throws -> LabelMap {
        try LabelMap(file: Array(text.utf8))
    }

    @Test func theClassIsTheIDLessOne() throws {
        let labels = try map("item {\n  name: \"sedan\"\n  id: 1\n}\nitem {\n  name: \"bus\"\n  id: 3\n}\n")
        #expect(labels.classNames == ["sedan", "", "bus"])
        #expect(labels.displayNames == nil)
    }

    @Test func displayNamesAreForPeople() throws {
        let labels = try map(
            """
            item { id: 2, name: '/m/1' display_name: "traffic \\"light\\"" } # two
            item{id:1;name:'/m/0'} item{id:0 name:'background'}
            """)
        #expect(labels.classNames == ["/m/0", "/m/1"])
        #expect(labels.displayName(1) == "traffic \"light\"")
        #expect(labels.displayName(0) == "/m/0")
    }

    @Test(
        "damaged maps are refused",
        arguments: [
            "item {", "item { id: 1", "item { name: \"x\" }", "item { id: -1 }", "item { id: 100001 }", "item { id }",
            "item { id: }", "item { id: 1 } x", "item { id: 1 } item { id: 1 }", "item { id: 0 }", "item { id: 1 } }",
            "item { id: 99999999999999999999 }", "item { id: 1 { } }",
        ])
    func damaged(text: String) {
        let error = #expect(throws: ModelFileError.self) { try map(text) }
        #expect(error?.code == .labelsMismatch)
    }

    @Test func aListOfLabelsMayBeginWithItem() throws {
        #expect(try map("item\nother\n").classNames == ["item", "other"])
    }
}
