import Glibc
import HearthArguments
import HearthLocalCommands
import HearthWire

/// Asks before a command revokes, unpublishes, stops or deletes something. A script must give `--yes`; without it nothing is
/// done. A rollback does not ask: it is urgent, and its output says how to begin again what it ended.
struct Confirmation {
    var isInteractive: Bool
    /// Shows the question and returns the answer; nil at the end of the input.
    var ask: (String) -> String?

    /// Asks at the program's own terminal.
    static var standard: Confirmation {
        Confirmation(
            isInteractive: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1,
            ask: { question in
                Terminal.standardError.write(question)
                return readLine()
            })
    }

    /// - Throws: if the answer is not yes (`CommandFailure`), or if there is no terminal (`ConfirmationRequired`).
    func require(_ question: String, isGiven: Bool) throws {
        guard !isGiven else { return }
        guard isInteractive else {
            throw ConfirmationRequired(
                "\(question.printable) There is no terminal to ask at: give --yes to confirm. Nothing was changed.")
        }
        let answer = ask("\(question.printable) [y/N] ")?.lowercased()
        guard answer == "y" || answer == "yes" else { throw CommandFailure("Nothing was changed.") }
    }
}

/// The option `--yes` of commands that ask.
struct ConfirmationOption: ParsableArguments {
    @Flag(help: "Do it without asking. Required if there is no terminal.")
    var yes = false

    func require(_ question: String) throws { try Confirmation.standard.require(question, isGiven: yes) }
}
