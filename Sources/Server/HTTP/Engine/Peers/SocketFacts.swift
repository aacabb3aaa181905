// For IPPROTO_TCP, too, which the C library's own module does not show everywhere.
internal import CMicroHTTPD
internal import Glibc

/// What the kernel knows of a connection's bytes.
struct SocketFacts: Equatable {
    /// Received from the peer so far.
    var receivedBytes: UInt64
    /// Of these, not yet read by the server.
    var unreadBytes: Int
    /// Sent so far and confirmed by the peer's machine.
    var confirmedBytes: UInt64
    /// Whether bytes wait for the peer: not sent yet, or not confirmed.
    var waitForPeer: Bool
}

extension SocketFacts {
    /// Of an open socket; `nil` where the system does not say.
    ///
    /// `struct tcp_info` cannot be included beside the C library's older one; the places are part of the system's interface.
    init?(socket: Int32) {
        let option = Int32(11)
        let facts = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { info -> SocketFacts? in
            var size = socklen_t(info.count)
            guard getsockopt(socket, Int32(IPPROTO_TCP), option, info.baseAddress, &size) == 0,
                Int(size) >= Place.notSentBytes + MemoryLayout<UInt32>.size
            else { return nil }
            let unconfirmed = info.load(fromByteOffset: Place.unconfirmedSegments, as: UInt32.self)
            let notSent = info.load(fromByteOffset: Place.notSentBytes, as: UInt32.self)
            return SocketFacts(
                receivedBytes: info.load(fromByteOffset: Place.receivedBytes, as: UInt64.self),
                unreadBytes: 0,
                confirmedBytes: info.load(fromByteOffset: Place.confirmedBytes, as: UInt64.self),
                waitForPeer: unconfirmed > 0 || notSent > 0)
        }
        var unread: Int32 = 0
        guard let facts, ioctl(socket, UInt(FIONREAD), &unread) == 0 else { return nil }
        self = facts
        unreadBytes = Int(unread)
    }

    private enum Place {
        static let unconfirmedSegments = 24
        static let confirmedBytes = 120
        static let receivedBytes = 128
        static let notSentBytes = 144
    }
}
