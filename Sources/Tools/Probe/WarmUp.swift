/// Lets the engine set itself up before the cage closes.
enum WarmUp {
    static func run() {}
}
