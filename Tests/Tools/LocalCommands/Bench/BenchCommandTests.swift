import Testing

@testable import HearthLocalCommands

@Suite struct InputShapeTests {
    @Test func aNameOrAPlaceAndSizes() throws {
        let shape = try #require(InputShape("serving_default_x:0=1x224x224x3"))
        #expect(shape.input == "serving_default_x:0")
        #expect(shape.dimensions == [1, 224, 224, 3])
        #expect(InputShape("0=7")?.dimensions == [7])
        #expect(InputShape("a=b=2x3")?.input == "a=b")
    }

    @Test(arguments: [
        "", "x", "x=", "=1", "x=0", "x=1x", "x=x1", "x=1xx2", "x=-1x2", "x=1,2", "x=2147483648", "x=1 x2", "x=1X2",
        "x=99999999999999999999",
    ])
    func anythingElseIsNone(text: String) {
        #expect(InputShape(text) == nil)
    }

    @Test func aNameGoesBeforeAPlace() throws {
        let names = ["1", "b", ""]
        #expect(try InputShape("1=2")?.place(among: names) == 0)
        #expect(try InputShape("2=2")?.place(among: names) == 2)
        #expect(try InputShape("b=2")?.place(among: names) == 1)
    }

    @Test(arguments: ["c", "3", "-1", "99999999999999999999"])
    func anUnknownInputIsToldWithThoseThereAre(input: String) throws {
        let shape = try #require(InputShape(input + "=2"))
        let failure = #expect(throws: CommandFailure.self) { try shape.place(among: ["a", "b"]) }
        #expect(failure?.description == "The model has no input '\(input)'. Its inputs are: 0 'a', 1 'b'.")
    }
}
