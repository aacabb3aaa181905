import Glibc
import HearthArguments
import HearthLocalCommands

/// Asks before something is done that cannot be undone: a person at a terminal, and nobody else. Scripts have said what
/// they want by calling.
struct Confirmation {
    var isInteractive: Bool
    /// Shows the question and returns the answer; nil at the end of the input.
    var ask: (String) -> String?

    /// At the program's own terminal.
    static var standard: Confirmation {
        Confirmation(
            isInteractive: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1,
            ask: { question in
                Terminal.standardError.write(question)
                return readLine()
            })
    }

    /// - Throws: when the answer is not yes.
    func require(_ question: String, isGiven: Bool) throws(CommandFailure) {
        guard isInteractive, !isGiven else { return }
        let answer = ask("\(question.printable) [y/N] ")?.lowercased()
        guard answer == "y" || answer == "yes" else { throw CommandFailure("Nothing was changed.") }
    }
}

/// `--yes` of commands that ask.
struct ConfirmationOption: ParsableArguments {
    @Flag(help: "Do not ask.")
    var yes = false

    func require(_ question: String) throws { try Confirmation.standard.require(question, isGiven: yes) }
}
