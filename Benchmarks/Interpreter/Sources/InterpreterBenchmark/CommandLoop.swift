import BenchmarkParts
import CAllocationCounter

/// Carries out the commands that come on standard input, one per line, and answers each with one line:
///
/// ```text
/// open CONTESTANT MODEL THREADS           ->  ok
/// time CONTESTANT WORK CALLS BATCHES      ->  nanoseconds that CALLS calls took: the median of BATCHES times
/// allocations CONTESTANT WORK COUNT       ->  heap allocations that COUNT calls made
/// output CONTESTANT                       ->  the first output's bytes, in hexadecimal
/// calls CONTESTANT COUNT MODEL THREADS    ->  KiB that COUNT calls added to the process
/// cycles CONTESTANT COUNT MODEL THREADS   ->  KiB that COUNT times making, calling once and destroying added
/// ```
///
/// CONTESTANT is `hearth` or `c`, WORK is `copies` or `run`, and MODEL a path. Tabs, not spaces, separate the words of a
/// command, since a path may have spaces in it.
struct CommandLoop {
    private var contestants: [String: any Contestant] = [:]

    mutating func answer(_ line: String) throws -> String {
        let words = commandWords(line)
        switch words.count {
        case 2 where words[0] == "output":
            return hexadecimal(try contestant(words[1]).output)
        case 4 where words[0] == "open":
            // What was there goes first: two of a kind would not be what a program has.
            contestants[words[1]] = nil
            contestants[words[1]] = try open(words[1], path: words[2], threads: try positiveNumber(words[3]))
            return "ok"
        case 5 where words[0] == "time":
            let (calls, batches) = (try positiveNumber(words[3]), try positiveNumber(words[4]))
            let (contestant, work) = (try contestant(words[1]), try work(words[2]))
            return String(
                try medianNanoseconds(calls: calls, batches: batches) { try work.do($0, by: contestant) })
        case 4 where words[0] == "allocations":
            return String(try allocations(try contestant(words[1]), try work(words[2]), try positiveNumber(words[3])))
        case 5 where words[0] == "calls":
            let contestant = try open(words[1], path: words[3], threads: try positiveNumber(words[4]))
            return String(try growth(try positiveNumber(words[2])) { try contestant.runWithCopies($0) })
        case 5 where words[0] == "cycles":
            let threads = try positiveNumber(words[4])
            return String(
                try growth(try positiveNumber(words[2])) { count in
                    for _ in 0..<count { try open(words[1], path: words[3], threads: threads).runWithCopies(1) }
                })
        default:
            throw BenchmarkError("do not understand '\(line)'")
        }
    }

    private func open(_ name: String, path: String, threads: Int) throws -> any Contestant {
        switch name {
        case "hearth": return try HearthContestant(modelPath: path, threads: threads)
        case "c": return try EngineContestant(modelPath: path, threads: threads)
        default: throw BenchmarkError("there is no contestant '\(name)'")
        }
    }

    private func contestant(_ name: String) throws -> any Contestant {
        guard let contestant = contestants[name] else { throw BenchmarkError("'\(name)' is not open") }
        return contestant
    }

    private func work(_ name: String) throws -> Work {
        guard let work = Work(rawValue: name) else { throw BenchmarkError("there is no work '\(name)'") }
        return work
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // MARK: Measuring

    private func allocations(_ contestant: any Contestant, _ work: Work, _ count: Int) throws -> Int {
        guard allocation_counter_is_in_force() else { throw BenchmarkError("allocations cannot be counted here") }
        try work.do(count / 10 + 1, by: contestant)
        allocation_counter_start()
        defer { _ = allocation_counter_stop() }
        try work.do(count, by: contestant)
        return allocation_counter_stop()
    }

    /// What the last nine tenths of the work added: the first tenth is for what a process needs once.
    private func growth(_ count: Int, _ work: (Int) throws -> Void) throws -> Int {
        let warmUp = max(1, count / 10)
        try work(warmUp)
        let before = try ResidentMemory.anonymousKiB()
        try work(count - warmUp)
        return try ResidentMemory.anonymousKiB() - before
    }
}
