import BenchmarkParts

/// Carries out the commands that come on standard input, one per line, and answers each with one line:
///
/// ```text
/// open MODEL                              ->  ok
/// time WORK THREADS CALLS BATCHES         ->  nanoseconds that CALLS calls of each thread took: the median of BATCHES
/// ```
///
/// MODEL is a path and WORK a case of ``Work``. Tabs, not spaces, separate the words of a command.
struct CommandLoop {
    private var app: GuardedApp?

    mutating func answer(_ line: String) throws -> String {
        let words = commandWords(line)
        switch words.count {
        case 2 where words[0] == "open":
            guard app == nil else { throw BenchmarkError("one process measures one model") }
            app = try GuardedApp(modelPath: words[1])
            return "ok"
        case 5 where words[0] == "time":
            guard let app else { throw BenchmarkError("no model is open") }
            guard let work = Work(rawValue: words[1]) else { throw BenchmarkError("there is no work '\(words[1])'") }
            let (threads, calls) = (try positiveNumber(words[2]), try positiveNumber(words[3]))
            return String(
                try medianNanoseconds(calls: calls, batches: try positiveNumber(words[4])) {
                    try app.do(work, threads: threads, $0)
                })
        default:
            throw BenchmarkError("do not understand '\(line)'")
        }
    }
}

/// What is done in one call.
enum Work: String {
    /// The guard's two functions in C, alone.
    case mark
    /// A use of an engine of the app's own, without the engine: it begins and succeeds, or fails.
    case use
    case failedUse = "failed-use"
    /// A use that succeeds in an app that reports the health of its versions.
    case reportedUse = "reported-use"
    /// A run of the model with `Interpreter`, which nobody guards; and the same in a use.
    case run
    case runInUse = "run-in-use"
    /// A run with `ModelInterpreter`, of the file as a local model, which nobody guards, and as the remote model.
    case localModel = "local-model"
    case remoteModel = "remote-model"
}
