import Foundation
package import HearthTransport

/// Which call a request is. Pure.
struct HostRoute {
    let kind: ModelHost.RequestKind
    /// What stands behind `/installations` or `/models`, percent-decoded; empty for the others.
    let segments: [String]

    init(_ url: String) {
        let parts = url.prefix { $0 != "?" }.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
        if let start = parts.lastIndex(of: "installations") {
            kind = .installation
            segments = Array(parts[(start + 1)...])
        } else if let last = parts.last, last.hasSuffix(":download") {
            kind = .info
            segments = [String(last.dropLast(":download".count))]
        } else if parts.last == "events" {
            kind = .events
            segments = []
        } else {
            kind = .file
            segments = []
        }
    }
}

extension TransportRequest {
    /// The value of the first header called `name`.
    package func header(_ name: String) -> String? {
        headers.first { $0.0.lowercased() == name.lowercased() }?.1
    }
}
