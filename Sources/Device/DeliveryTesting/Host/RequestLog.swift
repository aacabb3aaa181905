import HearthTransport

/// What has come to a host, and gone out.
struct RequestLog: Sendable {
    var requests: [(kind: ModelHost.RequestKind, request: TransportRequest)] = []
    var bytesSent = 0
}
