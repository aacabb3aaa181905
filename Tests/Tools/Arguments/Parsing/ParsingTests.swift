import HearthArguments
import Testing

@Suite struct ParsingTests {
    @Test func defaultsFillWhatIsNotGiven() throws {
        let label = try Label.parse(["cat.jpg"])
        #expect(label.image == "cat.jpg")
        #expect(label.others.isEmpty)
        #expect(label.model == nil)
        #expect(label.threads == 2)
        #expect(label.top == 5)
        #expect(label.backend == .xnnpack)
        #expect(label.internalSeed == nil)
        #expect(!label.verbose)
        #expect(label.color)
    }

    @Test(arguments: [
        ["a.jpg", "--model", "m.tflite"], ["a.jpg", "--model=m.tflite"], ["a.jpg", "-m", "m.tflite"],
        ["a.jpg", "-m=m.tflite"], ["--model", "m.tflite", "a.jpg"], ["a.jpg", "-vm", "m.tflite"],
        ["--model", "first", "a.jpg", "--model", "m.tflite"],
    ])
    func everyFormOfAnOptionGivesItsValue(arguments: [String]) throws {
        let label = try Label.parse(arguments)
        #expect(label.model == "m.tflite")
        #expect(label.image == "a.jpg")
    }

    @Test func valuesMayContainEqualSignsAndBeEmpty() throws {
        #expect(try Label.parse(["a", "--model=x=y"]).model == "x=y")
        #expect(try Label.parse(["a", "--model="]).model == "")
        #expect(try Label.parse(["", "--model", ""]).image == "")
    }

    @Test func flagsSwitchOnAndOff() throws {
        #expect(try Label.parse(["a", "-v"]).verbose)
        #expect(try Label.parse(["a", "--verbose"]).verbose)
        #expect(try Label.parse(["a", "--no-color"]).color == false)
        #expect(try Label.parse(["a", "--no-color", "--color"]).color)
        #expect(try Label.parse(["a", "--color", "--no-color"]).color == false)
    }

    @Test func aFlagThatMayBeUndecidedTellsThreeStatesApart() throws {
        #expect(try Undecided.parse([]).cache == nil)
        #expect(try Undecided.parse(["--cache"]).cache == true)
        #expect(try Undecided.parse(["--no-cache"]).cache == false)
    }

    @Test func negativeNumbersAreValues() throws {
        let numbers = try Numbers.parse(["-5", "--offset", "-1.5e3", "-o", "-2", "-.5"])
        #expect(numbers.values == [-5, -0.5])
        #expect(numbers.offset == [-1500, -2])
        #expect(throws: (any Error).self) { try Numbers.parse(["-x"]) }
    }

    @Test func aDigitThatNamesAnOptionIsNoNumber() throws {
        #expect(try Digits.parse(["-1"]).one)
    }

    @Test func afterTheTerminatorEverythingIsAValue() throws {
        let label = try Label.parse(["-v", "--", "--model", "-q", "--"])
        #expect(label.image == "--model")
        #expect(label.others == ["-q", "--"])
        #expect(label.verbose)
        #expect(!label.quiet)
    }

    @Test func aSingleDashIsAValue() throws {
        #expect(try Label.parse(["-"]).image == "-")
        #expect(try Label.parse(["a", "--model", "-"]).model == "-")
    }

    @Test func arraysCollectInOrder() throws {
        let push = try Models.Push.parse(["--project", "p", "-t", "x", "a.tflite", "--tag=y", "b.tflite"])
        #expect(push.tags == ["x", "y"])
        #expect(push.files == ["a.tflite", "b.tflite"])
    }

    @Test func optionGroupsAreFilledLikeTheCommandItself() throws {
        let push = try Models.Push.parse(["m", "--project=p", "--server", "http://h"])
        #expect(push.connection.project == "p")
        #expect(push.connection.server == "http://h")
        #expect(try Models.Push.parse(["m", "--project=p"]).connection.server == "http://127.0.0.1:8080")
    }

    @Test func propertiesWithoutAWrapperKeepTheirInitialValue() throws {
        let push = try Models.Push.parse(["m", "--project=p"])
        #expect(push.attempts == 3)
        #expect(push.note == nil)
    }

    @Test func everyStandardTypeIsRead() throws {
        let types = try Types.parse([
            "--int=-9223372036854775808", "--u-int16=65535", "--u-int64=18446744073709551615", "--float=1.5",
            "--bool=false",
        ])
        #expect(types.int == Int.min)
        #expect(types.uInt16 == 65535)
        #expect(types.uInt64 == UInt64.max)
        #expect(types.float == 1.5)
        #expect(types.bool == false)
    }

    @Test func parsedValuesCanBeChangedWithoutTouchingCopies() throws {
        let original = try Label.parse(["a"])
        var copy = original
        copy.threads = 9
        #expect(copy.threads == 9)
        #expect(original.threads == 2)
    }

    @Test func hostileTokensGiveErrorsNotCrashes() {
        let long = String(repeating: "-", count: 2_000)
        let tokens = [
            long, long + "=", "--=", "-=", "-=x", "---", "--\u{0}", "-\u{301}", "--\u{301}", "\u{1F600}", "-\u{1F600}",
            "--" + String(repeating: "x", count: 2_000), "-5x", "-0x1p3", "--threads=", "--threads=1e3", "--top-k=-1",
            "--threads=" + String(repeating: "9", count: 1_000), "--no-", "--no-verbose", "-vvvvvvvvq=",
        ]
        for first in tokens {
            for second in tokens {
                do {
                    _ = try Kiln.parseAsRoot(["label", first, second])
                } catch {
                    #expect(Kiln.exitCode(for: error) == .validationFailure)
                    #expect(!Kiln.message(for: error).contains("\n"))
                }
            }
        }
    }
}

private struct Undecided: ParsableCommand {
    @Flag(inversion: .prefixedNo) var cache: Bool?
}

private struct Numbers: ParsableCommand {
    @Argument var values: [Double]
    @Option(name: .shortAndLong) var offset: [Float] = []
}

private struct Digits: ParsableCommand {
    @Flag(name: .customShort("1")) var one = false
}

private struct Types: ParsableCommand {
    @Option var int: Int
    @Option var uInt16: UInt16
    @Option var uInt64: UInt64
    @Option var float: Float
    @Option var bool: Bool
}

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
