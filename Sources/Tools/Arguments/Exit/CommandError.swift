/// An error together with the command it belongs to, so that its usage can be shown.
struct CommandError: Error, CustomStringConvertible {
    enum Reason {
        /// The arguments could not be parsed.
        case parser(ParserError)
        /// `validate()` threw.
        case validation(any Error)
        /// `run()` threw.
        case run(any Error)
    }

    let path: CommandPath
    let reason: Reason

    var description: String {
        switch reason {
        case .parser(let error): error.description
        case .validation(let error), .run(let error): ErrorText.describe(error)
        }
    }
}
