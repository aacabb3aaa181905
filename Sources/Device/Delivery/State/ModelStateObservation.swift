/// An app's observation of a model's state. Ends when it is cancelled or released: keep it as long as you want to be told.
public final class ModelStateObservation: Sendable {
    private let ticket: DownloadTicket

    init(_ ticket: DownloadTicket) { self.ticket = ticket }

    deinit { ticket.cancel() }

    /// No call comes after this one, if it is made on the app's callback queue; from elsewhere, one may be under way.
    public func cancel() { ticket.cancel() }
}
