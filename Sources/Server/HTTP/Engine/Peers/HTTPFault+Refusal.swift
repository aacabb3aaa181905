extension HTTPFault {
    /// What a peer should wait that was refused because the server, or its own share of it, is full.
    private static let retrySeconds = 5

    /// The fault in the service's form, with the time to wait where it passes by itself.
    func refusal(_ errors: ErrorRenderer) -> Response {
        var response = errors(self)
        if status == 429 || status == 503 { response.headers["Retry-After"] = "\(Self.retrySeconds)" }
        return response
    }
}
