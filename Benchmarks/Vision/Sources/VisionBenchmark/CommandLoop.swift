import BenchmarkParts

/// Carries out the commands that come on standard input, one per line, and answers each with one line:
///
/// ```text
/// open CONTESTANT TASK MODEL PICTURE THREADS SIDE PLACEMENT VALUES THRESHOLD  ->  ok
/// time CONTESTANT WORK CALLS BATCHES  ->  nanoseconds that CALLS calls took: the median of BATCHES times
/// output CONTESTANT                   ->  what it found
/// ```
///
/// CONTESTANT is `hearth` (its WORK: `file`) or `floor` (`decode`, `invoke`), TASK is `labels` or `boxes`, PLACEMENT and
/// VALUES are those of ``Job``, THRESHOLD is a number or `usual`. Tabs separate the words.
struct CommandLoop {
    private var contestants: [String: any Contestant] = [:]

    mutating func answer(_ line: String) throws -> String {
        let words = commandWords(line)
        switch words.count {
        case 2 where words[0] == "output":
            return try contestant(words[1]).output()
        case 10 where words[0] == "open":
            guard let task = Job.Task(rawValue: words[2]), let placement = Job.Placement(rawValue: words[7]),
                let values = Job.Values(rawValue: words[8]), words[9] == "usual" || Float(words[9]) != nil
            else { throw BenchmarkError("do not understand '\(line)'") }
            let job = Job(
                task: task, model: words[3], picture: words[4], threads: try positiveNumber(words[5]),
                side: try positiveNumber(words[6]), placement: placement, values: values, threshold: Float(words[9]))
            // What was there goes first: two of a kind would not be what a program has.
            contestants[words[1]] = nil
            contestants[words[1]] = try open(words[1], job)
            return "ok"
        case 5 where words[0] == "time":
            let contestant = try contestant(words[1])
            return String(
                try medianNanoseconds(calls: try positiveNumber(words[3]), batches: try positiveNumber(words[4])) {
                    try contestant.do(words[2], $0)
                })
        default:
            throw BenchmarkError("do not understand '\(line)'")
        }
    }

    private func open(_ name: String, _ job: Job) throws -> any Contestant {
        switch name {
        case "hearth": return try HearthContestant(job)
        case "floor": return try FloorContestant(job)
        default: throw BenchmarkError("there is no contestant '\(name)'")
        }
    }

    private func contestant(_ name: String) throws -> any Contestant {
        guard let contestant = contestants[name] else { throw BenchmarkError("'\(name)' is not open") }
        return contestant
    }
}
