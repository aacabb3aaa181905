extension Interpreter {
    /// Stops a run of this interpreter or of its signature runners, from any thread; always the same object.
    public var canceller: InvocationCanceller { sessions.runs.canceller }
}
