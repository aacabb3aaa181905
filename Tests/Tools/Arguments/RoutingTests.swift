import HearthArguments
import Testing

@Suite struct RoutingTests {
    @Test func namesLeadToTheirCommand() throws {
        #expect(try Kiln.parseAsRoot(["label", "x"]) is Label)
        #expect(try Kiln.parseAsRoot(["models", "push", "--project=p", "m"]) is Models.Push)
        #expect(try Kiln.parseAsRoot(["secret"]) is Secret)
        #expect(try Kiln.parseAsRoot([]) is Kiln)
    }

    @Test func theDefaultSubcommandTakesWhatNamesNone() throws {
        let list = try #require(try Kiln.parseAsRoot(["models", "--project=p", "--json"]) as? Models.List)
        #expect(list.json)
        #expect(list.connection.project == "p")
    }

    @Test func aValueThatIsASubcommandsNameStaysAValue() throws {
        let label = try #require(try Kiln.parseAsRoot(["label", "label", "help"]) as? Label)
        #expect(label.image == "label")
        #expect(label.others == ["help"])
    }

    @Test func parseReturnsTheCommandItself() {
        #expect(throws: ValidationError.self) { try Kiln.parse(["secret"]) }
    }
}
