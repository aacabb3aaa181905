import HearthArguments
import HearthImaging
import HearthTestSupport
import Testing

@testable import HearthLocalCommands

private struct SampleCommand: ParsableCommand {
    @OptionGroup var images: ImageOptions

    static func options(_ arguments: String...) throws -> ImageOptions { try parse(arguments).images }
}

@Suite struct ImageOptionsTests {
    @Test func regionsAreFourNumbers() throws {
        let region = try SampleCommand.options("a.png", "--region", "1,2,30,40").region
        #expect(region?.rect == PixelRect(x: 1, y: 2, width: 30, height: 40))
        for text in [
            "", "1,2,3", "1,2,3,4,5", "1,2,0,4", "1,2,3,-4", "a,b,c,d", "1, 2,3,4", "99999999999999999999,0,1,1",
        ] {
            #expect(throws: (any Error).self, "\(text)") { try SampleCommand.options("a.png", "--region=\(text)") }
        }
    }

    @Test func countsMustBeUsable() {
        for arguments in [["--jobs", "0"], ["--threads", "0"], ["--jobs", "257"], ["--threads", "99999999"]] {
            #expect(throws: (any Error).self) { try SampleCommand.parse(["a.png"] + arguments) }
        }
        #expect(throws: (any Error).self) { try SampleCommand.parse([]) }
    }

    @Test func imageMemoryHasBounds() throws {
        for (text, isTaken) in [("15", false), ("16", true), ("1048576", true), ("1048577", false), ("x", false)] {
            let memory = try? SampleCommand.options("a.png", "--image-memory", text).readingOptions.memory
            #expect(memory?.byteCount == (isTaken ? Int(text)! << 20 : nil), "\(text)")
        }
        let memory = try #require(try SampleCommand.options("a.png").readingOptions.memory)
        // The largest that ImageLimits lets pass: CMYK in several scans, and what decoders need for themselves.
        #expect(memory.byteCount >= 100_000_000 * (4 + 8) + (128 << 20) + (16 << 20))
    }

    @Test func threadsShareTheMemoryOfOneRun() throws {
        let look = try SampleCommand.options("a.png", "b.png").readingOptions
        let (first, second) = (look.shared(), look.shared())
        #expect(first.memory === second.memory && first.decoding.memory != second.decoding.memory)
    }

    @Test func oneImageIsAFileThatIsNamedAlone() throws {
        let folder = try TemporaryFolder()
        #expect(try SampleCommand.options("a.png").isOneImage)
        #expect(try !SampleCommand.options("a.png", "b.png").isOneImage)
        #expect(try !SampleCommand.options("-").isOneImage)
        #expect(try !SampleCommand.options(folder.path).isOneImage)
    }

    @Test func oneImageHasTheMachineToItself() throws {
        let one = try SampleCommand.options("a.png").concurrency
        let many = try SampleCommand.options("a.png", "b.png").concurrency
        #expect(one.jobs == 1 && many.threads == 1)
        // Whatever the number of processors is, both use all of them.
        #expect(one.threads == many.jobs)
        #expect(try SampleCommand.options("a.png", "--threads", "1").concurrency == (1, 1))
        #expect(try SampleCommand.options("a.png", "b.png", "--jobs", "5").concurrency == (5, 1))
    }

    @Test func decodingIsAsAskedFor() throws {
        #expect(try SampleCommand.options("a.png").readingOptions.decoding == ImageDecodeOptions())
        let look = try SampleCommand.options("a.png", "--full-decode", "--allow-partial").readingOptions
        #expect(look.decoding == ImageDecodeOptions(allowPartial: true, allowsScaledDecode: false))
    }

    @Test func largeImagesAreAveragedUnlessAskedNotTo() throws {
        #expect(try SampleCommand.options("a.png").readingOptions.resampling == .antialiased)
        #expect(try SampleCommand.options("a.png", "--no-antialias").readingOptions.resampling == .bilinear)
    }
}
