import Glibc
import HearthArguments
import HearthLocalCommands
import HearthWire

/// Asks before something is ended, revoked, unpublished or deleted for good. A script is not asked: it says `--yes`, or
/// nothing is done. A rollback does not ask: it is wanted at once, and its answer says how what it ended is begun again.
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

    /// - Throws: when the answer is not yes (`CommandFailure`), or there is nobody to ask (`ConfirmationRequired`).
    func require(_ question: String, isGiven: Bool) throws {
        guard !isGiven else { return }
        guard isInteractive else {
            throw ConfirmationRequired(
                "\(question.printable) There is no terminal to ask at: give --yes to go ahead. Nothing was changed.")
        }
        let answer = ask("\(question.printable) [y/N] ")?.lowercased()
        guard answer == "y" || answer == "yes" else { throw CommandFailure("Nothing was changed.") }
    }
}

/// `--yes` of commands that ask.
struct ConfirmationOption: ParsableArguments {
    @Flag(help: "Do it without asking. Needed where there is no terminal to ask at.")
    var yes = false

    func require(_ question: String) throws { try Confirmation.standard.require(question, isGiven: yes) }
}
