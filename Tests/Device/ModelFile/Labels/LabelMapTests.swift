import HearthModelFile
import Testing

@Suite struct LabelMapTests {
    private func names(_ text: String) throws -> [String] {
        try LabelMap(file: Array(text.utf8)).classNames
    }

    @Test func oneLabelALine() throws {
        #expect(try names("daisy\nrose\n") == ["daisy", "rose"])
        #expect(try names("daisy\nrose") == ["daisy", "rose"])
        #expect(try names("daisy\r\nrose\r\n") == ["daisy", "rose"])
        #expect(try names("\u{FEFF}daisy\nrose\n") == ["daisy", "rose"])
        // Lines in the middle and spaces count; only one empty line at the end does not.
        #expect(try names(" daisy \n\n???\n\n") == [" daisy ", "", "???", ""])
        #expect(try names("vögel\nねこ\n") == ["vögel", "ねこ"])
    }

    @Test func numbersOfTheLinesAreNotInTheNames() throws {
        #expect(try names("0 cat\n1 dog\n") == ["cat", "dog"])
        #expect(try names("0 cat\n2 dog\n") == ["cat", "", "dog"])
        for text in ["1 euro\n2 euro\n", "0 - 2\n3 - 6\n", "0 cat\ndog\n"] {
            #expect(try names(text) == text.split(separator: "\n").map(String.init))
        }
    }

    @Test(arguments: [[], [10], [13, 10, 13, 10], [0xFF, 10], [65, 0, 10]] as [[UInt8]])
    func refusesWhatIsNoLabelFile(bytes: [UInt8]) {
        let error = #expect(throws: ModelFileError.self) { try LabelMap(file: bytes) }
        #expect(error?.code == .labelsMismatch)
    }

    @Test func displayNamesGoWithClassNames() throws {
        let labels = try LabelMap(file: Array("/m/1\n/m/2\n".utf8), displayFile: Array("Daisy\nRose\n".utf8))
        #expect(labels.className(1) == "/m/2")
        #expect(labels.displayName(1) == "Rose")
        #expect(labels.className(2) == nil)
        #expect(labels.displayName(-1) == nil)
        let error = #expect(throws: ModelFileError.self) {
            try LabelMap(file: Array("a\nb\n".utf8), displayFile: Array("A\n".utf8))
        }
        #expect(error?.code == .labelsMismatch)
        #expect(error?.message.contains("one has 2 labels, the other 1") == true)
    }

    @Test func sizeLimitIsInclusive() throws {
        #expect(try LabelMap(file: [UInt8](repeating: 65, count: LabelMap.maximumByteCount)).count == 1)
        let error = #expect(throws: ModelFileError.self) {
            try LabelMap(file: [UInt8](repeating: 65, count: LabelMap.maximumByteCount + 1))
        }
        #expect(error?.code == .tooLarge)
    }
}

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

/// What Ultralytics' exporter stores with a model.
@Suite struct ExporterDescriptionTests {
    private func names(_ text: String) throws -> [String] {
        try LabelMap(file: Array(text.utf8)).classNames
    }

    @Test(arguments: [
        "{'stride': 32, 'task': 'detect', 'imgsz': [640, 640], 'names': {0: 'cat', 1: \"dog's\"}, 'args': {'half': False}}",
        "{'names': ['cat', \"dog's\"], 'shape': (1, 2,), 'none': None}\n",
        #"{'names': {1: 'dog\'s', 0: 'cat'}}"#,
        #"{"stride": 32, "names": {"0": "cat", "1": "dog's"}, "args": {"half": false}}"#,
        "{\n  \"names\": [\"cat\", \"dog's\"]\n}\n",
    ])
    func namesAreInADictionaryOrInJSON(text: String) throws {
        #expect(try names(text) == ["cat", "dog's"])
    }

    @Test(arguments: [
        (#"caf\xe9\xa0au lait"#, "caf\u{E9}\u{A0}au lait"),
        (#"\U0001f469\u200d\U0001f52c"#, "\u{1F469}\u{200D}\u{1F52C}"),
        (#"a\tb\\c\'d\"e"#, "a\tb\\c'd\"e"), (#"a\nb\r"#, "a\nb\r"), (#"50\%"#, #"50\%"#),
    ])
    func namesMayHaveTheEscapesOfPython(written: String, name: String) throws {
        #expect(try names("{'names': {0: '\(written)', 1: 'dog'}}") == [name, "dog"])
    }

    @Test(arguments: [
        "{'task': 'classify'}", "{}", "{'names': {}}", "{'names': {0: 'a', 2: 'b'}}", "{'names': {0: 'a', 0: 'b'}}",
        "{'names': {0: 'a'}} {'x': 1}", "{'names': {0: 1}}", "{'names': 'a'}", "{'names': {0: 'a'}, 'x': '}",
        #"{"names": [1]}"#, #"{'names': {0: '\x4'}}"#, #"{'names': {0: '\x+1'}}"#, #"{'names': {0: '\ud800'}}"#,
        #"{'names': {0: '\U00110000'}}"#, #"{'names': {0: 'a\'}}"#, "{{{}}}",
        "{'names': \(String(repeating: "[", count: 100_000))}",
    ])
    func aDescriptionWithoutThemIsNoLabelFile(text: String) {
        let error = #expect(throws: ModelFileError.self) { try names(text) }
        #expect(error?.code == .labelsMismatch)
        #expect(error?.message.contains("one label per line") == true)
    }

    @Test func labelsThatContainBracesStayLabels() throws {
        #expect(try names("{'names'}\ncat\n") == ["{'names'}", "cat"])
        #expect(try names("cat\n{}\n") == ["cat", "{}"])
    }
}
