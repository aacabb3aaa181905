import Foundation

/// The words of one command: a line whose words are separated by tabs, since a path may have spaces in it.
public func commandWords(_ line: String) -> [String] {
    line.split(separator: "\t").map(String.init)
}

/// A word that is a number above 0.
public func positiveNumber(_ text: String) throws -> Int {
    guard let number = Int(text), 1...1_000_000_000 ~= number else {
        throw BenchmarkError("'\(text)' is no number above 0")
    }
    return number
}

/// Answers each line of standard input with one line.
public func answerCommands(_ answer: (String) throws -> String) {
    while let line = readLine() {
        tell { try answer(line) }
    }
}

/// Writes one line: what `body` gives, or its error.
public func tell(_ body: () throws -> String) {
    let line: String
    do {
        line = try body()
    } catch {
        line = "error: \(error)".replacingOccurrences(of: "\n", with: " ")
    }
    // Written at once: who asked waits for it.
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
