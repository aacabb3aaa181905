/// What a connection is at, as far as it decides how long that may take.
enum ConnectionPhase: UInt8 {
    /// Between two requests, or before the first; the first line of the next one may be arriving.
    case idle
    /// The request line is here, and the rest of the head is not.
    case head
    /// The request is worked on: nobody waits for the peer.
    case working
    /// The request's body arrives.
    case receiving
    /// The answer is sent.
    case answering
}
