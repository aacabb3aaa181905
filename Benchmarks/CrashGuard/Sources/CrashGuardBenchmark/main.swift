import BenchmarkParts

var commands = CommandLoop()
answerCommands { try commands.answer($0) }
