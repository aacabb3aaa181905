import Testing

@testable import HearthFirebaseImport

@Suite struct BulkDownloadCommandTests {
    private func items(_ command: String) throws -> [String] {
        try BulkDownloadCommand(command).items.map { "\($0.name) \($0.url)" }
    }

    @Test("One call of curl with several files, over several lines")
    func oneCall() throws {
        let command = #"""
            mkdir -p hosted_models && curl --create-dirs -L \
              -o 'hosted_models/flowers.tflite' 'https://s.example/a?X-Sig=1&X-Date=2' \
              --output "hosted_models/faces.tflite" "https://s.example/b?X-Sig=3"
            """#
        #expect(
            try items(command) == [
                "flowers https://s.example/a?X-Sig=1&X-Date=2", "faces https://s.example/b?X-Sig=3",
            ])
    }

    @Test(
        "The order of options does not matter, nor do options with values",
        arguments: [
            "curl 'https://s.example/a' -o hosted_models/flowers.tflite",
            "curl -o hosted_models/flowers.tflite --url https://s.example/a",
            "curl -H 'X: https://other.example' --retry 3 --output=hosted_models/flowers.tflite https://s.example/a",
            "cd x; curl --output flowers.tflite --url=https://s.example/a; echo done",
            "$ curl -sSLo hosted_models/flowers.tflite https://s.example/a 2>/dev/null",
            "# don't edit: https://other.example/b\ncurl -ohosted_models/flowers.tflite https://s.example/a # or https://x",
            "curl https://s.example/a > hosted_models/flowers.tflite",
            "curl https://s.example/a >> hosted_models/flowers.tflite",
            "curl https://s.example/a >hosted_models/flowers.tflite 2>&1",
            "curl https://s.example/a 1>hosted_models/flowers.tflite 2>>log",
            "> hosted_models/flowers.tflite curl https://s.example/a",
            "curl https://s.example/a 2>&1 -o flowers.tflite",
            "curl -o flowers.tflite 2> log https://s.example/a",
            "curl --cacert x.pem -o flowers.tflite https://s.example/a",
        ])
    func order(_ command: String) throws { #expect(try items(command) == ["flowers https://s.example/a"]) }

    @Test("Several calls keep their files apart, and a file without a name has that of its address")
    func severalCalls() throws {
        let command = """
            curl -o hosted_models/a.tflite https://s.example/1
            curl https://s.example/files/b.tflite?X-Sig=1#x && curl https://s.example/3 -o c.tflite
            """
        #expect(
            try items(command) == [
                "a https://s.example/1", "b https://s.example/files/b.tflite?X-Sig=1#x", "c https://s.example/3",
            ])
    }

    @Test("A name that no model can have is a problem of its own, and so is a name that comes twice")
    func problems() throws {
        let command = try BulkDownloadCommand(
            "curl -o 'hosted_models/../../etc/pass wd' https://s.example/1 -o a.tflite https://s.example/2 -o a.tflite https://s.example/3"
        )
        #expect(command.items.map(\.url) == ["https://s.example/2"])
        #expect(command.problems.count == 2)
        #expect(command.problems[0].hasPrefix("pass wd: "))
    }

    @Test("Each file keeps its own name, whatever stands between")
    func pairs() throws {
        let command = try BulkDownloadCommand(
            "curl -o a.tflite file:///etc/passwd -o b.tflite https://s.example/b -O https://s.example/o/models%2Fc.tflite?alt=media -o d.tflite https://s.example/d"
        )
        #expect(
            command.items.map { "\($0.name) \($0.url)" } == [
                "b https://s.example/b", "c https://s.example/o/models%2Fc.tflite?alt=media", "d https://s.example/d",
            ])
        #expect(command.problems.count == 1)
        #expect(try items("curl -o a.tflite https://s.example/1 --next -o b.tflite https://s.example/2").count == 2)
        #expect(try BulkDownloadCommand("curl --config x https://s.example/a").problems.count == 1)
    }

    @Test(
        "A text without an address is refused",
        arguments: ["", "curl -o a.tflite", "'", "\\", ">&", "\\>&", "curl 2>", ">>>&&"])
    func nothing(_ text: String) {
        #expect(throws: FirebaseError.self) { try BulkDownloadCommand(text) }
    }
}
