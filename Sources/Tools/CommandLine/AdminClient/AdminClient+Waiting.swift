import HearthLocalCommands

/// Waiting for what the server does on its own: the check of a file.
extension AdminClient {
    /// Some ten minutes.
    static let pollLimit = 125

    /// Asks for the next state until it is done, with growing pauses.
    func waiting<State>(
        for state: State, isDone: (State) -> Bool, next: (State) throws -> State
    ) throws -> State {
        var state = state
        var attempt = 1
        while !isDone(state) {
            guard attempt <= Self.pollLimit else {
                throw CommandFailure(
                    "The server still checks the file. It goes on by itself; see later with hearth models versions.")
            }
            // By then somebody wonders.
            if attempt == 3 { Output.note("The server is checking the file ...") }
            pause(min(5, 0.25 * Double(attempt)))
            attempt += 1
            state = try next(state)
        }
        return state
    }
}
