import HearthArguments

/// A small tree of commands with one of everything.
struct Kiln: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kiln",
        abstract: "Keep models warm.",
        discussion: "Start with 'kiln serve'.",
        version: "1.2.3",
        subcommands: [Label.self, Models.self, Secret.self])
}

enum Backend: String, CaseIterable, ExpressibleByArgument {
    case reference
    case xnnpack
}

struct Label: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Label an image.")

    @Argument(help: "The image to label.")
    var image: String

    @Argument(help: "More images.")
    var others: [String] = []

    @Option(name: .shortAndLong, help: "The model file.")
    var model: String?

    @Option(name: .shortAndLong, help: "Threads to use.")
    var threads: Int = 2

    @Option(name: .customLong("top-k"), help: ArgumentHelp("Labels to show.", valueName: "count"))
    var top: UInt16 = 5

    @Option(help: "Lowest score to show.")
    var threshold: Double = 0

    @Option(help: "What computes.")
    var backend: Backend = .xnnpack

    @Option(help: ArgumentHelp("For tests.", visibility: .hidden))
    var internalSeed: Int?

    @Flag(name: .shortAndLong, help: "Say more.")
    var verbose = false

    @Flag(name: .customShort("q"), help: "Say less.")
    var quiet = false

    @Flag(help: ArgumentHelp("Print JSON.", visibility: .hidden))
    var json = false

    @Flag(inversion: .prefixedNo, help: "Print colours.")
    var color = true

    mutating func validate() throws {
        if verbose && quiet { throw ValidationError("Give either --verbose or -q, not both") }
    }

    mutating func run() throws {
        switch image {
        case "silent": throw ExitCode(7)
        case "broken": throw SampleError()
        case "coded": throw SampleCodedError()
        case "unanswered": throw ConfirmationRequired("Sure? Give --yes.")
        case "wrong": throw ValidationError("Not an image: give a JPEG or PNG file")
        case "message": throw CleanExit.message("all good")
        default: print("labelled \(image)")
        }
    }
}

struct SampleError: Error, CustomStringConvertible {
    let description = "cannot read\n  'broken': \u{1B}[31mno such file"
}

struct SampleCodedError: CodedError, CustomStringConvertible {
    let reportedCode = "NOT_FOUND"
    let description = "no such \"thing\""
}

struct Connection: ParsableArguments {
    @Option(help: "The server's address.")
    var server: String = "http://127.0.0.1:8080"

    @Option(help: "The project.")
    var project: String

    mutating func validate() throws {
        if project.isEmpty { throw ValidationError("The project must not be empty") }
    }
}

struct Models: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Manage models.", subcommands: [List.self, Push.self], defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List models.")

        @OptionGroup var connection: Connection

        @Flag var json = false
    }

    struct Push: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Publish a model.")

        @OptionGroup var connection: Connection

        @Option(name: [.customShort("t"), .customLong("tag")], help: "A tag; may be given several times.")
        var tags: [String] = []

        @Option(help: "The version to replace.")
        var version: Int?

        @Argument(help: "The model files.")
        var files: [String]

        var attempts = 3
        var note: String?
    }
}

struct Secret: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Not listed.", shouldDisplay: false)

    mutating func run() throws {}
}

/// What a user sees of wrong arguments, or of a request for help.
func failure(_ arguments: String...) -> (code: ExitCode, text: String) {
    do {
        _ = try Kiln.parseAsRoot(arguments)
        return (.success, "")
    } catch {
        return (Kiln.exitCode(for: error), Kiln.fullMessage(for: error, columns: 80))
    }
}

/// The bare text for wrong arguments.
func message(_ arguments: String...) -> String {
    do {
        _ = try Kiln.parseAsRoot(arguments)
        return ""
    } catch {
        return Kiln.message(for: error, columns: 80)
    }
}

/// What a user sees when the parsed command runs.
func outcomeOfRunning(_ arguments: String...) -> (code: ExitCode, text: String) {
    do {
        var command = try Kiln.parseAsRoot(arguments)
        try command.run()
        return (.success, "")
    } catch {
        return (Kiln.exitCode(for: error), Kiln.fullMessage(for: error, columns: 80))
    }
}
