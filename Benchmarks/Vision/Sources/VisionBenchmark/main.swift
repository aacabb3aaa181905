import BenchmarkParts
import Foundation

// VisionBenchmark                          carries out commands from standard input (see CommandLoop)
// VisionBenchmark bulk MODEL SIDE LIST     the floor of many files; LIST names them, one a line; prints pictures a second
let arguments = CommandLine.arguments
if arguments.count == 5, arguments[1] == "bulk", let side = Int(arguments[3]) {
    tell {
        let list = try String(contentsOfFile: arguments[4], encoding: .utf8)
        let paths = list.split(separator: "\n").map(String.init)
        return String(try BulkFloor(model: arguments[2], side: side).run(paths))
    }
} else {
    var commands = CommandLoop()
    answerCommands { try commands.answer($0) }
}
