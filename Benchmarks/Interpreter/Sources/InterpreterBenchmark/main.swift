import Foundation

var commands = CommandLoop()
while let line = readLine() {
    let answer: String
    do {
        answer = try commands.answer(line)
    } catch {
        answer = "error: \(error)"
    }
    // Written at once: who asked waits for it.
    FileHandle.standardOutput.write(Data("\(answer)\n".utf8))
}
